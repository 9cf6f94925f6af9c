// The error thrown for input that is not accepted. Its code is listed in failures.ts; tools, REST and tRPC each map a
// KernelError in one place.
import type { ErrorCode } from "./failure-codes";
import { failures } from "./failures";

/** Seconds until a retry makes sense; sent as Retry-After. */
export const retryAfterS = (status: number): number | undefined => ({ 429: 5, 503: 1 })[status];

/** Refused input: the message names the field and the remedy. A lost race is a value and never thrown. */
export class KernelError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly detail?: Record<string, unknown>,
  ) {
    super(message);
    this.name = "KernelError";
  }
  get status(): number {
    return failures[this.code].status;
  }
}
