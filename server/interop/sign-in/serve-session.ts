// The session of a browser: created with the token, read, and ended. The form also works without script: sent before the page's
// script runs, a token would otherwise end up in a URL.
import { liveSessions } from "@/server/access/live-sessions";
import { isHttps } from "@/server/access/peer";
import { hasSession, refusalResponse, refuseToken, sessionOf } from "@/server/access/refuse";
import { makeSession, sessionCookie, sessionLifeS } from "@/server/access/session";
import { KernelError } from "@/server/contract/errors";
import { nextPath, signInHref } from "@/server/contract/next-path";
import { type SignInFault, SignInInput } from "@/server/contract/session";
import { env } from "@/server/env";
import { readBytes } from "@/server/front/read-bytes";
import { type Refusal, refuseForeign } from "@/server/guard";
import type { Kernel } from "@/server/kernel/kernel";
import { beginSession } from "@/server/kernel/sessions/begin-session";
import { endSessions } from "@/server/kernel/sessions/end-sessions";
import { storageError } from "@/server/kernel/storage-error";
import { log } from "@/server/log";
import { parseJson } from "../rest/read-body";

/** 204 with the cookie, 401 for a wrong token, 429 after too many; a form gets a 303 redirect instead. */
export async function signIn(kernel: Kernel, request: Request): Promise<Response> {
  const settings = env();
  const token = settings.SWITCHYARD_TOKEN;
  const foreign = refuseForeign(request.headers, settings);
  if (foreign) return refusalResponse(foreign);
  if (token === undefined) return noToken();
  const isForm = (request.headers.get("content-type") ?? "").startsWith("application/x-www-form-urlencoded");
  const body = await readInput(request, isForm).catch((error: unknown) => error);
  const parsed = SignInInput.safeParse(body);
  const next = nextPath(parsed.data?.next ?? (isObject(body) ? body.next : undefined));
  if (!parsed.success)
    return isForm ? shownAgain(next, "input") : badRequest(body instanceof KernelError ? body : undefined);
  const refused = await refuseToken(request.headers, parsed.data.token, { settings });
  if (refused) return isForm ? shownAgain(next, faultOf(refused)) : refusalResponse(refused);
  const { session_id, value } = makeSession(token);
  const broken = await kept(() => beginSession(kernel, { session_id, life_s: sessionLifeS }));
  if (broken) return isForm ? shownAgain(next, "away") : broken;
  const cookie = sessionCookie(token, { isSecure: isHttps(request.headers, settings), value });
  return new Response(null, {
    status: isForm ? 303 : 204,
    headers: { ...(isForm && { location: next }), "set-cookie": cookie },
  });
}

/** 204 if the browser is signed in or sign-in is off, otherwise 401. */
export async function tellSession(request: Request): Promise<Response> {
  const foreign = refuseForeign(request.headers);
  if (foreign) return refusalResponse(foreign);
  let status = 204;
  const broken = await kept(async () => {
    if (!(await hasSession(request.headers))) status = 401;
  });
  return broken ?? new Response(null, { status });
}

/** `?everywhere=1` ends the sessions of all browsers. Without a session it only clears the cookie. */
export async function signOut(kernel: Kernel, request: Request): Promise<Response> {
  const settings = env();
  const foreign = refuseForeign(request.headers, settings);
  if (foreign) return refusalResponse(foreign);
  if (settings.SWITCHYARD_TOKEN === undefined) return noToken();
  const own = sessionOf(request.headers, settings);
  const session_id = new URL(request.url).searchParams.get("everywhere") === "1" ? null : own;
  const broken = await kept(async () => {
    if (own === null || !(await liveSessions().isLive(own))) return;
    await endSessions(kernel, { session_id });
    liveSessions().forget(session_id);
  });
  if (broken) return broken;
  const cookie = sessionCookie(settings.SWITCHYARD_TOKEN, { isSecure: isHttps(request.headers, settings) });
  return new Response(null, { status: 204, headers: { "set-cookie": cookie } });
}

/** Without the database, sign-out fails: a browser that got a 204 would still be signed in. */
async function kept(work: () => Promise<void>): Promise<Response | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const known = storageError(error);
    if (!(known instanceof KernelError)) log().error({ err: error }, "a session could not be kept");
    const detail =
      known instanceof KernelError
        ? { error_code: known.code, error_message: known.message }
        : { error_code: "internal_error", error_message: "internal error; see the server's log" };
    return Response.json({ detail }, { status: known instanceof KernelError ? known.status : 500 });
  }
}

const bytesMax = 16 * 1024;

async function readInput(request: Request, isForm: boolean): Promise<unknown> {
  const bytes = await readBytes(request, bytesMax);
  return isForm ? Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes))) : parseJson(bytes);
}

const faultOf = ({ status }: Refusal): SignInFault => (status === 429 ? "wait" : "token");

const shownAgain = (next: string, fault: SignInFault) =>
  new Response(null, { status: 303, headers: { location: `${signInHref(next)}&fault=${fault}` } });

function badRequest(cause?: KernelError): Response {
  const error_message = cause?.message ?? 'token: send {"token": "..."} with the value of SWITCHYARD_TOKEN';
  return Response.json(
    { detail: { error_code: cause?.code ?? "bad_request", error_message } },
    { status: cause?.status ?? 400 },
  );
}

const noToken = () =>
  Response.json(
    {
      detail: {
        error_code: "not_found",
        error_message: "this server has no token, so there is no sign-in",
      },
    },
    { status: 404 },
  );

const isObject = (value: unknown): value is { next?: unknown } => typeof value === "object" && value !== null;
