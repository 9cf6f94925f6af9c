// Why branches are stopped, and why a join fails: part of failures.ts.
import type { Failure } from "./failure";

export const batchFailures = {
  batch_deadline: {
    status: null,
    where: ["turn"],
    cause: "The batch's deadline passed before this branch was done.",
    remedy: "Give the fork a later deadline (`deadline_seconds`), or ask each branch for less.",
  },
  batch_fail_fast: {
    status: null,
    where: ["turn"],
    cause: "Another branch failed, and the batch ends at its first failure.",
    remedy: "Look at the branch that failed first. Set `fail_fast: false` to let the others finish.",
  },
  batch_gate_closed: {
    status: null,
    where: ["turn"],
    cause:
      "The gate closed before this task had ended: enough other tasks had arrived, too few still could, or its time was over.",
    remedy:
      "Nothing to do if that was meant. Give the join's policy `late: run` to let such tasks go on, or a longer `timeout_ms`.",
  },
  quorum_unreachable: {
    status: null,
    where: ["call"],
    cause: "So many tasks failed that too few are left for the quorum.",
    remedy:
      "Look at the tasks that failed. Ask for a smaller `k`, fork more tasks, or count tasks that end in any way (`count: ended`).",
  },
  join_timeout: {
    status: null,
    where: ["call"],
    cause: "The time of the join (`timeout_ms`) was over, and its policy says to fail then.",
    remedy: "Give the policy a longer `timeout_ms`, or `on_timeout: emit_partial` to go on with what has arrived.",
  },
  batch_canceled: {
    status: null,
    where: ["turn"],
    cause: "Someone stopped the batch.",
    remedy: "Fork again if you didn't mean to stop it.",
  },
  batch_parent_ended: {
    status: null,
    where: ["turn"],
    cause: "The turn that started the batch ended.",
    remedy: "Look at why the caller ended, then launch it again.",
  },
} as const satisfies Record<string, Failure>;
