// What each message of secretlint's rules is here: its kind, and which part of what was reported is the secret.
import type { SecretLintRuleReportDescriptor } from "@secretlint/types";
import type { Hit } from "./hits";
import type { RedactionKind } from "./ruleset";

/** Rules that are not run, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "@secretlint/secretlint-rule-filter-comments":
    "a comment in the text would switch redaction off, and models write the text",
  "@secretlint/secretlint-rule-gcp":
    "it looks at files by name: it decodes .p12 files later than at once, and reports a .json file as a whole. private_key covers the key in it",
};

export const KINDS: Readonly<Record<string, RedactionKind>> = {
  AWSSecretAccessKey: "env_secret",
  PrivateKey: "private_key",
  PackageJSON_xOauthToken: "github_token",
  NPM_ACCESS_TOKEN: "generic_api_key",
  BasicAuth: "url_password",
  SLACK_TOKEN: "generic_api_key",
  IncomingWebhook: "generic_api_key",
  SENDGRID_KEY: "generic_api_key",
  SHOPIFY_KEY: "generic_api_key",
  GITHUB_TOKEN: "github_token",
  OPENAI_TOKEN: "generic_api_key",
  ANTHROPIC_API_KEY: "generic_api_key",
  LINEAR_API_TOKEN: "generic_api_key",
  OPS_TOKEN: "generic_api_key",
  MongoDBConnection: "url_password",
  MySQLConnection: "url_password",
  PostgreSQLConnection: "url_password",
};

/** What was reported, as a hit of ours. */
export function hitOf(text: string, { message, range }: SecretLintRuleReportDescriptor): Hit {
  const kind = KINDS[message.messageId];
  if (kind === undefined) throw new Error(`secretlint reports ${message.messageId}, which has no kind here`);
  const [from, to] = partOf(text, message, range[0]) ?? range;
  return { kind, from, to };
}

type Part = readonly [from: number, to: number];

function partOf(text: string, { messageId, data }: SecretLintRuleReportDescriptor["message"], at: number): Part | null {
  // Their ranges have the length of the secret, but begin where its name does.
  if (messageId === "AWSSecretAccessKey") return placeOf(text, data?.KEY, at);
  if (messageId === "PackageJSON_xOauthToken") return lastPart(text, placeOf(text, data?.TOKEN, at));
  // They report the address; host and database are no secrets.
  if (KINDS[messageId] !== "url_password") return null;
  const user = /^[^/]*:\/\/[^:/\s]{1,256}:/.exec(text.slice(at, at + 512));
  if (!user) return null;
  const from = at + user[0].length;
  const host = /^[^/\s]*(?=@)/.exec(text.slice(from, from + 512));
  return host ? [from, from + host[0].length] : null;
}

function placeOf(text: string, secret: unknown, at: number): Part | null {
  const from = typeof secret === "string" && secret !== "" ? text.indexOf(secret, at) : -1;
  return from < 0 ? null : [from, from + String(secret).length];
}

/** The rule takes all from the first address of a line. */
function lastPart(text: string, part: Part | null): Part | null {
  if (!part) return null;
  const before = /^.*[\s/]/.exec(text.slice(...part));
  return [part[0] + (before?.[0].length ?? 0), part[1]];
}
