// When a join stops waiting: for all of its tasks, for the first that delivers, or for some of them. As it is given; join-rules.ts
// says what follows from it.
import * as z from "zod";

export const JoinPolicy = z
  .strictObject({
    kind: z.enum(["all", "any", "quorum"]),
    /** Of a quorum: how many tasks it takes. */
    k: z.int("give a whole number of tasks").min(1).max(10_000).optional(),
    /** delivered: tasks that succeed, also in part. ended: tasks that end in any way. */
    count: z.enum(["delivered", "ended"]).optional(),
    /** From the start of the batch. When it has passed, `on_timeout` decides. */
    timeout_ms: z.int("give whole milliseconds").min(1).max(31_536_000_000).optional(),
    /** emit_partial: end with what has arrived. fail: end as failed. wait: until the deadline of the batch. */
    on_timeout: z.enum(["emit_partial", "fail", "wait"]).optional(),
    /** What happens to tasks that still run when the gate has closed. run: they go on, and change nothing. */
    late: z.enum(["stop", "run"]).optional(),
  })
  .superRefine((policy, check) => {
    const fault = policyFault(policy);
    if (fault) check.addIssue({ code: "custom", message: fault.message, path: [fault.path] });
  });
export type JoinPolicy = z.infer<typeof JoinPolicy>;

/** The rules that need nothing but the policy itself. */
function policyFault({ kind, k, count, timeout_ms, on_timeout }: JoinPolicy): { path: string; message: string } | null {
  if (kind === "quorum" && k === undefined)
    return { path: "k", message: "a quorum needs k: how many tasks must arrive" };
  if (kind !== "quorum" && k !== undefined) return { path: "k", message: `leave k out: ${kind} counts by itself` };
  if (kind === "all" && count !== undefined)
    return { path: "count", message: "leave count out: all waits for the end of every task" };
  if (timeout_ms === undefined && on_timeout !== undefined)
    return { path: "on_timeout", message: "give timeout_ms with it" };
  return null;
}
