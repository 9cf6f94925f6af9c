import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { keepSessions, liveSessions } from "@/server/access/live-sessions";
import { beginSession } from "@/server/kernel/sessions/begin-session";
import { isSessionLive } from "@/server/kernel/sessions/is-session-live";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { signIn as serveSignIn, signOut as serveSignOut, tellSession } from "./serve-session";

vi.hoisted(() => {
  vi.stubEnv("SWITCHYARD_TOKEN", "0123456789abcdef");
  vi.stubEnv("SWITCHYARD_ORIGINS", "https://yard.example.org");
  vi.stubEnv("SWITCHYARD_TRUSTED_PROXIES", "127.0.0.1");
});
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel();
  keepSessions((session_id) => isSessionLive(kernel, { session_id }));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await kernel.close();
});
const signIn = (request: Request) => serveSignIn(kernel, request);
const signOut = (request: Request) => serveSignOut(kernel, request);

const token = "0123456789abcdef";
const host = "127.0.0.1:4600";
let callers = 0;

function request(body: BodyInit | null, more: Record<string, string> = {}, method = "POST", query = ""): Request {
  const headers = { host, "content-type": "application/json", "x-switchyard-peer": `10.0.0.${++callers}`, ...more };
  return new Request(`http://${host}/api/session${query}`, { method, body, headers });
}
const json = (value: unknown, more?: Record<string, string>) => request(JSON.stringify(value), more);
const form = (fields: Record<string, string>) =>
  request(new URLSearchParams(fields).toString(), { "content-type": "application/x-www-form-urlencoded" });
const cookieOf = (response: Response) => response.headers.get("set-cookie") ?? "";
const cookieFrom = async () => cookieOf(await signIn(json({ token }))).split(";")[0] ?? "";
/** As another process would answer, or this one a second later. */
const told = async (cookie: string) => {
  liveSessions().forget(null);
  return (await tellSession(request(null, { cookie }, "GET"))).status;
};
const sessionsThere = async () =>
  (await kernel.db.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM state.sessions")).rows[0]?.n;
const leadsTo = async (answer: Promise<Response>) => {
  const response = await answer;
  return [response.status, response.headers.get("location")];
};

test("the token makes a session that the server knows again, until it is signed out", async () => {
  const response = await signIn(json({ token: ` ${token}\n` }));
  expect(response.status).toBe(204);
  expect(cookieOf(response)).toMatch(/; HttpOnly; SameSite=Lax$/);
  const cookie = cookieOf(response).split(";")[0] ?? "";
  expect(await told(cookie)).toBe(204);
  expect((await tellSession(request(null, {}, "GET"))).status).toBe(401);
  const over = await signOut(request(null, { cookie }, "DELETE"));
  expect([over.status, cookieOf(over)]).toEqual([204, expect.stringMatching(/^switchyard_\w+=; Path=\/; Max-Age=0;/)]);
  // The browser has dropped it, and a copy made before is invalid too, in this and every other process.
  expect(await told(cookie)).toBe(401);
  expect(await sessionsThere()).toBe(0);
});

test("signed out everywhere is signed out in every browser, and only somebody who is in may do it", async () => {
  const [a, b, c] = [await cookieFrom(), await cookieFrom(), await cookieFrom()];
  expect((await signOut(request(null, { cookie: a }, "DELETE"))).status).toBe(204);
  expect([await told(a), await told(b), await told(c)]).toEqual([401, 204, 204]);
  // A session that has ended, a changed one, and none: no such request signs the others out.
  for (const cookie of [a, `${b}x`, "x=y"])
    expect((await signOut(request(null, { cookie }, "DELETE", "?everywhere=1"))).status).toBe(204);
  expect([await told(b), await told(c)]).toEqual([204, 204]);
  expect((await signOut(request(null, { cookie: b }, "DELETE", "?everywhere=1"))).status).toBe(204);
  expect([await told(b), await told(c)]).toEqual([401, 401]);
  expect(await sessionsThere()).toBe(0);
});

test("a session that is over, or one of too many, makes room", async () => {
  await kernel.db.pool.query(
    "INSERT INTO state.sessions SELECT 'session-of-a-program-' || n, now() + interval '1 day', now() - n * interval '1 s' FROM generate_series(1, 1100) n",
  );
  await kernel.db.pool.query(
    "UPDATE state.sessions SET expires_at = now() WHERE session_id = 'session-of-a-program-1'",
  );
  await beginSession(kernel, { session_id: "a-new-one-of-this-test", life_s: 60 });
  expect(await sessionsThere()).toBeLessThanOrEqual(1000);
  expect(await isSessionLive(kernel, { session_id: "a-new-one-of-this-test" })).toBe(true);
  expect(await isSessionLive(kernel, { session_id: "session-of-a-program-1" })).toBe(false);
  expect(await isSessionLive(kernel, { session_id: "session-of-a-program-2" })).toBe(true);
  expect(await isSessionLive(kernel, { session_id: "session-of-a-program-1100" })).toBe(false);
});

test("the cookie is Secure when the browser came over https, and only a proxy that was named may say so", async () => {
  const secure = async (more: Record<string, string>) => {
    const cookie = cookieOf(await signIn(json({ token }, more)));
    expect(cookie.startsWith("__Host-")).toBe(cookie.endsWith("; Secure"));
    return cookie.startsWith("__Host-");
  };
  expect(await secure({ host: "yard.example.org", origin: "https://yard.example.org" })).toBe(true);
  expect(await secure({ host: "yard.example.org" })).toBe(true);
  expect(await secure({ "x-switchyard-peer": "127.0.0.1", "x-forwarded-proto": "https" })).toBe(true);
  expect(await secure({ "x-switchyard-peer": "127.0.0.1", "x-forwarded-proto": "http, https" })).toBe(false);
  expect(await secure({ "x-forwarded-proto": "https" })).toBe(false);
  expect(await secure({ origin: `http://${host}` })).toBe(false);
});

test("a wrong token makes none; ten of them make an address wait", async () => {
  const from = { "x-switchyard-peer": "10.9.9.9" };
  // A different address in each, as a client without a trusted proxy would send.
  const wrong = (n: number) =>
    signIn(json({ token: "not the token" }, { ...from, "x-forwarded-for": `203.0.113.${n}` }));
  const responses = await Promise.all(Array.from({ length: 10 }, (_, n) => wrong(n)));
  expect(responses.map((r) => [r.status, cookieOf(r)])).toEqual(responses.map(() => [401, ""]));
  const late = await signIn(json({ token }, from));
  expect([late.status, cookieOf(late)]).toEqual([429, ""]);
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(50);
  expect((await signIn(json({ token }))).status).toBe(204);
});

test("a page of another site and another host are refused", async () => {
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { host: "evil.example" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const more of foreign) {
    expect((await signIn(json({ token }, more))).status).toBe(403);
    expect((await signOut(request(null, more, "DELETE"))).status).toBe(403);
    expect((await tellSession(request(null, more, "GET"))).status).toBe(403);
  }
});

test.each([["{"], ["null"], ["{}"], ['{"token":7}'], ['{"token":""}'], [`{"token":"${token}","else":1}`]])(
  "%s is refused by name",
  async (body) => {
    const response = await signIn(request(body));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: { error_code: "bad_request" } });
  },
);

