// The check at the start of every handler: the host name and the caller's rights.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Env, env } from "../env";
import { type Headers, type Refusal, refuseForeign } from "../guard";
import { log } from "../log";
import { attempts } from "./attempts";
import { liveSessions } from "./live-sessions";
import { addressOf, isHttps } from "./peer";
import { openSession, readSession } from "./session";
import { isToken } from "./token";

type Settings = Pick<Env, "HOST" | "PORT" | "SWITCHYARD_TOKEN" | "SWITCHYARD_ORIGINS" | "SWITCHYARD_TRUSTED_PROXIES">;

/** null if the request may proceed: by its token, by its session, or because no token is set. */
export async function refuse(headers: Headers, settings: Settings = env()): Promise<Refusal | null> {
  const foreign = refuseForeign(headers, settings);
  if (foreign || settings.SWITCHYARD_TOKEN === undefined) return foreign;
  const given = bearerOf(headers);
  if (given !== null) return refuseToken(headers, given, { settings, what: fingerprint(given) });
  try {
    return (await hasSession(headers, settings)) ? null : stranger;
  } catch (error) {
    log().warn({ err: error }, "a session could not be checked");
    return unchecked;
  }
}

/** Pages check only this: they never try a token. Throws if the database does not answer. */
export async function hasSession(headers: Headers, settings: Settings = env()): Promise<boolean> {
  if (settings.SWITCHYARD_TOKEN === undefined) return true;
  const session_id = sessionOf(headers, settings);
  return session_id !== null && liveSessions().isLive(session_id);
}

/** The id in its cookie, if it was sealed here; whether it was signed out is checked elsewhere. */
export function sessionOf(headers: Headers, settings: Settings): string | null {
  const token = settings.SWITCHYARD_TOKEN;
  if (token === undefined) return null;
  return openSession(readSession(headers, token, { isSecure: isHttps(headers, settings) }) ?? "", token);
}

/** Whether it carries a token or a session, valid or not. */
export const isAnonymous = async (headers: Headers): Promise<boolean> =>
  bearerOf(headers) === null && !(await hasSession(headers).catch(() => true));

/** A stream ends with the session that opened it: after a sign-out it used to go on for another ten minutes. */
export function endWithSession(response: Response, headers: Headers, settings: Settings = env()): Response {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null || settings.SWITCHYARD_TOKEN === undefined || bearerOf(headers) !== null)
    return response;
  const wall = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, stream) {
      if (await hasSession(headers, settings)) stream.enqueue(chunk);
      else stream.terminate();
    },
  });
  return new Response(response.body.pipeThrough(wall), { status: response.status, headers: response.headers });
}

export type Trial = { settings: Settings /** Tells one wrong token from another; see Attempts. */; what?: string };

/** Compares, counts and delays: every token from outside is checked here. */
export async function refuseToken(headers: Headers, given: string, { settings, what }: Trial): Promise<Refusal | null> {
  const address = addressOf(headers, settings);
  const waitS = attempts().waitS(address);
  if (waitS > 0)
    return {
      status: 429,
      error_code: "auth_failed",
      error_message: `too many wrong tokens from ${address} or in total; try again in ${waitS} s`,
      headers: { "retry-after": String(waitS) },
    };
  if (settings.SWITCHYARD_TOKEN === undefined) return null;
  if (isToken(given, settings.SWITCHYARD_TOKEN)) {
    attempts().succeed(address);
    return null;
  }
  attempts().fail(address, what);
  log().warn({ address }, "a wrong token was refused");
  await sleep(failureMs);
  return {
    ...stranger,
    error_message: "wrong token; send the value of SWITCHYARD_TOKEN on the server",
  };
}

/** In REST's format. */
export function refusalResponse({ status, error_code, error_message, headers }: Refusal): Response {
  return Response.json({ detail: { error_code, error_message } }, { status, headers });
}

const failureMs = 300;

const stranger: Refusal = {
  status: 401,
  error_code: "auth_failed",
  error_message: "this server requires a token; send it as `Authorization: Bearer <token>`, or sign in at /sign-in",
  headers: { "www-authenticate": "Bearer" },
};

const unchecked: Refusal = {
  status: 503,
  error_code: "storage_error",
  error_message: "the database cannot be reached, so this session cannot be checked; try again",
  headers: { "retry-after": "1" },
};

/** null for other schemes: a proxy in front may use its own. */
function bearerOf(headers: Headers): string | null {
  return (
    headers
      .get("authorization")
      ?.match(/^bearer +(.*)$/i)?.[1]
      ?.trim() ?? null
  );
}

const fingerprint = (given: string) => createHash("sha256").update(given).digest("base64url");
