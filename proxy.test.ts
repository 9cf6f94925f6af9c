import { NextRequest } from "next/server";
import { afterAll, expect, test, vi } from "vitest";
import { sessionCookie } from "@/server/access/session";
import { proxy } from "./proxy";

const token = vi.hoisted(() => {
  vi.stubEnv("SWITCHYARD_TOKEN", "0123456789abcdef");
  vi.stubEnv("SWITCHYARD_ORIGINS", "https://yard.example.org");
  return "0123456789abcdef";
});
afterAll(() => vi.unstubAllEnvs());

const cookie = sessionCookie(token, { isSecure: false }).split(";")[0] ?? "";

function ask(path: string, headers: Record<string, string> = {}) {
  const response = proxy(
    new NextRequest(`http://127.0.0.1:4600${path}`, { headers: { host: "127.0.0.1:4600", ...headers } }),
  );
  const location = response.headers.get("location");
  if (location === null) return [response.status, null];
  // Next makes it relative to the address that was called, so that a proxy's callers stay behind the proxy.
  const { pathname, search } = new URL(location);
  return [response.status, `${pathname}${search}`];
}

test("a page leads whoever is not signed in to the form, and keeps where he was", () => {
  expect(ask("/p/demo?turn=t1&x=a%20b")).toEqual([307, "/sign-in?next=%2Fp%2Fdemo%3Fturn%3Dt1%26x%3Da%2520b"]);
  expect(ask("/p/demo", { cookie })).toEqual([200, null]);
  expect(ask("/p/demo", { cookie: `${cookie}x` })).toEqual([307, "/sign-in?next=%2Fp%2Fdemo"]);
});

test("a token is no key to pages: it would be tried there uncounted", () => {
  expect(ask("/", { authorization: `Bearer ${token}` })).toEqual([307, "/sign-in?next=%2F"]);
});

test("the form and the icon are open, a path that only begins like them is not", () => {
  expect(ask("/sign-in")).toEqual([200, null]);
  expect(ask("/icon.svg")).toEqual([200, null]);
  expect(ask("/sign-in/x")[0]).toBe(307);
});

test("a foreign name is refused, signed in or not", () => {
  expect(ask("/", { cookie, host: "evil.example" })[0]).toBe(403);
  expect(ask("/sign-in", { host: "evil.example" })[0]).toBe(403);
  expect(ask("/", { cookie, host: "yard.example.org" })[0]).toBe(200);
});
