import { expect, test } from "vitest";
import { refuseUnreadable } from "./unreadable";

const statusOf = (method: string, url: string, rawHeaders: string[] = ["Host", "127.0.0.1"]) =>
  refuseUnreadable({ method, url, rawHeaders })?.status ?? null;

test.each([
  ["TRACE", "/", 405],
  ["PROPFIND", "/api/v1/health", 405],
  ["OPTIONS", "*", 400],
  ["GET", "ftp://127.0.0.1/p/a", 400],
  ["GET", "/p/%", 400],
  ["GET", "/api/v1/projects/%E0%A4%A/cards", 400],
  ["GET", "/p/a%00b", 400],
  ["GET", `/${"a".repeat(20_000)}`, 414],
  // Next resolves these: what began as an address of the API, without a limit of its own, was a page that buffered 10 MB.
  ["POST", "/api/../p/demo", 400],
  ["POST", "/api/%2e%2E/p/demo", 400],
  ["POST", "/api/.%2e", 400],
  ["GET", "/_next/static/./../p/demo", 400],
  ["POST", "/api\\..\\p", 400],
  ["PUT", "/api/v1/projects/p/artifacts/logs//x", 400],
])("%s %s is refused", (method, url, status) => expect(statusOf(method, url)).toBe(status));

test.each([
  ["GET", "/"],
  ["OPTIONS", "/api/v1/health"],
  ["GET", "/p/%E6%BC%A2?q=100%"],
  ["POST", "/api/trpc/card.get,card.get?batch=1"],
  ["GET", "/api/v1/projects/a..b/cards/.c?q=../.."],
])("%s %s is let in", (method, url) => expect(statusOf(method, url)).toBeNull());

test("two Host headers are refused, whichever is the right one, and none counts by its value", () => {
  expect(statusOf("GET", "/", ["Host", "127.0.0.1", "accept", "host", "hOST", "evil.example"])).toBe(400);
  expect(statusOf("GET", "/", ["Host", "127.0.0.1", "accept", "host"])).toBeNull();
});
