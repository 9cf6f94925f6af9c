import { expect, test } from "vitest";
import { refuseUnreadable } from "./unreadable";

const statusOf = (method: string, url: string) => refuseUnreadable({ method, url })?.status ?? null;

test.each([
  ["TRACE", "/", 405],
  ["PROPFIND", "/api/v1/health", 405],
  ["OPTIONS", "*", 400],
  ["GET", "http://127.0.0.1/p/a", 400],
  ["GET", "/p/%", 400],
  ["GET", "/api/v1/projects/%E0%A4%A/cards", 400],
  ["GET", "/p/a%00b", 400],
  ["GET", `/${"a".repeat(20_000)}`, 414],
])("%s %s is refused", (method, url, status) => expect(statusOf(method, url)).toBe(status));

test.each([
  ["GET", "/"],
  ["OPTIONS", "/api/v1/health"],
  ["GET", "/p/%E6%BC%A2?q=100%"],
  ["POST", "/api/trpc/card.get,card.get?batch=1"],
])("%s %s is let in", (method, url) => expect(statusOf(method, url)).toBeNull());
