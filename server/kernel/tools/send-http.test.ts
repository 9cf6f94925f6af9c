// What leaves the house on the word of a project's tool: only where it may, with what it may, and never without end.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outbound } from "@/server/contract/outbound";
import { type Answer, startToolService, type ToolService } from "@/server/testing/tool-service";
import { type HttpSend, sendHttp } from "./send-http";

let here: ToolService;
let elsewhere: ToolService;
const answers: Record<string, Answer> = {
  "/ok": () => ({ n: 1 }),
  "/moved": (_asked, response) => void response.writeHead(307, { location: "/ok" }).end(),
  "/loop": (_asked, response) => void response.writeHead(308, { location: "/loop" }).end(),
  "/away": (_asked, response) => void response.writeHead(307, { location: `${elsewhere.origin}/ok?k=v` }).end(),
  "/see-other": (_asked, response) => void response.writeHead(303, { location: "/ok" }).end(),
  "/endless": (_asked, response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const write = (): void => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      if (!response.destroyed) response.once("drain", write);
    };
    write();
  },
  "/slow": () => undefined,
  // As PHP writes JSON.
  "/slashes": ({ headers }, response) =>
    void response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ headers }).replaceAll("/", "\\/").replaceAll("q", "\\u0071")),
  "/latin": (_asked, response) =>
    void response
      .writeHead(200, { "content-type": "application/json; charset=iso-8859-1" })
      .end(Buffer.from('{"city":"Zürich"}', "latin1")),
  "/unknown": (_asked, response) =>
    void response.writeHead(200, { "content-type": "text/plain; charset=x-a" }).end(Buffer.from([0xe4, 0x20])),
  "/echo": ({ headers }) => ({ ...headers }),
};
beforeAll(async () => {
  [here, elsewhere] = await Promise.all([
    startToolService((asked, response) => answers[asked.path]?.(asked, response)),
    startToolService(() => "elsewhere"),
  ]);
});
afterAll(async () => {
  await Promise.all([here.stop(), elsewhere.stop()]);
});

const only = (...origins: string[]): Outbound => ({ origins, secret: () => undefined });
const send = (path: string, more: Partial<HttpSend> = {}) =>
  sendHttp({
    url: `${here.origin}${path}`,
    headers: {},
    given: {},
    body: "{}",
    timeoutMs: 5_000,
    bytesMax: 100_000,
    outbound: only(here.origin),
    signal: undefined,
    ...more,
  });
const refusal = async (...args: Parameters<typeof send>) => {
  const reply = await send(...args);
  return "refusal" in reply ? reply.refusal : undefined;
};

test("an answer is read in the charset that it names, and one that is not known is named", async () => {
  expect(await send("/latin")).toEqual({ status: 200, type: "application/json", text: '{"city":"Zürich"}' });
  expect(await send("/unknown")).toEqual({ status: 200, type: "text/plain", text: "", unread: "x-a" });
});

describe("where to", () => {
  test("an origin that the configuration names", async () => {
    expect(await send("/ok")).toEqual({ status: 200, type: "application/json", text: '{"n":1}' });
  });
  test.each([
    ["another port", "http://127.0.0.1:1/ok"],
    ["the address of a cloud's keys", "http://169.254.169.254/latest/meta-data"],
    ["a name that begins with an allowed one", "http://127.0.0.1.evil.example/ok"],
  ])("not %s", async (_what, url) => {
    const count = here.asked.length;
    expect(await refusal("/ok", { url })).toMatchObject({
      code: "origin_not_allowed",
      message: expect.stringContaining("SWITCHYARD_TOOL_ORIGINS"),
    });
    expect(here.asked).toHaveLength(count);
  });
  test.each([
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "localhost",
    "0.0.0.0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
  ])("not this machine as %s, unless that address is named", async (host) => {
    const count = here.asked.length;
    const url = `http://${host}:${here.port}/ok`;
    expect(await refusal("/ok", { url, outbound: only("http://127.0.0.1:1") })).toMatchObject({
      code: "origin_not_allowed",
      message: expect.stringContaining(`add ${new URL(url).origin} to SWITCHYARD_TOOL_ORIGINS`),
    });
    expect(here.asked).toHaveLength(count);
  });
  test("each request is marked as made for a tool, also after a redirect", async () => {
    await send("/moved");
    expect(here.asked.slice(-2).map(({ headers }) => headers["x-switchyard-tool"])).toEqual(["1", "1"]);
  });
  test("a redirect within the origin is followed, three times at most; to another origin never", async () => {
    expect(await send("/moved")).toMatchObject({ status: 200 });
    expect(await refusal("/loop")).toMatchObject({ code: "http_308" });
    expect(await refusal("/see-other")).toMatchObject({ code: "http_303" });
    const outbound = only(here.origin, elsewhere.origin);
    const refused = await refusal("/away", { outbound });
    expect(refused).toMatchObject({ code: "http_307", message: expect.stringContaining("target_subject") });
    expect(refused?.message).not.toContain("k=v");
    expect(elsewhere.asked).toHaveLength(0);
  });
});

