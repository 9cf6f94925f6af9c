// A refusal before tRPC runs, in tRPC's format: one answer for a whole batch, so that each of its calls fails with the reason.
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import type { Refusal } from "../guard";

export type RefusedCall = Omit<Refusal, "status"> & { status: number };

export function refusedCall({ status, error_code, error_message, headers }: RefusedCall): Response {
  const key = keys[status] ?? "BAD_REQUEST";
  const error = {
    message: error_message,
    code: TRPC_ERROR_CODES_BY_KEY[key],
    data: { code: key, httpStatus: status, error_code, error_message },
  };
  return Response.json({ error }, { status, headers: { ...headers, ...(status === 503 && { "retry-after": "2" }) } });
}

const keys: Record<number, TRPC_ERROR_CODE_KEY> = {
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  408: "TIMEOUT",
  413: "PAYLOAD_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
};
