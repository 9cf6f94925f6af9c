// Until there is authentication, the browser's same-origin rule is the only wall: a page of another site must not reach
// this server by its own name (DNS rebinding) nor post to it across sites.
import { env } from "./env";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

export type Refusal = { status: 403; error_code: "auth_failed"; error_message: string };

/** null when Host (and Origin, where sent) are this server's own. */
export function refuseForeign(headers: { get: (name: string) => string | null }): Refusal | null {
  const host = headers.get("host") ?? "";
  if (!isOwn(host))
    return refusal(`Host "${host.slice(0, 200)}" is not this server's; use http://127.0.0.1:${env().PORT}`);
  const origin = headers.get("origin");
  if (origin !== null && !(URL.canParse(origin) && isOwn(new URL(origin).host) && new URL(origin).protocol === "http:"))
    return refusal(
      `Origin "${origin.slice(0, 200)}" is not this server's; send the request from its own pages or without an Origin`,
    );
  const site = headers.get("sec-fetch-site");
  if (site === "cross-site") return refusal("a page of another site sent this request; open Switchyard itself");
  return null;
}

function isOwn(host: string): boolean {
  const at = host.match(/^(.*?)(?::(\d+))?$/);
  return LOOPBACK.has((at?.[1] ?? "").toLowerCase()) && Number(at?.[2] ?? 80) === env().PORT;
}

const refusal = (error_message: string): Refusal => ({ status: 403, error_code: "auth_failed", error_message });
