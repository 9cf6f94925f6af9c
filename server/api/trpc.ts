// tRPC for the browser: every procedure calls a kernel verb. This is the only place that maps errors.
import { initTRPC, TRPCError } from "@trpc/server";
import * as z from "zod";
import { KernelError, retryAfterS } from "@/server/contract/errors";
import type { ErrorCode } from "@/server/contract/failure-codes";
import { shapeFault } from "@/server/contract/shape-fault";
import { hasBadText } from "@/server/contract/text";
import { refuseBadKey, withKey } from "@/server/kernel/kept-results";
import type { Kernel } from "@/server/kernel/kernel";
import { refuseRemoved } from "@/server/kernel/roster/removed";
import { storageError } from "@/server/kernel/storage-error";
import { log } from "@/server/log";

export type ApiContext = {
  kernel: Kernel;
  user: string;
  /** Created by the browser for one action and sent again if the answer is lost, so that the action is done once. */
  key?: string | null;
};

const STREAM_LIFE_MS = 10 * 60_000;

const t = initTRPC.context<ApiContext>().create({
  // A stream's life is capped, so that resuming happens every day and not rarely.
  sse: {
    maxDurationMs: STREAM_LIFE_MS,
    ping: { enabled: true, intervalMs: 10_000 },
    client: { reconnectAfterInactivityMs: 25_000 },
  },
  errorFormatter: ({ shape, error }) => {
    const { status, error_code, error_message, detail } = refusalOf(error, shape);
    return { ...shape, message: error_message, data: { httpStatus: status, error_code, error_message, detail } };
  },
});

type Shape = { message: string; data: { code: TRPCError["code"]; httpStatus: number } };

/** Retry-After of a whole answer, as in REST. The longest of its calls. */
export function answerMeta({ errors }: { errors: TRPCError[] }): { headers?: Record<string, string> } {
  const waits = errors.map(({ cause }) => (cause instanceof KernelError ? retryAfterS(cause.status) : undefined));
  const wait = Math.max(0, ...waits.map((s) => s ?? 0));
  return wait === 0 ? {} : { headers: { "retry-after": String(wait) } };
}

/** The same as REST: what a client learns about a refusal does not depend on the API it used. */
function refusalOf(error: TRPCError, { message, data }: Shape) {
  const cause = error.cause;
  if (cause instanceof KernelError)
    return { status: cause.status, error_code: cause.code, error_message: cause.message, detail: cause.detail };
  const status = data.httpStatus;
  if (status >= 500)
    return {
      status,
      error_code: "internal_error",
      error_message: "internal error; see the server's log",
      detail: undefined,
    };
  return { status, error_code: doorCodes[data.code] ?? "bad_request", error_message: message, detail: undefined };
}

/** Refused before a procedure was found. */
const doorCodes: Partial<Record<TRPCError["code"], ErrorCode>> = {
  NOT_FOUND: "not_found",
  PAYLOAD_TOO_LARGE: "payload_too_large",
};

const codes: Record<number, TRPCError["code"]> = {
  400: "BAD_REQUEST",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
  504: "GATEWAY_TIMEOUT",
};

const mapped = t.middleware(async ({ next, path, getRawInput }) => {
  const bad = badText(await getRawInput());
  if (bad) throw new TRPCError({ code: "BAD_REQUEST", message: bad.message, cause: bad });
  const result = await next();
  if (result.ok) return result;
  const cause = asRefusal(result.error.cause ?? result.error);
  if (cause instanceof KernelError)
    throw new TRPCError({ code: codes[cause.status] ?? "INTERNAL_SERVER_ERROR", message: cause.message, cause });
  if (result.error.code === "INTERNAL_SERVER_ERROR")
    log().error({ path, err: result.error.cause ?? result.error }, "a procedure broke");
  throw result.error;
});

/** A NUL in a title used to pass every check and fail in the database. */
function badText(input: unknown): KernelError | undefined {
  return hasBadText(input)
    ? new KernelError("bad_request", "input contains a NUL byte or half a surrogate pair; remove it", { path: "input" })
    : undefined;
}

function asRefusal(error: unknown): unknown {
  if (!(error instanceof z.ZodError)) return storageError(error);
  const { path, message } = shapeFault(error, "input");
  return new KernelError("invalid_shape", `${path}: ${message}`, { path });
}

const doneOnce = t.middleware(async ({ ctx, type, path, getRawInput, next }) => {
  if (type !== "mutation" || !ctx.key) return next();
  refuseBadKey(ctx.key);
  const input = await getRawInput();
  const kernel = await withKey(ctx.kernel, {
    project_id: projectIn(input),
    key: ctx.key,
    request: `${path} ${JSON.stringify(input ?? null)}`,
  });
  return next({ ctx: { ...ctx, kernel } });
});

const projectIn = (input: unknown): string =>
  input !== null && typeof input === "object" && "project_id" in input && typeof input.project_id === "string"
    ? input.project_id
    : "-";

/** A removed project answers as one that was never there, whatever is asked of it. */
const thereOnly = t.middleware(async ({ ctx, getRawInput, next }) => {
  const project_id = projectIn(await getRawInput());
  if (project_id !== "-") await refuseRemoved(ctx.kernel, project_id);
  return next();
});

export const router = t.router;
/** Also for a removed project: it can be asked back. */
export const anyProject = t.procedure.use(mapped).use(doneOnce);
export const procedure = t.procedure.use(mapped).use(thereOnly).use(doneOnce);
export const createCallerFactory = t.createCallerFactory;
