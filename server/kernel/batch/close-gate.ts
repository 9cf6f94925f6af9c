// What the end of a batch with a policy means to its branches: which ones count, and which are too late to change anything.
import type { BranchResult, ClosedBy, JoinResult } from "@/server/contract/batch";
import type { BatchEnd } from "./batch-end";
import { countedOf } from "./decide-gate";
import type { Standing } from "./read-standing";

const closings: Record<ClosedBy, true> = {
  satisfied: true,
  quorum_unreachable: true,
  join_timeout: true,
  partial_timeout: true,
};
const isClosing = (cause: BatchEnd["cause"]): cause is ClosedBy => Object.hasOwn(closings, cause);

/** Null = it ended by something else than its policy. */
export const closedBy = ({ cause }: BatchEnd): ClosedBy | null => (isClosing(cause) ? cause : null);

/** Branches that change nothing any more: seen beside the one that closed the gate, or let go on. In task order. */
export function lateOf(standing: Standing, end: BatchEnd): number[] {
  const gate = gateOf(standing, end);
  if (gate === null || closedBy(end) === null) return [];
  const statuses = standing.branches.map(({ status }) => status);
  const last = end.cause === "satisfied" ? countedOf(statuses, gate).at(-1) : undefined;
  const beside = last === undefined ? [] : gate.arrivals.slice(gate.arrivals.indexOf(last) + 1);
  const goOn = gate.policy.late === "run" ? [...statuses.keys()].filter((i) => statuses[i] === "dispatched") : [];
  return [...beside, ...goOn].toSorted((a, b) => a - b);
}

/** What the parent reads. `results`: of all branches but the late ones. */
export function joinOf(
  standing: Standing,
  end: BatchEnd,
  { results, late }: { results: BranchResult[]; late: number[] },
): JoinResult {
  const gate = gateOf(standing, end);
  return {
    status: end.status,
    results,
    ...(gate &&
      gate.policy.kind !== "all" && {
        counted: countedOf(
          standing.branches.map(({ status }) => status),
          gate,
        ),
      }),
    ...(late.length > 0 && { late }),
  };
}

function gateOf({ batch: { policy, arrivals } }: Standing, end: BatchEnd) {
  return policy === null ? null : { policy, arrivals: end.arrivals ?? arrivals };
}