describe("with which secrets", () => {
  const secret = "s3cr3t-of-the-mill";
  const outbound = (value: string | undefined): Outbound => ({
    ...only(here.origin, elsewhere.origin),
    secret: (name, origin) => (name === "KEY" && origin === here.origin ? value : undefined),
  });
  const given = { "x-key": `Bearer $\{env:KEY}` };

  test("those that may go there; one that comes back is removed", async () => {
    const reply = await send("/echo", { outbound: outbound(secret), given });
    expect(here.asked.at(-1)?.headers["x-key"]).toBe(`Bearer ${secret}`);
    expect(JSON.stringify(reply)).not.toContain(secret);
    expect(JSON.stringify(reply)).toContain("Bearer [secret]");
  });
  test("however the service encodes it", async () => {
    const odd = 'aa/bb"cc\\dd-qq';
    const reply = await send("/slashes", { outbound: outbound(odd), given });
    if (!("text" in reply)) throw new Error("an answer");
    const { headers } = JSON.parse(reply.text) as { headers: Record<string, string> };
    expect(headers["x-key"]).toBe("Bearer [secret]");
    const two = (name: string) => (name === "KEY" ? secret : `${secret}-and-more`);
    const both = { "x-key": `$\{env:KEY}`, "x-long-key": `$\{env:LONG}` };
    const echo = await send("/echo", { outbound: { ...only(here.origin), secret: two }, given: both });
    expect(JSON.stringify(echo)).not.toContain("and-more");
  });
  test("none that belongs to another origin, or that nobody named", async () => {
    const url = `${elsewhere.origin}/ok`;
    const missing = { code: "missing_secret", message: expect.stringContaining("SWITCHYARD_TOOL_ENV") };
    expect(await refusal("/ok", { url, outbound: outbound(secret), given })).toMatchObject(missing);
    expect(await refusal("/ok", { outbound: outbound(secret), given: { a: `$\{env:HOME}` } })).toMatchObject(missing);
    expect(elsewhere.asked).toHaveLength(0);
  });
  test("a value that is not a valid header is not repeated", async () => {
    const refused = await refusal("/ok", { outbound: outbound(`${secret}\nx: y`), given });
    expect(refused).toMatchObject({ code: "missing_secret" });
    expect(refused?.message).not.toContain(secret);
  });
});

describe("for how long", () => {
  test("an endless answer is cut off", async () => {
    expect(await refusal("/endless")).toMatchObject({ code: "payload_too_large" });
  });
  test("a service that says nothing is given up", async () => {
    expect(await refusal("/slow", { timeoutMs: 50 })).toMatchObject({
      code: "tool_timeout",
      message: expect.stringContaining("0.05 s"),
    });
  });
  test("one that cannot be reached is reported at once", async () => {
    const gone = await startToolService(() => 1);
    await gone.stop();
    expect(await refusal("/ok", { url: gone.origin, outbound: only(gone.origin) })).toMatchObject({
      code: "upstream_unavailable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });
  test("a call that is stopped hangs up", async () => {
    const lost = new AbortController();
    const before = here.hungUp();
    const calling = send("/slow", { signal: lost.signal });
    setTimeout(() => lost.abort(new Error("stopped")), 50);
    await expect(calling).rejects.toThrow("stopped");
    await expect.poll(() => here.hungUp()).toBeGreaterThan(before);
  });
});
