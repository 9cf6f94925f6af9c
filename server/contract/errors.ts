// A refusal: what is thrown for input that is not accepted. Its code is one of the list in failures.ts; tools, REST and tRPC
// map a KernelError once.
import type { ErrorCode } from "./failure-codes";
import { failures } from "./failures";

/** Seconds after which the same may be asked again; said in Retry-After. */
export const retryAfterS = (status: number): number | undefined => ({ 429: 5, 503: 1 })[status];

/** Refused input: the message names the field and the remedy. Never thrown for a lost race, which is a value. */
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
