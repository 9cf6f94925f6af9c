// The headers that every answer must have, whatever produces it, and every address to check: read from the folder of the
// pages and from the API's own description, so that what is added later is checked as well.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { expect } from "./fixtures";

export type Answer = { status: number; headers: http.IncomingHttpHeaders; text: string };
export type Ask = { method?: string; headers?: Record<string, string>; body?: string };

/**
 * Not with fetch, which follows redirects, cannot send a foreign Host, and waits for streams to end. Each on a connection of its
 * own: on a slow machine a kept one may be closed by the server just as it is used again.
 */
export function ask(url: string, at: string, { method = "GET", headers = {}, body }: Ask = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path: at, method, headers, agent: false }, (response) => {
      let text = "";
      const done = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        if (response.headers["content-type"]?.startsWith("text/event-stream")) request.destroy();
      });
      response.on("close", done);
    });
    request.on("error", reject);
    request.end(body);
  });
}

export function expectWalls({ headers, status }: Answer, at: string): void {
  const policy = String(headers["content-security-policy"] ?? "");
  const isForPrograms = at.split("?")[0]?.startsWith("/api/");
  const seen = {
    at,
    status,
    frames: headers["x-frame-options"],
    ancestors: policy.includes("frame-ancestors 'none'"),
    defaults: policy.startsWith("default-src 'none'"),
    scripts: policy.match(/script-src ([^;]*)/)?.[1]?.replace(/'nonce-[A-Za-z0-9+/]{24}'/, "'nonce'"),
    type: headers["x-content-type-options"],
    referrer: headers["referrer-policy"],
    opener: headers["cross-origin-opener-policy"],
    resource: headers["cross-origin-resource-policy"],
    permissions: String(headers["permissions-policy"]).includes("camera=()"),
    isKept: !/no-store/.test(String(headers["cache-control"])),
    software: headers["x-powered-by"],
  };
  expect(seen).toEqual({
    at,
    status,
    frames: "DENY",
    ancestors: true,
    defaults: true,
    scripts: isForPrograms ? undefined : "'self' 'nonce' 'strict-dynamic'",
    type: "nosniff",
    referrer: "same-origin",
    opener: "same-origin",
    resource: "same-origin",
    permissions: true,
    isKept: at.startsWith("/_next/static/") && status === 200,
    software: undefined,
  });
}

const app = path.join(import.meta.dirname, "../app");

/** Addresses of all pages; `ids` fills the parameters in brackets, and a parameter without a value gets an unknown id. */
export function pagesOf(ids: Record<string, string>): string[] {
  const files = fs
    .readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => /(^|\/)page\.tsx$/.test(file));
  return files.map((file) => `/${filled(path.dirname(file).replace(/^\.$/, ""), /\[(\w+)\]/g, ids)}`);
}

/** Everything under /api that a file serves; parameters get an unknown id. */
export function handlersOf(): string[] {
  const files = fs.readdirSync(app, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith("route.ts"));
  return files.map((file) => `/${path.dirname(file).replace(/\[+[.\w]+\]+/g, "nowhere")}`);
}

export type Route = { method: string; at: string };

/** Every method of every path of the description. */
export async function routesOf(url: string, headers: Record<string, string> = {}): Promise<Route[]> {
  const { paths } = JSON.parse((await ask(url, "/api/v1/openapi.json", { headers })).text) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(paths).flatMap(([at, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase(),
      at: `/api/v1${filled(at, /\{(\w+)\}/g, {})}`,
    })),
  );
}

function filled(at: string, hole: RegExp, ids: Record<string, string>): string {
  return at.replace(hole, (_all, name: string) => ids[name] ?? "nowhere");
}
