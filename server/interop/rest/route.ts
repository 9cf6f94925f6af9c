// One route of the REST interface: its input, its answer, and the verb it calls. The OpenAPI document is generated from the
// same list, so the two cannot differ.
import type * as z from "zod";
import { KernelError } from "@/server/contract/errors";
import { Id } from "@/server/contract/ids";
import type { Kernel } from "@/server/kernel/kernel";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Has no body and changes nothing. */
export const isReading = (method: string): boolean => method === "GET" || method === "HEAD";

export type RouteCall<P, Q, B> = {
  kernel: Kernel;
  params: P;
  query: Q;
  body: B;
  request: Request;
  /** Only on an open route: a token is configured, but the request has neither token nor session. */
  isAnonymous: boolean;
};

/** A value is a 200; `reply` sets another status; a Response is sent unchanged (streams). */
export type Reply = { status: number; body?: unknown };
export const reply = (status: number, body?: unknown): Reply & { isReply: true } => ({ status, body, isReply: true });

export type Route = {
  method: Method;
  /** `/projects/{project_id}/boxes/{box_id}:fork`: a verb follows the last colon. */
  path: string;
  /** This parameter may contain "/", as it is or as %2F. */
  deep?: string;
  /** Its name in generated clients: unique, camelCase, never changed. */
  operationId: string;
  summary: string;
  description?: string;
  query?: z.ZodType;
  /** JSON unless `accepts` says otherwise. */
  body?: z.ZodType;
  /** What the document says of the body, where the verb itself reads a part of it. */
  shownBody?: z.ZodType;
  /** `document` = JSON, YAML or multipart with a `file`; `plan` = the same, with the limits of a plan. `stream` = read by the handler itself. */
  accepts?: "json" | "document" | "plan" | "stream";
  /** Absent for 204 and for a stream. */
  answer?: z.ZodType;
  /** The data of a stream's event. */
  event?: z.ZodType;
  /** The body is binary, of any type; with `accepts: "stream"`. With `shownBody`, it may also be that. */
  takesBytes?: boolean;
  /** The answer is binary: stored bytes, unless `answerType` says what. */
  isBytes?: boolean;
  /** Content-Type of the answer, where it is another than JSON or that of stored bytes. */
  answerType?: string;
  status?: number;
  /** With the same answer, when what was sent is there already. */
  sameStatus?: number;
  /** Also answers without the token, with less detail. */
  isOpen?: boolean;
  call: (input: RouteCall<Record<string, string>, never, never>) => Promise<unknown>;
};

/** Types a route from its schemas. */
export function route<Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  spec: Omit<Route, "call" | "query" | "body" | "answer"> & {
    query?: Q;
    body?: B;
    answer?: A;
    call: (
      input: RouteCall<Record<string, string>, z.output<Q>, z.output<B>>,
    ) => Promise<z.input<A> | (Reply & { isReply: true }) | Response>;
  },
): Route {
  return spec as unknown as Route;
}

/** A path parameter that must be an id. Anything else is not_found. */
export function id(params: Record<string, string>, name: string): string {
  const parsed = Id.safeParse(params[name]);
  if (!parsed.success) throw new KernelError("not_found", `${name} ${(params[name] ?? "").slice(0, 128)} not found`);
  return parsed.data;
}
