// A session is a date of expiry, sealed with a key made of the token: no table, any web process can read it, and another
// token ends every one. See docs/decisions/token.md.
import { createHmac, scryptSync, timingSafeEqual } from "node:crypto";
import type { Headers } from "../guard";

const lifeS = 30 * 24 * 3600;

/** `<seconds since 1970>.<seal>` */
export function sealSession(token: string, now = Date.now()): string {
  const expires = String(Math.floor(now / 1000) + lifeS);
  return `${expires}.${seal(token, expires)}`;
}

export function isSession(value: string, token: string, now = Date.now()): boolean {
  const at = value.match(/^(\d{1,12})\.([\w-]{43})$/);
  if (!at) return false;
  const [, expires = "", given = ""] = at;
  return timingSafeEqual(Buffer.from(given), Buffer.from(seal(token, expires))) && Number(expires) * 1000 > now;
}

/** The value of the session cookie; null without one. */
export function readSession(headers: Headers, token: string): string | null {
  const name = `${nameOf(token)}=`;
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const text = pair.trim();
    if (text.startsWith(name)) return text.slice(name.length);
  }
  return null;
}

/** A Set-Cookie header: of a new session, or with `isOver` of its end. */
export function sessionCookie(token: string, options: { isSecure: boolean; isOver?: boolean }): string {
  const life = options.isOver ? 0 : lifeS;
  const value = options.isOver ? "" : sealSession(token);
  const secure = options.isSecure ? "; Secure" : "";
  return `${nameOf(token)}=${value}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure}`;
}

// Cookies know no ports: two instances on one machine signed each other out while they shared a name.
function nameOf(token: string): string {
  return `switchyard_${createHmac("sha256", keyOf(token)).update("cookie name").digest("hex").slice(0, 8)}`;
}

const seal = (token: string, expires: string) =>
  createHmac("sha256", keyOf(token)).update(`session ${expires}`).digest("base64url");

// Slow on purpose (some 50 ms, once a process): a leaked cookie must be no quick test of guessed tokens.
let kept: { token: string; key: Buffer } | undefined;
function keyOf(token: string): Buffer {
  if (kept?.token !== token) kept = { token, key: scryptSync(token, "switchyard session", 32) };
  return kept.key;
}
