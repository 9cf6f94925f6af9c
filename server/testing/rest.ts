// REST as a program meets it: real requests to the interface's own door, no network in between.
import { expect } from "vitest";
import * as z from "zod";
import { env } from "@/server/env";
import { routes } from "@/server/interop/rest/routes";
import { serveRest } from "@/server/interop/rest/serve";
import type { Kernel } from "@/server/kernel/kernel";
import { countRows } from "./kernel";

export type RestOptions = { body?: unknown; raw?: string; type?: string; headers?: Record<string, string> };
// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever JSON came; tests compare it to what they expect
export type RestAnswer = { status: number; json: any; headers: Headers };
export type Refusal = { status: number; error_code: string; error_message: string; detail?: Record<string, unknown> };

export function restOf(kernel: () => Kernel) {
  const HOST = `127.0.0.1:${env().PORT}`;
  async function send(method: string, path: string, options: RestOptions = {}): Promise<RestAnswer> {
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const request = new Request(`http://${HOST}/api/v1${path}`, {
      method,
      body,
      headers: { host: HOST, "content-type": options.type ?? "application/json", ...options.headers },
    });
    const response = await serveRest(kernel(), request, new URL(request.url).pathname.replace("/api/v1", ""));
    const text = await response.text();
    const json = text === "" ? undefined : JSON.parse(text);
    if (response.ok) expectDeclared(method, path, response.status, json);
    return { status: response.status, json, headers: response.headers };
  }
  const post = (path: string, body: unknown, headers?: Record<string, string>) => send("POST", path, { body, headers });
  return {
    send,
    post,
    get: (path: string) => send("GET", path),
    /** The answer's body; fails on a refusal. */
    ok: async (method: string, path: string, body?: unknown) => {
      const { status, json } = await send(method, path, { body });
      if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(json)}`);
      return json;
    },
    /** The refusal, after checking that it left nothing behind except the journal's note of a late write. */
    refused: async (method: string, path: string, options: RestOptions = {}): Promise<Refusal> => {
      const before = withoutLate(await countRows(kernel()));
      const { status, json } = await send(method, path, options);
      expect(json?.detail, `${method} ${path} answered ${status}`).toMatchObject({
        error_code: expect.any(String),
        error_message: expect.any(String),
      });
      expect(withoutLate(await countRows(kernel()))).toEqual(before);
      return { status, ...json.detail };
    },
  };
}

const shapes = routes.map(({ method, path, deep, answer, status, sameStatus }) => ({
  method,
  status,
  sameStatus,
  pattern: new RegExp(
    `^${path.replace(/\./g, "\\.").replace(/\{(\w+)\}/g, (_all, name) => (name === deep ? ".+" : "[^/]+"))}$`,
  ),
  answer,
}));

const nothing = z.undefined();

/** Every answer has the shape that the OpenAPI document declares: a field that is missing, or is not declared, fails. */
function expectDeclared(method: string, path: string, status: number, json: unknown): void {
  const at = path.replace(/\?.*/, "");
  const route = shapes.find((one) => one.method === method && one.pattern.test(at));
  const parsed = (route?.answer ?? nothing).safeParse(json);
  expect([route?.status ?? 200, route?.sameStatus], `${method} ${at} answered ${status}`).toContain(status);
  const said = `${method} ${at} answered what its route does not declare`;
  expect(parsed.error?.issues, `${said}: ${JSON.stringify(json)?.slice(0, 1000)}`).toBeUndefined();
}

/** The journal notes a late write, and the text index takes in what was written before. */
const withoutLate = ({
  "state.journal_packs": _late,
  "public.card_search": _index,
  ...counts
}: Record<string, number>) => counts;
