// A session is a random id and a date of expiry, sealed with a key derived from the token: a forged one is refused
// without asking the database, and a new token ends all of them. Whether it was signed out: see live-sessions.ts.
import { createHmac, randomBytes, scryptSync, timingSafeEqual } from "node:crypto";
import type { Headers } from "../guard";

export const sessionLifeS = 30 * 24 * 3600;

export type Session = { session_id: string /** Of the cookie. */; value: string };
export type CookieKind = { /** Whether the browser came over https. */ isSecure: boolean };

/** Its value is `<id>.<seconds since 1970>.<seal>`. */
export function makeSession(token: string, now = Date.now()): Session {
  const session_id = randomBytes(24).toString("base64url");
  const expires = String(Math.floor(now / 1000) + sessionLifeS);
  return { session_id, value: `${session_id}.${expires}.${seal(token, session_id, expires)}` };
}

/** The id of a session that was sealed here and has not expired; null for everything else. */
export function openSession(value: string, token: string, now = Date.now()): string | null {
  const at = value.match(/^([\w-]{32})\.(\d{1,12})\.([\w-]{43})$/);
  if (!at) return null;
  const [, session_id = "", expires = "", given = ""] = at;
  const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(seal(token, session_id, expires)));
  return isOurs && Number(expires) * 1000 > now ? session_id : null;
}

/** The value of the session cookie; null if there is none. */
export function readSession(headers: Headers, token: string, kind: CookieKind): string | null {
  const name = `${nameOf(token, kind)}=`;
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const text = pair.trim();
    if (text.startsWith(name)) return text.slice(name.length);
  }
  return null;
}

/** A Set-Cookie header: for a new session, or without a value to end it. */
export function sessionCookie(token: string, { isSecure, value = "" }: CookieKind & { value?: string }): string {
  const life = value === "" ? 0 : sessionLifeS;
  const secure = isSecure ? "; Secure" : "";
  return `${nameOf(token, { isSecure })}=${value}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`;
}

// Cookies ignore ports: two instances on one machine signed each other out when they shared a name. With the prefix a
// browser accepts it only over https and from no other host under the same domain; plain http cannot use it.
function nameOf(token: string, { isSecure }: CookieKind): string {
  const own = createHmac("sha256", keyOf(token)).update("cookie name").digest("hex").slice(0, 8);
  return `${isSecure ? "__Host-" : ""}switchyard_${own}`;
}

const seal = (token: string, session_id: string, expires: string) =>
  createHmac("sha256", keyOf(token)).update(`session ${session_id} ${expires}`).digest("base64url");

// Slow on purpose (about 50 ms, once per process): a leaked cookie must not allow quick tests of guessed tokens.
let kept: { token: string; key: Buffer } | undefined;
function keyOf(token: string): Buffer {
  if (kept?.token !== token) kept = { token, key: scryptSync(token, "switchyard session", 32) };
  return kept.key;
}
