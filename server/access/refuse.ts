// The door of every handler: whose name was called, and whether the caller may come in.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Env, env } from "../env";
import { type Headers, type Refusal, refuseForeign } from "../guard";
import { log } from "../log";
import { attempts } from "./attempts";
import { addressOf } from "./peer";
import { isSession, readSession } from "./session";
import { isToken } from "./token";

type Settings = Pick<Env, "HOST" | "PORT" | "SWITCHYARD_TOKEN" | "SWITCHYARD_ORIGINS">;

/** null when the request may come in: by its token, by its session, or because no token is set. */
export async function refuse(headers: Headers, settings: Settings = env()): Promise<Refusal | null> {
  const foreign = refuseForeign(headers, settings);
  if (foreign || settings.SWITCHYARD_TOKEN === undefined) return foreign;
  const given = bearerOf(headers);
  if (given !== null) return refuseToken(headers, given, { settings, what: fingerprint(given) });
  return hasSession(headers, settings) ? null : stranger;
}

/** Pages ask for this alone: a token is never tried on them. */
export function hasSession(headers: Headers, settings: Settings = env()): boolean {
  const token = settings.SWITCHYARD_TOKEN;
  return token === undefined || isSession(readSession(headers, token) ?? "", token);
}

/** Whether it brings anything to come in with, right or wrong. */
export const isAnonymous = (headers: Headers): boolean => bearerOf(headers) === null && !hasSession(headers);

export type Trial = { settings: Settings /** Tells one wrong token from another; see Attempts. */; what?: string };

/** Compares, counts and slows down: every token from outside comes through here. */
export async function refuseToken(headers: Headers, given: string, { settings, what }: Trial): Promise<Refusal | null> {
  const address = addressOf(headers, settings);
  const waitS = attempts().waitS(address);
  if (waitS > 0)
    return {
      status: 429,
      error_code: "auth_failed",
      error_message: `too many wrong tokens came from ${address}; try again in ${waitS} s`,
      headers: { "retry-after": String(waitS) },
    };
  if (settings.SWITCHYARD_TOKEN === undefined || isToken(given, settings.SWITCHYARD_TOKEN)) return null;
  attempts().fail(address, what);
  log().warn({ address }, "a wrong token was refused");
  await sleep(failureMs);
  return {
    ...stranger,
    error_message:
      "this is not the token of this server; send the value that SWITCHYARD_TOKEN has where it was started",
  };
}

/** As REST answers it. */
export function refusalResponse({ status, error_code, error_message, headers }: Refusal): Response {
  return Response.json({ detail: { error_code, error_message } }, { status, headers });
}

const failureMs = 300;

const stranger: Refusal = {
  status: 401,
  error_code: "auth_failed",
  error_message: "this server asks for its token; send it as `Authorization: Bearer <token>`, or sign in at /sign-in",
  headers: { "www-authenticate": "Bearer" },
};

/** null for other schemes: a proxy in front may have its own. */
function bearerOf(headers: Headers): string | null {
  return (
    headers
      .get("authorization")
      ?.match(/^bearer +(.*)$/i)?.[1]
      ?.trim() ?? null
  );
}

const fingerprint = (given: string) => createHash("sha256").update(given).digest("base64url");
