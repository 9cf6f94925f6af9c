// Whether the gate of a batch with a policy closes: enough have arrived, too few still can, or its own time is over. Pure.
import type { ClosedBy, TaskStatus } from "@/server/contract/batch";
import type { JoinPolicy } from "@/server/contract/join-policy";
import { neededOf } from "@/server/contract/join-rules";

export type Gate = {
  policy: JoinPolicy;
  /** The policy's own time is over, and it is not to wait for the deadline. */
  is_due: boolean;
  /** Indexes of branches without attempts left, in the order of their arrival. */
  arrivals: readonly number[];
};

export type GateEnd = {
  kind: "end";
  status: "success" | "partial" | "failed" | "timeout";
  cause: ClosedBy;
};

/** Null = the gate stays open, or the batch's own rules decide. */
export function decideGate(tasks: readonly TaskStatus[], gate: Gate, isOverdue: boolean): GateEnd | null {
  const { policy, arrivals, is_due } = gate;
  const isOpen = (status: TaskStatus) => status === "pending" || status === "dispatched";
  if (policy.kind !== "all") {
    const needed = neededOf(policy, tasks.length);
    const counted = countedOf(tasks, gate).length;
    // What was reached in time is not taken back by a late look.
    if (counted >= needed) return { kind: "end", status: "success", cause: "satisfied" };
    if (counted + tasks.filter(isOpen).length < needed)
      return { kind: "end", status: "failed", cause: "quorum_unreachable" };
  }
  if (!is_due || isOverdue || !tasks.some(isOpen)) return null;
  if (policy.on_timeout === "fail") return { kind: "end", status: "failed", cause: "join_timeout" };
  return { kind: "end", status: arrivals.length > 0 ? "partial" : "timeout", cause: "partial_timeout" };
}

/** Indexes of the arrivals that count, the first `needed` at most, in the order of their arrival. */
export function countedOf(tasks: readonly TaskStatus[], { policy, arrivals }: Omit<Gate, "is_due">): number[] {
  const counts = (i: number) =>
    policy.kind === "all" || policy.count === "ended" || tasks[i] === "success" || tasks[i] === "partial";
  return arrivals.filter(counts).slice(0, neededOf(policy, tasks.length));
}
