// The REST interface of a server with a token.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { env } from "@/server/env";
import { countRows, openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { serveRest } from "../rest/serve";

const token = vi.hoisted(() => {
  vi.stubEnv("SWITCHYARD_TOKEN", "0123456789abcdef");
  return "0123456789abcdef";
});
let kernel: TestKernel;
const host = `127.0.0.1:${env().PORT}`;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1", [{ name: "Searcher" }]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await kernel.close();
});

function send(method: string, path: string, authorization?: string, body?: unknown): Promise<Response> {
  const request = new Request(`http://${host}/api/v1${path}`, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
    headers: { host, "content-type": "application/json", ...(authorization && { authorization }) },
  });
  return serveRest(kernel, request, path);
}
const right = `Bearer ${token}`;

test("without the token nothing is answered and nothing is written, whether the path is there or not", async () => {
  const before = await countRows(kernel);
  for (const [method, path, body] of [
    ["GET", "/projects", undefined],
    ["POST", "/projects", { title: "Mine" }],
    ["GET", "/projects/p1/events", undefined],
    ["GET", "/openapi.json", undefined],
    ["POST", "/health", {}],
    ["GET", "/nowhere", undefined],
  ] as const) {
    const response = await send(method, path, undefined, body);
    expect([path, response.status]).toEqual([path, 401]);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await response.json()).toEqual({
      detail: { error_code: "auth_failed", error_message: expect.stringContaining("token") },
    });
  }
  expect(await countRows(kernel)).toEqual(before);
});

test("HEAD and OPTIONS need what GET needs", async () => {
  for (const path of ["/projects", "/projects/p1/events", "/nowhere"]) {
    expect([path, (await send("HEAD", path)).status]).toEqual([path, 401]);
    const asked = await send("OPTIONS", path);
    expect([path, asked.status, asked.headers.get("allow")]).toEqual([path, 401, null]);
  }
  expect((await send("HEAD", "/projects", right)).status).toBe(200);
  expect((await send("OPTIONS", "/projects", right)).status).toBe(204);
  const open = await Promise.all(["HEAD", "OPTIONS"].map((method) => send(method, "/health")));
  expect(open.map(({ status, body }) => [status, body])).toEqual([
    [200, null],
    [204, null],
  ]);
});

test("with it everything is as without one set", async () => {
  expect((await send("GET", "/projects", right)).status).toBe(200);
  expect((await send("POST", "/projects", right, { title: "Mine" })).status).toBe(201);
  expect((await send("GET", "/nowhere", right)).status).toBe(404);
  expect((await send("GET", "/projects", "Bearer 0123456789abcdeX")).status).toBe(401);
});

test("health tells a balancer its status and nothing more", async () => {
  const bare = await send("GET", "/health");
  expect([bare.status, Object.keys(await bare.json())]).toEqual([200, ["status"]]);
  expect(await (await send("GET", "/health", right)).json()).toMatchObject({
    version: expect.any(String),
    workers: [],
  });
  expect((await send("GET", "/health", "Bearer wrong")).status).toBe(401);
});

test("the description says that a token is asked for, and where not", async () => {
  const document = await (await send("GET", "/openapi.json", right)).json();
  expect(document.components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
  expect(document.security).toEqual([{ bearer: [] }]);
  expect(document.paths["/health"].get.security).toEqual([{}, { bearer: [] }]);
  expect(document.paths["/projects"].get.security).toBeUndefined();
});

test("a stream opens with it", async () => {
  const response = await send("GET", "/projects/p1/events", right);
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("event-stream"),
  ]);
  await response.body?.cancel();
});
