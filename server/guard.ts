// The browser's same-origin rule is a wall of this server's own: a page of another site must not reach it by a name that
// is not its own (DNS rebinding) nor post to it across sites. Without a token it is the only one.
import type { ErrorCode } from "./contract/failure-codes";
import { type Env, env } from "./env";

export type Headers = { get: (name: string) => string | null };
export type Names = Pick<Env, "HOST" | "PORT" | "SWITCHYARD_TOKEN" | "SWITCHYARD_ORIGINS">;

export type Refusal = {
  status: 401 | 403 | 429 | 503;
  error_code: ErrorCode;
  error_message: string;
  /** To be sent with it. */
  headers?: Record<string, string>;
};

/** null when Host (and Origin, where sent) are this server's own. */
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

/** A page in a frame is clicked by people who see another one. Browsers say what they will put an answer into. */
function refuseFramed(headers: Headers): Refusal | null {
  if (!framing.has(headers.get("sec-fetch-dest")?.toLowerCase() ?? "")) return null;
  return refusal("Switchyard can't be shown inside another page; open it in its own tab");
}

/** Where it can be opened. A wildcard is no address to open, so it is said as loopback. */
export function urlsOf({ HOST, PORT, SWITCHYARD_ORIGINS }: Names): string[] {
  const host = HOST === "0.0.0.0" ? "127.0.0.1" : HOST === "::" ? "::1" : HOST;
  return [`http://${bracketed(host)}:${PORT}`, ...SWITCHYARD_ORIGINS];
}

/** Whether the name that was called is an https origin's, and nothing else's. The product itself speaks no TLS. */
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
  // A Host names a default port or leaves it out, as the client likes.
  return names.SWITCHYARD_ORIGINS.some((origin) => originOf(`${new URL(origin).protocol}//${host}`) === origin);
}

/** Named, or the very name that was called: whoever listens on the same port of [::1] is not who listens on 127.0.0.1. */
function isOwnOrigin(origin: string, host: string, names: Names): boolean {
  if (names.SWITCHYARD_ORIGINS.includes(origin)) return true;
  return isDirect(host, names) && originOf(`http://${host}`) === origin;
}

/** The address it listens on, or loopback, which reaches it also from a proxy beside it. */
function isDirect(host: string, { HOST, PORT }: Pick<Env, "HOST" | "PORT">): boolean {
  const at = host.toLowerCase().match(/^(.*?)(?::(\d+))?$/);
  return [...loopback, bracketed(HOST).toLowerCase()].includes(at?.[1] ?? "") && Number(at?.[2] ?? 80) === PORT;
}

/** null for what is more than a scheme, a name and a port. */
function originOf(text: string): string | null {
  return /^https?:\/\/[\w.:[\]-]+$/i.test(text) && URL.canParse(text) ? new URL(text).origin : null;
}

const bracketed = (host: string) => (host.includes(":") ? `[${host}]` : host);
const remedy = ({ SWITCHYARD_TOKEN }: Names) =>
  `, or name its origin in SWITCHYARD_ORIGINS${SWITCHYARD_TOKEN === undefined ? ", which needs SWITCHYARD_TOKEN" : ""}`;
const shown = (value: string) => value.slice(0, 200);
const refusal = (error_message: string): Refusal => ({ status: 403, error_code: "auth_failed", error_message });
