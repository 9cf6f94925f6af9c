// An action is done once: its request carries a key, and if its outcome is unknown, a repeat carries the same key. Without
// it, pressing the button again after a lost answer launched twice.
import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { hexOf } from "@/components/ui/format";
import type { AppRouter } from "@/server/api/root";

/** As long as a person may still mean the same by pressing again. */
const meantMs = 10 * 60_000;

export function createGestureKeys(now: () => number = Date.now): TRPCLink<AppRouter> {
  const unsure = new Map<string, { key: string; at: number }>();
  return () =>
    ({ next, op }) => {
      if (op.type !== "mutation") return next(op);
      const what = `${op.path} ${JSON.stringify(op.input)}`;
      const before = unsure.get(what);
      const key = before && now() - before.at < meantMs ? before.key : mint();
      return observable((observer) =>
        next({ ...op, context: { ...op.context, idempotency_key: key } }).subscribe({
          next: (value) => {
            unsure.delete(what);
            observer.next(value);
          },
          complete: () => observer.complete(),
          error: (error) => {
            if (isUnsure(error)) unsure.set(what, { key, at: now() });
            else unsure.delete(what);
            observer.error(error);
          },
        }),
      );
    };
}

/** No answer at all, or one that does not know: a refusal is an answer. */
function isUnsure(error: unknown): boolean {
  const { httpStatus } = (error instanceof TRPCClientError ? (error.data ?? {}) : {}) as { httpStatus?: number };
  return httpStatus === undefined || httpStatus >= 500;
}

/** The server asks again for us, where that is all there is to do. */
export const isWorthAskingAgain = (error: unknown): boolean =>
  error instanceof TRPCClientError && (error.data as { error_code?: string } | null)?.error_code === "outcome_unknown";

// randomUUID is there on https and on this machine only.
function mint(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(16)));
}

/** Of an operation with a key. */
export const keyHeader = (context: Record<string, unknown>): Record<string, string> =>
  typeof context.idempotency_key === "string" ? { "idempotency-key": context.idempotency_key } : {};
