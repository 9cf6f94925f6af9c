// Policies of joins for model-based tests: the number of the run decides.
import type { JoinPolicy } from "@/server/contract/join-policy";

/** Half of them wait for all: null. `count`: the tasks of the batch. */
export function policyOf(n: number, count: number): JoinPolicy | null {
  const late = n % 4 === 0 ? ("run" as const) : ("stop" as const);
  const time = { timeout_ms: 600_000, on_timeout: n % 3 === 0 ? ("fail" as const) : ("emit_partial" as const) };
  switch (n % 6) {
    case 0:
      return { kind: "any", late, ...time };
    case 2:
      return { kind: "quorum", k: Math.max(1, count - 1), late, ...(n % 4 === 2 && time) };
    case 4:
      return { kind: "quorum", k: Math.ceil(count / 2), count: "ended", late };
    default:
      return null;
  }
}
