import { NextRequest } from "next/server";
import { afterAll, expect, test, vi } from "vitest";
import { keepSessions } from "@/server/access/live-sessions";
import { makeSession, sessionCookie } from "@/server/access/session";
import { proxy } from "./proxy";

const token = vi.hoisted(() => {
  vi.stubEnv("SWITCHYARD_TOKEN", "0123456789abcdef");
  vi.stubEnv("SWITCHYARD_ORIGINS", "https://yard.example.org");
  return "0123456789abcdef";
});
afterAll(() => vi.unstubAllEnvs());

const { session_id, value } = makeSession(token);
const cookieFor = (isSecure: boolean, of = value) => sessionCookie(token, { isSecure, value: of }).split(";")[0] ?? "";
const cookie = cookieFor(false);
keepSessions(async (id) => id === session_id);

async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await proxy(
    new NextRequest(`http://127.0.0.1:4600${path}`, { headers: { host: "127.0.0.1:4600", ...headers } }),
  );
  const location = response.headers.get("location");
  if (location === null) return [response.status, null];
  // Next makes it relative to the address that was called, so that a proxy's callers stay behind the proxy.
  const { pathname, search } = new URL(location);
  return [response.status, `${pathname}${search}`];
}

test("a page leads whoever is not signed in to the form, and keeps where he was", async () => {
  expect(await ask("/p/demo?turn=t1&x=a%20b")).toEqual([307, "/sign-in?next=%2Fp%2Fdemo%3Fturn%3Dt1%26x%3Da%2520b"]);
  expect(await ask("/p/demo", { cookie })).toEqual([200, null]);
  expect(await ask("/p/demo", { cookie: `${cookie}x` })).toEqual([307, "/sign-in?next=%2Fp%2Fdemo"]);
});

test("a token is no key to pages: it would be tried there uncounted", async () => {
  expect(await ask("/", { authorization: `Bearer ${token}` })).toEqual([307, "/sign-in?next=%2F"]);
});

test("the form and the icon are open, a path that only begins like them is not", async () => {
  expect(await ask("/sign-in")).toEqual([200, null]);
  expect(await ask("/icon.svg")).toEqual([200, null]);
  expect((await ask("/sign-in/x"))[0]).toBe(307);
});

test("a foreign name is refused, signed in or not", async () => {
  expect((await ask("/", { cookie, host: "evil.example" }))[0]).toBe(403);
  expect((await ask("/sign-in", { host: "evil.example" }))[0]).toBe(403);
  expect((await ask("/", { cookie: cookieFor(true), host: "yard.example.org" }))[0]).toBe(200);
  // Over https the cookie without the prefix may be a neighbour's.
  expect((await ask("/", { cookie, host: "yard.example.org" }))[0]).toBe(307);
});

test("signed out somewhere else, the cookie leads to the form", async () => {
  const other = cookieFor(false, makeSession(token).value);
  expect(await ask("/p/demo", { cookie: other })).toEqual([307, "/sign-in?next=%2Fp%2Fdemo"]);
});

test.each(["iframe", "frame", "fencedframe", "embed", "object"])("a page in an %s is refused", async (dest) => {
  expect((await ask("/", { cookie, "sec-fetch-dest": dest }))[0]).toBe(403);
  expect((await ask("/sign-in", { "sec-fetch-dest": dest }))[0]).toBe(403);
  expect((await ask("/", { cookie, "sec-fetch-dest": "document", "sec-fetch-site": "cross-site" }))[0]).toBe(200);
});