test("a body beyond any token is not read to its end", async () => {
  expect((await signIn(request("x".repeat(20_000)))).status).toBe(413);
});

test("without script the form is led on, and never to another server", async () => {
  expect(await leadsTo(signIn(form({ token, next: "/p/demo?turn=t1" })))).toEqual([303, "/p/demo?turn=t1"]);
  expect(await leadsTo(signIn(form({ token, next: "//evil.example" })))).toEqual([303, "/"]);
  expect(await leadsTo(signIn(form({ token: "wrong", next: "/p/demo" })))).toEqual([
    303,
    "/sign-in?next=%2Fp%2Fdemo&fault=token",
  ]);
  expect(await leadsTo(signIn(form({ token: "", next: "/p/demo" })))).toEqual([
    303,
    "/sign-in?next=%2Fp%2Fdemo&fault=input",
  ]);
});

test("without the database, sign-in, sign-out and the session check fail instead of guessing", async () => {
  const cookie = await cookieFrom();
  const away = await openTestKernel();
  await away.close();
  keepSessions(async () => {
    throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
  });
  const answers = [
    await serveSignIn(away, json({ token })),
    await serveSignOut(away, request(null, { cookie }, "DELETE")),
    await tellSession(request(null, { cookie }, "GET")),
  ];
  for (const answer of answers) {
    expect([answer.status >= 500, answer.headers.get("set-cookie")]).toEqual([true, null]);
    expect(await answer.json()).toMatchObject({ detail: { error_message: expect.any(String) } });
  }
  expect(await leadsTo(serveSignIn(away, form({ token, next: "/p/demo" })))).toEqual([
    303,
    "/sign-in?next=%2Fp%2Fdemo&fault=away",
  ]);
});
