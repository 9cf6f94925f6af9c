// When a join stops waiting, in the same words in the composer, the launch dialog, the yard and on the board.

import type { JoinPolicy } from "@/server/contract/join-policy";
import { keptPolicy, neededOf } from "@/server/contract/join-rules";
import { formatSeconds } from "./seconds";

export type GateRule = { fail_fast: boolean; policy?: JoinPolicy };

/** "waits for 2 of 3 to deliver, at most 30 s" */
export function gateWords({ fail_fast, policy }: GateRule, tasks: number): string {
  if (fail_fast)
    return policy?.timeout_ms === undefined
      ? "ends at the first failure"
      : `ends at the first failure${timeWords(policy)}`;
  if (!policy) return "waits for all";
  const end = policy.count === "ended" ? "end" : "deliver";
  const whom = {
    all: "waits for all",
    any: `waits for the first to ${end}`,
    quorum: `waits for ${neededOf(policy, tasks)} of ${tasks} to ${end}`,
  }[policy.kind];
  return `${whom}${timeWords(policy)}`;
}

const timeWords = ({ timeout_ms, on_timeout }: JoinPolicy): string =>
  timeout_ms === undefined || on_timeout === "wait" ? "" : `, at most ${formatSeconds(timeout_ms / 1000)}`;

/** Only what applies to its kind. Undefined = it waits for all, as without a policy. */
export function fitPolicy(policy: JoinPolicy): JoinPolicy | undefined {
  const { kind, k = 2, count, timeout_ms, on_timeout, late } = policy;
  return keptPolicy({
    kind,
    ...(kind === "quorum" && { k }),
    ...(kind !== "all" && count === "ended" && { count }),
    ...(timeout_ms !== undefined && { timeout_ms }),
    ...(timeout_ms !== undefined && on_timeout !== undefined && on_timeout !== "emit_partial" && { on_timeout }),
    ...(late === "run" && { late }),
  });
}
