// REST as a hostile program uses it: through the web server if there is one, otherwise through the same entry in this process.
// Nothing is retried: a hostile program does not wait.
import { env } from "@/server/env";
import { serveRest } from "@/server/interop/rest/serve";
import type { Kernel } from "@/server/kernel/kernel";

/** 503 also if there was no answer. */
export type Answer = { status: number; json: Record<string, unknown> };
export type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

export function askOf(kernel: Kernel, web_url: string | null): Ask {
  const origin = web_url ?? `http://127.0.0.1:${env().PORT}`;
  return async (method, path, body) => {
    const init = {
      method,
      headers: { "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    };
    const url = `${origin}/api/v1${path}`;
    try {
      const response = web_url === null ? await inProcess(kernel, url, init) : await fetch(url, init);
      const json: unknown = JSON.parse((await response.text()) || "{}");
      return { status: response.status, json: json as Answer["json"] };
    } catch (error) {
      return { status: 503, json: { away: String(error) } };
    }
  };
}

function inProcess(kernel: Kernel, url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  const { host, pathname } = new URL(url);
  headers.set("host", host);
  return serveRest(kernel, new Request(url, { ...init, headers }), pathname.replace("/api/v1", ""));
}
