// Where tool calls may go, and which secrets they may send. Anyone who can write to a project can write tools and profiles,
// so allowed addresses and secrets come from the server's configuration only.
import { isRecord } from "./is-record";

export type Outbound = {
  /** Origins from the configuration. Nothing else may be called, not even loopback. */
  origins: readonly string[];
  /** The value of an environment variable that may be sent to this origin; undefined = there is none. */
  secret: (name: string, origin: string) => string | undefined;
};

/** Nothing may be called. */
export const nowhere: Outbound = { origins: [], secret: () => undefined };

/**
 * Every request made for a tool or a profile carries it, and Switchyard's web servers refuse such requests: a process
 * knows its own port, but not the other processes' ports or the names a proxy gives them.
 */
export const TOOL_MARK = "x-switchyard-tool";

/** Why it may not be called, with the remedy; null = it may. A URL's origin normalises the spelling of an address. */
export function refusalOf(outbound: Outbound, url: URL): string | null {
  if (outbound.origins.includes(url.origin)) return null;
  return `${url.origin} is not an origin that tools may call; to allow it, add ${url.origin} to SWITCHYARD_TOOL_ORIGINS for web servers and workers`;
}

const REFERENCE = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Names of the variables that a text refers to as `${env:NAME}`. */
const referencesIn = (text: string): string[] => [...text.matchAll(REFERENCE)].map(([, name = ""]) => name);

/** The text with its references filled in; `missing` = names without a value. */
export function fillReferences(
  text: string,
  lookUp: (name: string) => string | undefined,
): { text: string; values: string[]; missing: string[] } {
  const values: string[] = [];
  const missing: string[] = [];
  const filled = text.replace(REFERENCE, (_whole, name: string) => {
    const value = lookUp(name);
    if (value === undefined) missing.push(name);
    else values.push(value);
    return value ?? "";
  });
  return { text: filled, values, missing };
}

/** A shorter value is not a secret, and removing it would damage every text. */
const SECRET_LENGTH_MIN = 8;

/** The text without secrets: a service that gets one may send it back. */
export const strikeOut = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= SECRET_LENGTH_MIN)
    // Longest first: one secret may be the beginning of another, whose end would stay.
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);

const NUMBER = /^[\d.eE+-]+$/;

/**
 * The same of JSON, which stays JSON: a number with a secret in it becomes text. Struck out where it stood, a number of an
 * account made an answer unreadable, and every tool of its server with it.
 */
export function strikeOutJson(text: string, secrets: readonly string[]): string {
  const numbers = secrets.filter(
    (secret) => secret.length >= SECRET_LENGTH_MIN && NUMBER.test(secret) && text.includes(secret),
  );
  const inStrings = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  return strikeOut(numbers.length === 0 ? text : withoutNumbers(text, numbers), inStrings);
}

function withoutNumbers(text: string, secrets: readonly string[]): string {
  try {
    const strike = (_: string, part: unknown) =>
      typeof part === "number" && secrets.some((secret) => String(part).includes(secret)) ? "[secret]" : part;
    return JSON.stringify(JSON.parse(text, strike));
  } catch {
    // Not JSON, and read as text.
    return text;
  }
}

const reserved = [
  "host",
  "connection",
  "content-length",
  "content-type",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "expect",
  "idempotency-key",
  "traceparent",
  "accept",
  "mcp-session-id",
  "mcp-protocol-version",
  TOOL_MARK,
];

/** What is wrong with the headers of a tool or a profile; null = nothing. A plain-text secret would be stored. */
export function faultInHeaders(headers: unknown): string | null {
  if (headers === undefined) return null;
  if (!isRecord(headers)) return "must map names to texts";
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name)) return `${name.slice(0, 64)} is not a header name`;
    if (reserved.includes(name.toLowerCase())) return `${name} is set by Switchyard; leave it out`;
    if (typeof value !== "string" || !/^[\x20-\x7e]{0,2000}$/.test(value)) return `${name} must be one line of text`;
    if (/auth|cookie|token|key|secret|password/i.test(name) && referencesIn(value).length === 0)
      return `${name} looks like a secret, and text written here is stored: write \${env:NAME}, and list NAME in the server's SWITCHYARD_TOOL_ENV`;
  }
  return null;
}
