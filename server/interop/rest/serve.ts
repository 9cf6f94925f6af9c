// REST's single entry point: guard, match, parse, call, answer. Every refusal leaves here in the same shape.
import type * as z from "zod";
import { endWithSession, isAnonymous, refusalResponse, refuse } from "@/server/access/refuse";
import { KernelError, retryAfterS } from "@/server/contract/errors";
import { refuseLostKey } from "@/server/contract/lost-key";
import { shapeFault } from "@/server/contract/shape-fault";
import { refuseBadText } from "@/server/contract/text";
import { refuseForeign } from "@/server/guard";
import type { Kernel } from "@/server/kernel/kernel";
import { readProject } from "@/server/kernel/roster/read-project";
import { PLAN_DOCUMENT, PROFILE_DOCUMENT } from "@/server/kernel/roster/read-yaml";
import { refuseRemoved } from "@/server/kernel/roster/removed";
import { storageError } from "@/server/kernel/storage-error";
import { log } from "@/server/log";
import { once } from "./idempotency";
import { allowedAt, isOpen, match } from "./match-route";
import { refuseOddNumbers } from "./plain-numbers";
import { readDocument, readJson, refuseCoding } from "./read-body";
import { id, isReading, type Reply, type Route } from "./route";

/** `path` is what follows /api/v1, still encoded. */
export async function serveRest(kernel: Kernel, request: Request, path: string): Promise<Response> {
  const response = await answerOrRefuse(kernel, request, path);
  // Before anything reads from the body: a stream is not opened for somebody who wants its headers only.
  return request.method === "HEAD" ? headOf(response) : endWithSession(response, request.headers);
}

function headOf({ status, headers, body }: Response): Response {
  body?.cancel().catch(() => undefined);
  return new Response(null, { status, headers });
}

async function answerOrRefuse(kernel: Kernel, request: Request, path: string): Promise<Response> {
  try {
    // Checked before the path is matched, so that a stranger learns nothing about what exists.
    const isAsking = isOpen(request.method, path) && (await isAnonymous(request.headers));
    const refused = isAsking ? refuseForeign(request.headers) : await refuse(request.headers);
    if (refused) return refusalResponse(refused);
    // Next's own answer named the methods of all paths for each of them, to anybody.
    if (request.method === "OPTIONS")
      return new Response(null, { status: 204, headers: { allow: allowedAt(path).join(", ") } });
    const { route, params } = match(request.method, path);
    return await answer(kernel, request, route, { params, isAnonymous: isAsking });
  } catch (error) {
    return errorResponse(error, request);
  }
}

async function answer(
  kernel: Kernel,
  request: Request,
  route: Route,
  { params, isAnonymous }: { params: Record<string, string>; isAnonymous: boolean },
): Promise<Response> {
  const url = new URL(request.url);
  // A removed project answers as one that was never there, whatever is asked of it.
  if (params.project_id !== undefined) await refuseRemoved(kernel, id(params, "project_id"));
  const query = route.query ? parseQuery(route.query, queryOf(url)) : {};
  if (!isReading(request.method)) refuseCoding(request.headers);
  const raw =
    route.accepts === "stream" || isReading(request.method) ? undefined : await bodyOf(kernel, request, route, params);
  const body = route.body ? parse(route.body, raw === undefined ? {} : raw, "body") : raw;
  const work = async (own: Kernel): Promise<Reply | Response> => {
    const value = await route.call({
      kernel: own,
      params,
      query: query as never,
      body: body as never,
      request,
      isAnonymous,
    });
    if (value instanceof Response) return value;
    if (value !== null && typeof value === "object" && "isReply" in value) return value as unknown as Reply;
    return { status: route.status ?? 200, body: value };
  };
  const key = request.headers.get("idempotency-key");
  const isOnce = key !== null && !isReading(request.method) && route.accepts !== "stream";
  const project_id = params.project_id === undefined ? "-" : id(params, "project_id");
  const seal = `${request.method} ${path(url)} ${JSON.stringify(raw ?? null)}`;
  const done = isOnce
    ? await once(kernel, { project_id, key, request: seal, work: work as (own: Kernel) => Promise<Reply> })
    : await work(kernel);
  if (done instanceof Response) return done;
  return done.body === undefined
    ? new Response(null, { status: done.status })
    : Response.json(done.body, { status: done.status });
}

const path = (url: URL) => `${url.pathname}${url.search}`;

async function bodyOf(
  kernel: Kernel,
  request: Request,
  route: Route,
  params: Record<string, string>,
): Promise<unknown> {
  const { jsonBytesMax: bytesMax, jsonValuesMax: valuesMax } = kernel.tunables;
  if (route.accepts !== "document" && route.accepts !== "plan") return readJson(request, { bytesMax, valuesMax });
  // Projects take turns at being read. Without this check, made-up project names would get turns too.
  const { project_id } = await readProject(kernel, id(params, "project_id"));
  // A plan is as large here as in a launch or a draft, which hold it as JSON.
  const limits = route.accepts === "plan" ? { ...PLAN_DOCUMENT, bytesMax, valuesMax } : PROFILE_DOCUMENT;
  return readDocument(project_id, request, limits);
}

function queryOf(url: URL): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [key, value] of url.searchParams) {
    if (key in given) throw new KernelError("bad_request", `query.${key} is given twice; give it once`);
    refuseBadText(key, "the query (a name)");
    refuseBadText(value, `query.${key}`);
    given[key] = value;
  }
  return given;
}

function parseQuery(schema: z.ZodType, given: Record<string, string>): unknown {
  refuseOddNumbers(schema, given);
  return parse(schema, given, "query");
}

/** invalid_shape (422) with the JSON path of the first thing wrong; bad_request for a key that would be lost on the way. */
function parse(schema: z.ZodType, value: unknown, where: "query" | "body"): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    refuseLostKey(value, where);
    return parsed.data;
  }
  const { path, message } = shapeFault(parsed.error, where);
  throw new KernelError(where === "query" ? "bad_request" : "invalid_shape", `${path}: ${message}`, { path });
}

function errorResponse(error: unknown, request: Request): Response {
  const known = storageError(error);
  if (!(known instanceof KernelError))
    log().error({ err: error, method: request.method, path: new URL(request.url).pathname }, "a route broke");
  const refusal =
    known instanceof KernelError ? known : new KernelError("internal_error", "internal error; see the server's log");
  const detail = {
    error_code: refusal.code,
    error_message: refusal.message,
    ...(refusal.detail ? { detail: refusal.detail } : {}),
  };
  const wait = refusal.detail?.retry_after_s ?? retryAfterS(refusal.status);
  const allow = refusal.detail?.allow;
  const headers = {
    ...(wait !== undefined && { "retry-after": String(wait) }),
    ...(Array.isArray(allow) && { allow: allow.join(", ") }),
    // RFC 9110, 15.5.16: without it, a client can't tell a coding that is not read from a type that is not.
    ...(refusal.code === "unsupported_coding" && { "accept-encoding": "identity" }),
  };
  return Response.json({ detail }, { status: refusal.status, headers });
}
