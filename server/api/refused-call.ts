// A refusal at the door in tRPC's words: one answer for a whole batch, so that each of its calls fails with the reason.
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import type { Refusal } from "../guard";

export function refusedCall({ status, error_code, error_message, headers }: Refusal): Response {
  const error = {
    message: error_message,
    code: TRPC_ERROR_CODES_BY_KEY[keys[status]],
    data: { code: keys[status], httpStatus: status, error_code },
  };
  return Response.json({ error }, { status, headers });
}

const keys = {
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  429: "TOO_MANY_REQUESTS",
} as const satisfies Record<Refusal["status"], TRPC_ERROR_CODE_KEY>;
