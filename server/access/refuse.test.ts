import { beforeEach, describe, expect, test } from "vitest";
import { keepSessions } from "./live-sessions";
import { endWithSession, hasSession, refusalResponse, refuse } from "./refuse";
import { makeSession, sessionCookie } from "./session";

const token = "0123456789abcdef";
const settings = {
  HOST: "127.0.0.1",
  PORT: 4600,
  SWITCHYARD_TOKEN: token,
  SWITCHYARD_ORIGINS: [],
  SWITCHYARD_TRUSTED_PROXIES: 0,
};
const { session_id, value } = makeSession(token);
const cookie = sessionCookie(token, { isSecure: false, value }).split(";")[0] ?? "";
beforeEach(() => keepSessions(async (id) => id === session_id));
let callers = 0;

/** Each call comes from a new address unless it names one. */
function headers(more: Record<string, string>): Headers {
  return new Headers({ host: "127.0.0.1:4600", "x-switchyard-peer": `10.0.0.${++callers}`, ...more });
}
const status = async (more: Record<string, string>) => (await refuse(headers(more), settings))?.status ?? 200;

describe("with a token", () => {
  test("it or a session is accepted, nothing else is", async () => {
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
    expect(await status({ authorization: `bearer  ${token}` })).toBe(200);
    expect(await status({ cookie })).toBe(200);
    expect(await status({ cookie, authorization: "Basic dTpw" })).toBe(200);
    expect(await status({})).toBe(401);
    expect(await status({ authorization: "Bearer" })).toBe(401);
    expect(await status({ authorization: token })).toBe(401);
    expect(await status({ cookie: cookie.replace(/.$/, "!") })).toBe(401);
    expect(await status({ cookie, authorization: "Bearer wrong" })).toBe(401);
  });
  test("a foreign name is refused before the token is looked at", async () => {
    expect(await status({ host: "evil.example", authorization: `Bearer ${token}` })).toBe(403);
    expect(await status({ origin: "http://evil.example", cookie })).toBe(403);
  });
  test("the refusal says how to get access", async () => {
    const refusal = await refuse(headers({}), settings);
    const response = refusalResponse(refusal ?? { status: 403, error_code: "auth_failed", error_message: "" });
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await response.json()).toEqual({
      detail: { error_code: "auth_failed", error_message: expect.stringContaining("Authorization: Bearer") },
    });
  });
  test("after ten wrong tokens an address waits; its sessions and other addresses do not", async () => {
    const peer = { "x-switchyard-peer": "10.1.0.1" };
    const guesses = Array.from({ length: 10 }, (_, i) => status({ ...peer, authorization: `Bearer guess-${i}` }));
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
    const refusal = await refuse(headers({ ...peer, authorization: `Bearer ${token}` }), settings);
    expect(refusal).toMatchObject({ status: 429, headers: { "retry-after": expect.stringMatching(/^\d+$/) } });
    expect(await status({ ...peer, cookie })).toBe(200);
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
  });
  test("a program with a stale token does not lock out the others on its machine", async () => {
    const peer = { "x-switchyard-peer": "10.1.0.2" };
    await Promise.all(Array.from({ length: 30 }, () => status({ ...peer, authorization: "Bearer stale" })));
    expect(await status({ ...peer, authorization: `Bearer ${token}` })).toBe(200);
  });
});

describe("a session", () => {
  const events = (chunks: string[]) =>
    new Response(
      new ReadableStream({
        async pull(stream) {
          const chunk = chunks.shift();
          if (chunk === undefined) stream.close();
          else stream.enqueue(new TextEncoder().encode(chunk));
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );

  test("that was signed out gets no more data, and a stream it opened ends", async () => {
    let isLive = true;
    keepSessions(async () => isLive);
    expect(await status({ cookie })).toBe(200);
    const stream = endWithSession(events(["a", "b", "c"]), headers({ cookie }), settings);
    const reader = stream.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("a");
    isLive = false;
    keepSessions(async () => isLive);
    expect(await status({ cookie })).toBe(401);
    const rest = [];
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) rest.push(next.value);
    // What was already on its way when it ended may still arrive.
    expect(rest.length).toBeLessThanOrEqual(1);
  });

  test("that cannot be checked is neither accepted nor signed out", async () => {
    keepSessions(async () => {
      throw new Error("connection refused");
    });
    expect(await status({ cookie })).toBe(503);
    expect(await status({})).toBe(401);
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
  });
});

test("without a token everybody who uses an allowed host name is accepted, whatever they send", async () => {
  const alone = { ...settings, SWITCHYARD_TOKEN: undefined };
  expect(await hasSession(headers({}), alone)).toBe(true);
  expect(await refuse(headers({ authorization: "Bearer x" }), alone)).toBeNull();
  expect(await refuse(headers({ host: "evil.example" }), alone)).toMatchObject({ status: 403 });
});
