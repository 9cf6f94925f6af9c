// What the parent gets, if: of a batch whose gate does not wait for all. Beside outcomes.ts, which is for those that do.
import { gateMarkOf } from "@/components/domain/gate-mark";
import { formatCount } from "@/components/ui/format";
import type { Batch } from "@/server/contract/batch";
import type { Branch } from "@/server/contract/batch-sheet";
import { isOut, laneOf } from "./batch-words";
import type { Outcome } from "./outcome";

/** Empty for a batch without a policy, and once it has ended. */
export function gateOutcomes(batch: Batch, branches: readonly Branch[]): Outcome[] {
  const { policy, needed = 0, status } = batch;
  if (policy === undefined || status !== "running") return [];
  const lanes = branches.map(laneOf);
  const out = lanes.filter(isOut).length;
  const counts = (lane: string) => policy.count === "ended" || lane === "success" || lane === "partial";
  const counted = lanes.filter((lane) => !isOut(lane) && counts(lane)).length;
  const rest = policy.late === "run" ? "the rest goes on" : "the rest is stopped";
  const outcomes: Outcome[] = [];
  if (policy.kind !== "all") {
    const missing = needed - counted;
    const verb = policy.count === "ended" ? "end" : "deliver";
    outcomes.push({
      when: `${formatCount(missing, "more branch", "more branches")} ${missing === 1 ? `${verb}s` : verb}`,
      status: "success",
      what: rest,
    });
    if (policy.count !== "ended")
      outcomes.push({ when: `More than ${out - missing} of ${out} fail`, status: "failed", what: rest });
  }
  if (batch.gate_at !== undefined)
    outcomes.push({
      when: "comes first",
      at: batch.gate_at,
      status: policy.on_timeout === "fail" ? "failed" : lanes.some((lane) => !isOut(lane)) ? "partial" : "timeout",
      what: rest,
    });
  if (batch.deadline_at !== undefined)
    outcomes.push({ when: "comes first", at: batch.deadline_at, status: "timeout", what: "all are stopped" });
  return outcomes;
}

/** What a branch was to the gate. Null for a batch without a policy. */
export function gateMark(batch: Batch, branches: readonly Branch[], index: number): string | null {
  const { policy, arrivals = [], late = [], needed = 0 } = batch;
  if (policy === undefined) return null;
  const delivered = (i: number) => {
    const branch = branches.find(({ task_index }) => task_index === i);
    const lane = branch && laneOf(branch);
    return lane === "success" || lane === "partial";
  };
  return gateMarkOf({ policy, needed, arrivals, late, delivered }, index);
}
