// What follows from a join policy. Pure, and without its schema: the yard says what a gate waits for, and does not parse policies.
import type { JoinPolicy } from "./join-policy";

/** Against the batch that it is for: the tasks, fail_fast, and the deadline in ms (null = none). Null = no fault. */
export function policyMisfit(
  policy: JoinPolicy,
  batch: { tasks: number; fail_fast: boolean; deadline_ms: number | null },
): { path: string; message: string } | null {
  if (batch.fail_fast && policy.kind !== "all")
    return {
      path: "fail_fast",
      message: `fail_fast waits for all tasks; leave it out with ${policy.kind}, or use the kind all`,
    };
  if (policy.k !== undefined && policy.k > batch.tasks)
    return { path: "policy.k", message: `give 1 to ${batch.tasks}, the number of tasks` };
  if (policy.timeout_ms !== undefined && batch.deadline_ms !== null && policy.timeout_ms > batch.deadline_ms)
    return { path: "policy.timeout_ms", message: `give 1 to ${batch.deadline_ms}, the deadline of the batch in ms` };
  return null;
}

/** Undefined where the rules for all tasks hold unchanged: such a batch keeps no policy. */
export const keptPolicy = (policy: JoinPolicy | undefined): JoinPolicy | undefined =>
  policy === undefined || (policy.kind === "all" && policy.timeout_ms === undefined) ? undefined : policy;

/** How many counted arrivals close the gate. */
export const neededOf = ({ kind, k }: JoinPolicy, tasks: number): number =>
  kind === "all" ? tasks : kind === "any" ? 1 : (k ?? tasks);
