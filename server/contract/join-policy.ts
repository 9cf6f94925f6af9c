// When a batch is done: all of its branches, any one, or k of them, and what happens at a deadline of its own.
import * as z from "zod";

const QUORUM_MAX = 10_000;
const TIMEOUT_MS_MAX = 31_536_000_000;

export const JoinPolicy = z
  .strictObject({
    kind: z.enum(["all", "any", "quorum"]),
    /** Only for quorum: how many branches have to arrive. */
    k: z.int().min(1).max(QUORUM_MAX).optional(),
    /** What counts: branches that delivered a result, or all that ended. */
    count: z.enum(["delivered", "ended"]).default("delivered"),
    timeout_ms: z.int().min(1).max(TIMEOUT_MS_MAX).optional(),
    on_timeout: z.enum(["emit_partial", "fail", "wait"]).default("emit_partial"),
    /** Branches that still run when the batch is done. */
    late: z.enum(["stop", "run"]).default("stop"),
  })
  .superRefine(({ kind, k }, check) => {
    const fault =
      kind === "quorum"
        ? k === undefined && "is missing. A quorum needs the number of branches that have to arrive"
        : k !== undefined && "is for kind quorum only. Leave it out";
    if (fault) check.addIssue({ code: "custom", path: ["k"], message: fault });
  });
export type JoinPolicy = z.infer<typeof JoinPolicy>;
/** As a client writes it: fields with a default are optional. */
export type JoinPolicyInput = z.input<typeof JoinPolicy>;
