// Methods that no route names: HEAD, which is GET without its body, and OPTIONS, which says what a path takes.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { env } from "@/server/env";
import { openTestKernel, seedProject, type TestKernel } from "@/server/testing/kernel";
import { serveRest } from "./serve";

let kernel: TestKernel;
const HOST = `127.0.0.1:${env().PORT}`;
beforeAll(async () => {
  kernel = await openTestKernel();
  await seedProject(kernel, "p1");
});
afterAll(() => kernel.close());

type Asked = { host?: string; signal?: AbortSignal };

function ask(method: string, path: string, { host = HOST, signal }: Asked = {}): Promise<Response> {
  const request = new Request(`http://${HOST}/api/v1${path}`, { method, headers: { host }, signal });
  return serveRest(kernel, request, new URL(request.url).pathname.replace("/api/v1", ""));
}

test("HEAD answers as GET does, without a body, and opens no stream", async () => {
  const listen = vi.spyOn(kernel.doorbell, "listen");
  const paths = ["/projects", "/projects/p1/cards?limit=2", "/projects/gone", "/projects/p1/cards?limit=x", "/nowhere"];
  for (const path of [...paths, "/openapi.json", "/health", "/projects/p1/events", "/projects/p1/events?after=zzz"]) {
    const head = await ask("HEAD", path);
    expect([path, head.body]).toEqual([path, null]);
    expect(listen).not.toHaveBeenCalled();
    const ended = new AbortController();
    const got = await ask("GET", path, { signal: ended.signal });
    expect([path, head.status, [...head.headers]]).toEqual([path, got.status, [...got.headers]]);
    ended.abort();
    listen.mockClear();
  }
  expect((await ask("HEAD", "/projects/p1/pmo/launch_principal:call")).status).toBe(405);
});

test.each([
  ["/projects", "GET, POST, HEAD, OPTIONS"],
  ["/projects/none-such/imports", "POST, OPTIONS"],
  ["/projects/p1/artifacts/logs/a/b", "PUT, GET, HEAD, DELETE, OPTIONS"],
])("OPTIONS of %s lists what that path takes", async (path, allow) => {
  const answer = await ask("OPTIONS", path);
  expect([answer.status, answer.headers.get("allow"), answer.body]).toEqual([204, allow, null]);
  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect((await ask("OPTIONS", path, { host: "evil.example" })).status).toBe(403);
});
