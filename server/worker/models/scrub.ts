// Removes keys from messages: anything a provider, a gateway or Node says in an error may repeat the key it was sent.
import type { Env } from "@/server/env";

const secretNames = /_(KEY|TOKEN)$/;
/** "EMPTY" and "ollama" mean that there is no key, and are words in many messages. */
const LENGTH_MIN = 8;

/** Replaces every key of this environment, also URL-encoded, in JSON, or as basic credentials. */
export function scrubberOf(env: Env): (text: string) => string {
  const named = Object.entries(env).flatMap(([name, value]) =>
    secretNames.test(name) && typeof value === "string" ? [value] : [],
  );
  const secrets = [...named, ...env.SWITCHYARD_MODEL_KEYS.map(({ key }) => key)].filter(
    (secret) => secret.length >= LENGTH_MIN,
  );
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
  ]);
  // The longest first: one key may be the beginning of another.
  const ordered = [...new Set(spellings)].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((clean, secret) => clean.replaceAll(secret, "***"), text);
}
