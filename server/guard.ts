// This server enforces the browser's same-origin rule itself: a page of another site must not reach it under a foreign name
// (DNS rebinding) or post to it across sites. Without a token this is the only protection.
import type { ErrorCode } from "./contract/failure-codes";
import { type Env, env } from "./env";

export type Headers = { get: (name: string) => string | null };
export type Names = Pick<Env, "HOST" | "PORT" | "SWITCHYARD_TOKEN" | "SWITCHYARD_ORIGINS">;

export type Refusal = {
  status: 401 | 403 | 429 | 503;
  error_code: ErrorCode;
  error_message: string;
  /** Sent with the refusal. */
  headers?: Record<string, string>;
};

/** null if Host (and Origin, if sent) are this server's own. */
export function refuseForeign(headers: Headers, names: Names = env()): Refusal | null {
  const host = headers.get("host") ?? "";
  if (!isOwnHost(host, names))
    return refusal(`Host "${shown(host)}" is not this server's; use ${urlsOf(names).join(" or ")}${remedy(names)}`);
  const origin = headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, host, names))
    return refusal(
      `Origin "${shown(origin)}" is not this server's; send the request from its own pages or without an Origin${remedy(names)}`,
    );
  if (headers.get("sec-fetch-site") === "cross-site")
    return refusal("this request came from a page of another site; open Switchyard directly");
  return refuseFramed(headers);
}

/** Someone who clicks on a framed page sees another one. Browsers say what they will embed an answer in. */
function refuseFramed(headers: Headers): Refusal | null {
  if (!framing.has(headers.get("sec-fetch-dest")?.toLowerCase() ?? "")) return null;
  return refusal("Switchyard can't be shown inside another page; open it in its own tab");
}

/** Where it can be opened. A wildcard is not an address to open, so it is shown as loopback. */
export function urlsOf({ HOST, PORT, SWITCHYARD_ORIGINS }: Names): string[] {
  const host = HOST === "0.0.0.0" ? "127.0.0.1" : HOST === "::" ? "::1" : HOST;
  return [`http://${bracketed(host)}:${PORT}`, ...SWITCHYARD_ORIGINS];
}

/** Whether the request's host name is that of an https origin only. The product itself speaks no TLS. */
export function isCalledByTls(headers: Headers, names: Pick<Env, "HOST" | "PORT" | "SWITCHYARD_ORIGINS">): boolean {
  const host = headers.get("host") ?? "";
  if (isDirect(host, names)) return false;
  const called = names.SWITCHYARD_ORIGINS.filter(
    (origin) => originOf(`${new URL(origin).protocol}//${host}`) === origin,
  );
  return called.length > 0 && called.every((origin) => origin.startsWith("https:"));
}

const framing = new Set(["iframe", "frame", "fencedframe", "embed", "object"]);
const loopback = ["127.0.0.1", "localhost", "[::1]"];

function isOwnHost(host: string, names: Names): boolean {
  if (isDirect(host, names)) return true;
  // A Host may include a default port or not.
  return names.SWITCHYARD_ORIGINS.some((origin) => originOf(`${new URL(origin).protocol}//${host}`) === origin);
}

/** Listed, or exactly the name that was called: another program may listen on the same port of [::1]. */
function isOwnOrigin(origin: string, host: string, names: Names): boolean {
  if (names.SWITCHYARD_ORIGINS.includes(origin)) return true;
  return isDirect(host, names) && originOf(`http://${host}`) === origin;
}

/** The address it listens on, or loopback, through which a local proxy reaches it. */
function isDirect(host: string, { HOST, PORT }: Pick<Env, "HOST" | "PORT">): boolean {
  const at = host.toLowerCase().match(/^(.*?)(?::(\d+))?$/);
  return [...loopback, bracketed(HOST).toLowerCase()].includes(at?.[1] ?? "") && Number(at?.[2] ?? 80) === PORT;
}

/** null if it is more than a scheme, a name and a port. */
function originOf(text: string): string | null {
  return /^https?:\/\/[\w.:[\]-]+$/i.test(text) && URL.canParse(text) ? new URL(text).origin : null;
}

const bracketed = (host: string) => (host.includes(":") ? `[${host}]` : host);
const remedy = ({ SWITCHYARD_TOKEN }: Names) =>
  `, or name its origin in SWITCHYARD_ORIGINS${SWITCHYARD_TOKEN === undefined ? ", which needs SWITCHYARD_TOKEN" : ""}`;
const shown = (value: string) => value.slice(0, 200);
const refusal = (error_message: string): Refusal => ({ status: 403, error_code: "auth_failed", error_message });
