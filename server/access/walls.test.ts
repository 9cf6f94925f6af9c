// The headers of an answer. e2e/walls.spec.ts tests on the product itself that every page and route has them.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { parseEnv } from "../env";
import { raiseWalls, type Wall, wallsOf } from "./walls";

const wall = (more: Partial<Wall>) => wallsOf({ path: "/", nonce: "bm9uY2U=", isHttps: false, isDev: false, ...more });
const policy = (more: Partial<Wall>) => wall(more)["Content-Security-Policy"] ?? "";

test("a page runs only its own scripts, connects only to its own server, and cannot be framed", () => {
  expect(policy({}).split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'self' 'nonce-bm9uY2U=' 'strict-dynamic'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]);
});

test("an answer for programs cannot act as a document", () => {
  for (const path of ["/api/v1/projects", "/api/trpc/health.get", "/api/session"])
    expect(policy({ path })).toBe(
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
    );
});

test("only development may evaluate code", () => {
  expect(policy({ isDev: true })).toContain("'unsafe-eval'");
  expect(policy({})).not.toContain("unsafe-eval");
});

test("what may be private is never cached, built files may be", () => {
  for (const path of ["/", "/p/demo", "/api/v1/projects", "/_next/image", "/_next/staticky"])
    expect(wall({ path })["Cache-Control"]).toBe("no-store");
  expect(wall({ path: "/_next/static/chunks/a.js" })["Cache-Control"]).toBeUndefined();
});

test("a browser that came over https is told to stay there, another is not", () => {
  expect(wall({ isHttps: true })["Strict-Transport-Security"]).toBe("max-age=31536000");
  expect(wall({})["Strict-Transport-Security"]).toBeUndefined();
});

test("each answer has them before any handler runs, with a nonce and an address that no caller can set", async () => {
  raiseWalls({ isDev: false, settings: parseEnv({}) });
  const server = http.createServer((request, response) => response.end(JSON.stringify(request.headers)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const forged = {
    "x-switchyard-peer": "1.1.1.1",
    "x-nonce": "mine",
    "content-security-policy": "script-src 'nonce-mine'",
  };
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/p/demo?x=/api/`, { headers: forged });
    return { seen: await answer.json(), headers: answer.headers };
  };
  const [one, two] = [await ask(), await ask()];
  expect(one.seen["x-switchyard-peer"]).toBe("127.0.0.1");
  expect(one.seen["content-security-policy"]).toBe(one.headers.get("content-security-policy"));
  expect(one.headers.get("content-security-policy")).toContain(`'nonce-${one.seen["x-nonce"]}'`);
  expect(one.seen["x-nonce"]).toMatch(/^[A-Za-z0-9+/]{24}$/);
  expect(one.seen["x-nonce"]).not.toBe(two.seen["x-nonce"]);
  expect(one.headers.get("x-frame-options")).toBe("DENY");
  await new Promise((resolve) => server.close(resolve));
});

test("an address that is sent whole has the headers of the path in it, and the host", async () => {
  raiseWalls({ isDev: false, settings: parseEnv({}) });
  const server = http.createServer((request, response) => response.end(`${request.headers.host}${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const whole = { port, path: "http://yard.example/api/v1/health", headers: { host: "a", connection: "close" } };
  const response = await new Promise<http.IncomingMessage>((resolve) => http.get(whole, resolve));
  expect(response.headers["content-security-policy"]).toMatch(/; sandbox$/);
  expect((await response.toArray()).join("")).toBe("yard.example/api/v1/health");
  await new Promise((done) => server.close(done));
});
