import { afterAll, expect, test, vi } from "vitest";
import { signIn, signOut, tellSession } from "./serve-session";

vi.hoisted(() => {
  vi.stubEnv("SWITCHYARD_TOKEN", "0123456789abcdef");
  vi.stubEnv("SWITCHYARD_ORIGINS", "https://yard.example.org");
});
afterAll(() => vi.unstubAllEnvs());

const token = "0123456789abcdef";
const host = "127.0.0.1:4600";
let callers = 0;

function request(body: BodyInit | null, more: Record<string, string> = {}, method = "POST"): Request {
  const headers = { host, "content-type": "application/json", "x-forwarded-for": `10.0.0.${++callers}`, ...more };
  return new Request(`http://${host}/api/session`, { method, body, headers });
}
const json = (value: unknown, more?: Record<string, string>) => request(JSON.stringify(value), more);
const form = (fields: Record<string, string>) =>
  request(new URLSearchParams(fields).toString(), { "content-type": "application/x-www-form-urlencoded" });
const cookieOf = (response: Response) => response.headers.get("set-cookie") ?? "";
const leadsTo = async (answer: Promise<Response>) => {
  const response = await answer;
  return [response.status, response.headers.get("location")];
};

test("the token makes a session that the server knows again, until it is signed out", async () => {
  const response = await signIn(json({ token: ` ${token}\n` }));
  expect(response.status).toBe(204);
  expect(cookieOf(response)).toMatch(/; HttpOnly; SameSite=Lax$/);
  const cookie = cookieOf(response).split(";")[0] ?? "";
  expect(tellSession(request(null, { cookie }, "GET")).status).toBe(204);
  expect(tellSession(request(null, {}, "GET")).status).toBe(401);
  const over = signOut(request(null, { cookie }, "DELETE"));
  expect([over.status, cookieOf(over)]).toEqual([204, expect.stringMatching(/^switchyard_\w+=; Path=\/; Max-Age=0;/)]);
});

test("the cookie is Secure when the browser came over https, and only a proxy that was named may say so", async () => {
  const secure = async (more: Record<string, string>) =>
    cookieOf(await signIn(json({ token }, more))).endsWith("; Secure");
  expect(await secure({ host: "yard.example.org", origin: "https://yard.example.org" })).toBe(true);
  expect(await secure({ "x-forwarded-proto": "https" })).toBe(true);
  expect(await secure({ "x-forwarded-proto": "http, https" })).toBe(false);
  expect(await secure({ origin: `http://${host}` })).toBe(false);
});

test("a wrong token makes none; ten of them make an address wait", async () => {
  const from = { "x-forwarded-for": "10.9.9.9" };
  const wrong = () => signIn(json({ token: "not the token" }, from));
  const responses = await Promise.all(Array.from({ length: 10 }, wrong));
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
    expect(signOut(request(null, more, "DELETE")).status).toBe(403);
    expect(tellSession(request(null, more, "GET")).status).toBe(403);
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
