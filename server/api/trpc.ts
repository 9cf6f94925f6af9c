// tRPC for the browser: every procedure calls a kernel verb; errors are mapped here, once.
import { initTRPC, TRPCError } from "@trpc/server";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "@/server/kernel/kernel";
import { storageError } from "@/server/kernel/storage-error";
import { log } from "@/server/log";

export type ApiContext = { kernel: Kernel; user: string };

const STREAM_LIFE_MS = 10 * 60_000;

const t = initTRPC.context<ApiContext>().create({
  // A stream's life is capped, so that resuming is an everyday path and not a rare one.
  sse: {
    maxDurationMs: STREAM_LIFE_MS,
    ping: { enabled: true, intervalMs: 10_000 },
    client: { reconnectAfterInactivityMs: 25_000 },
  },
  errorFormatter: ({ shape, error }) => {
    const cause = error.cause instanceof KernelError ? error.cause : undefined;
    return {
      ...shape,
      message:
        cause?.message ??
        (error.code === "BAD_REQUEST" ? shape.message : "something broke on the server; its log says what"),
      data: {
        httpStatus: cause?.status ?? shape.data.httpStatus,
        error_code: cause?.code ?? "internal_error",
        detail: cause?.detail,
      },
    };
  },
});

const codes: Record<number, TRPCError["code"]> = {
  400: "BAD_REQUEST",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  422: "UNPROCESSABLE_CONTENT",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
};

const mapped = t.middleware(async ({ next, path }) => {
  const result = await next();
  if (result.ok) return result;
  const cause = storageError(result.error.cause ?? result.error);
  if (cause instanceof KernelError)
    throw new TRPCError({ code: codes[cause.status] ?? "INTERNAL_SERVER_ERROR", message: cause.message, cause });
  if (result.error.code === "INTERNAL_SERVER_ERROR")
    log().error({ path, err: result.error.cause ?? result.error }, "a procedure broke");
  throw result.error;
});

export const router = t.router;
export const procedure = t.procedure.use(mapped);
export const createCallerFactory = t.createCallerFactory;
