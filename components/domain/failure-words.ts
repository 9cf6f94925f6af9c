// Why a turn failed or was stopped, in a few words behind its name in a list: the cause of the one list (docs/errors.md).
import { failureOf } from "@/server/contract/failure-codes";

/** A code from someone else's worker or tool stays as it is: only they know what it means. Absent without one. */
export function failureWords(code: string | undefined): string | undefined {
  return failureOf(code)?.cause.replace(/\.$/, "") ?? code;
}
