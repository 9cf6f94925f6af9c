// What the parent gets, if: the aggregation of docs/design/kernel.md 8, for the branches as they stand and as they may end.
import { formatCount } from "@/components/ui/format";
import { aggregate } from "@/server/contract/aggregate";
import type { Batch, BatchStatus } from "@/server/contract/batch";
import type { Branch } from "@/server/contract/batch-sheet";
import { isOut, laneOf } from "./batch-words";
import { gateOutcomes } from "./gate-outcomes";
import type { Outcome } from "./outcome";

type Ended = "success" | "partial" | "failed" | "timeout" | "canceled";

/** Of branches that have all ended, or of which one has ended the batch by failing fast. */
export function joinStatus(ends: readonly Ended[], isFailFast: boolean): Exclude<BatchStatus, "running" | "canceled"> {
  const has = (status: Ended) => ends.includes(status);
  if (isFailFast && (has("failed") || has("canceled") || has("timeout"))) return "failed";
  return aggregate(ends);
}

/** One branch that is out: it delivers or it fails. Several: all of them, or one. And the deadline. Empty once it has ended. */
export function outcomesOf(batch: Batch, branches: readonly Branch[]): Outcome[] {
  if (batch.status !== "running") return [];
  if (batch.policy !== undefined) return gateOutcomes(batch, branches);
  const lanes = branches.map((branch) => ({ branch, lane: laneOf(branch) }));
  const out = lanes.filter(({ lane }) => isOut(lane)).map(({ branch }) => branch);
  const ends = lanes.flatMap(({ lane }) => (isOut(lane) ? [] : (lane as Ended)));
  const good = ends.filter((status) => status === "success").length;
  const total = batch.task_count;
  const outcome = (when: string, more: readonly Ended[]): Outcome => {
    const status = joinStatus([...ends, ...more], batch.fail_fast);
    const delivered = good + more.filter((end) => end === "success").length;
    return { when, status, what: `${delivered} of ${total}` };
  };
  const all = (status: Ended): Ended[] => out.map(() => status);
  const [only] = out;
  const outcomes: Outcome[] = [];
  if (only !== undefined && out.length === 1) {
    outcomes.push(outcome(`${nameOf(only)} delivers`, ["success"]), outcome(`${nameOf(only)} fails`, ["failed"]));
  } else if (only !== undefined) {
    const rest = `the ${formatCount(out.length, "branch", "branches")} still running`;
    outcomes.push(outcome(`${capital(rest)} deliver`, all("success")));
    outcomes.push(
      batch.fail_fast
        ? { when: "Any branch fails", status: "failed", what: "the rest is stopped" }
        : outcome("One branch fails", [...all("success").slice(1), "failed"]),
      ...(batch.fail_fast ? [] : [outcome("All branches fail", all("failed"))]),
    );
  }
  if (batch.deadline_at !== undefined)
    outcomes.push({
      when: "comes first",
      at: batch.deadline_at,
      status: "timeout",
      what: only === undefined ? "before it has settled" : stops(out),
    });
  return outcomes;
}

/** A branch that is held back has no headcode yet. */
export const nameOf = (branch: Branch): string => branch.turn?.headcode ?? `Task ${branch.task_index + 1}`;

const stops = (out: readonly Branch[]): string =>
  out.length === 1 && out[0] !== undefined ? `stops ${nameOf(out[0])}` : `stops ${out.length}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
