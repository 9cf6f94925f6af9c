// Branches may end until their heads are locked. Where the last one did, nothing was late, and the batch is decided by what they
// say: it used to be a timeout with branches that had all succeeded.
import { arrivalsOf } from "./arrivals";
import type { BatchEnd } from "./batch-end";
import { decide } from "./decide";
import { type Standing, statusOf } from "./read-standing";

/** `standing` with its branches as they are now, none of which had to be stopped. */
export function decideAgain(standing: Standing, wanted: BatchEnd): BatchEnd {
  const { cause } = wanted;
  if (cause !== "deadline" && cause !== "join_timeout" && cause !== "partial_timeout") return wanted;
  const { batch, branches } = standing;
  const arrivals = arrivalsOf(standing, []);
  const gate = batch.policy === null ? undefined : { policy: batch.policy, arrivals, is_due: batch.is_gate_due };
  const verdict = decide({ ...batch, tasks: branches.map(statusOf), gate });
  return verdict.kind === "end" ? { ...wanted, status: verdict.status, cause: verdict.cause, arrivals } : wanted;
}
