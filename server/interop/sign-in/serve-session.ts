// The session of a browser: made of the token, told, and ended. The form is also taken without script: sent before the
// page had come alive, a token would otherwise end in an address.
import { hasSession, refusalResponse, refuseToken } from "@/server/access/refuse";
import { sessionCookie } from "@/server/access/session";
import { KernelError } from "@/server/contract/errors";
import { nextPath, type SignInFault, SignInInput, signInHref } from "@/server/contract/session";
import { type Env, env } from "@/server/env";
import { readBytes } from "@/server/front/read-bytes";
import { isBehindTls, type Refusal, refuseForeign } from "@/server/guard";
import { parseJson } from "../rest/read-body";

/** 204 with the cookie, 401 for a wrong token, 429 after too many; a form is led on with 303 instead. */
export async function signIn(request: Request): Promise<Response> {
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
  const cookie = sessionCookie(token, { isSecure: isSecure(request, settings) });
  return new Response(null, {
    status: isForm ? 303 : 204,
    headers: { ...(isForm && { location: next }), "set-cookie": cookie, ...noStore },
  });
}

/** 204 where the browser is signed in, or need not be; 401 where it is not. */
export function tellSession(request: Request): Response {
  const foreign = refuseForeign(request.headers);
  if (foreign) return refusalResponse(foreign);
  return new Response(null, { status: hasSession(request.headers) ? 204 : 401, headers: noStore });
}

export function signOut(request: Request): Response {
  const settings = env();
  const foreign = refuseForeign(request.headers, settings);
  if (foreign) return refusalResponse(foreign);
  if (settings.SWITCHYARD_TOKEN === undefined) return noToken();
  const cookie = sessionCookie(settings.SWITCHYARD_TOKEN, { isSecure: isSecure(request, settings), isOver: true });
  return new Response(null, { status: 204, headers: { "set-cookie": cookie, ...noStore } });
}

const bytesMax = 16 * 1024;
const noStore = { "cache-control": "no-store" };

async function readInput(request: Request, isForm: boolean): Promise<unknown> {
  const bytes = await readBytes(request, bytesMax);
  return isForm ? Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes))) : parseJson(bytes);
}

/** An Origin was checked against SWITCHYARD_ORIGINS; X-Forwarded-Proto is believed only where those speak of TLS. */
function isSecure({ headers }: Request, settings: Env): boolean {
  if (headers.get("origin")?.startsWith("https:")) return true;
  return isBehindTls(settings) && headers.get("x-forwarded-proto")?.split(",")[0]?.trim() === "https";
}

const faultOf = ({ status }: Refusal): SignInFault => (status === 429 ? "wait" : "token");

const shownAgain = (next: string, fault: SignInFault) =>
  new Response(null, { status: 303, headers: { location: `${signInHref(next)}&fault=${fault}`, ...noStore } });

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
        error_message: "this server asks for no token: there is nothing to sign in to",
      },
    },
    { status: 404 },
  );

const isObject = (value: unknown): value is { next?: unknown } => typeof value === "object" && value !== null;
