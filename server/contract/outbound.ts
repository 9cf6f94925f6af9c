// Where calls of tools may go, and what they may carry. A tool and a profile are data: anybody who may write into a project
// writes them, so the addresses and the secrets are the server's configuration, never theirs.
import { isRecord } from "./is-record";

export type Outbound = {
  /** Origins that the configuration names; nothing else may be called, loopback included. */
  origins: readonly string[];
  /** The value of an environment variable that may be sent to this origin; undefined = there is none. */
  secret: (name: string, origin: string) => string | undefined;
};

/** Nothing may be called. */
export const nowhere: Outbound = { origins: [], secret: () => undefined };

/**
 * Every request on the word of a tool or a profile carries it, and no web server of Switchyard's takes one that does: a
 * process knows its own port, but not those of the other processes, nor the names that a proxy has for them.
 */
export const TOOL_MARK = "x-switchyard-tool";

/** Why nothing is sent there, with the remedy; null = it may be called. A URL's origin has one spelling of each address. */
export function refusalOf(outbound: Outbound, url: URL): string | null {
  if (outbound.origins.includes(url.origin)) return null;
  return `${url.origin} is not among the origins that tools may call; whoever runs the server adds ${url.origin} to SWITCHYARD_TOOL_ORIGINS, for web servers and workers alike`;
}

const REFERENCE = /\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Names of the environment variables that a text refers to as `${env:NAME}`. */
const referencesIn = (text: string): string[] => [...text.matchAll(REFERENCE)].map(([, name = ""]) => name);

/** The text with its references filled in; `missing` = names that have no value for it. */
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

/** What is shorter is no secret, and striking it out would spoil every text. */
const SECRET_LENGTH_MIN = 8;

/** The text without secrets: whoever is sent one may send it back. */
export const strikeOut = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= SECRET_LENGTH_MIN)
    // One may begin like another, whose end would be left.
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);

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

/** What is wrong with headers that a tool or a profile gives; null = nothing. A secret in plain text would be stored. */
export function faultInHeaders(headers: unknown): string | null {
  if (headers === undefined) return null;
  if (!isRecord(headers)) return "is a map of names to texts";
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name)) return `${name.slice(0, 64)} is no name of a header`;
    if (reserved.includes(name.toLowerCase())) return `${name} is set by Switchyard; leave it out`;
    if (typeof value !== "string" || !/^[\x20-\x7e]{0,2000}$/.test(value)) return `${name} is a text of one line`;
    if (/auth|cookie|token|key|secret|password/i.test(name) && referencesIn(value).length === 0)
      return `${name} reads like a secret, and what stands here is stored: write \${env:NAME}, and let whoever runs the server name NAME in SWITCHYARD_TOOL_ENV`;
  }
  return null;
}
