// Whether a batch has ended, and how (docs/design/kernel.md 8). A pure function of its branches and the clock, so that a
// ring, a sweep and a deadline all reach the same result.
import { aggregate } from "@/server/contract/aggregate";
import type { BatchStatus, TaskStatus } from "@/server/contract/batch";
import { decideGate, type Gate, type GateEnd } from "./decide-gate";

export type Verdict =
  | { kind: "wait"; free_slots: number }
  | { kind: "end"; status: Exclude<BatchStatus, "running" | "canceled">; cause: "all" | "fail_fast" | "deadline" }
  | GateEnd;

export type DecideInput = {
  tasks: readonly TaskStatus[];
  fail_fast: boolean;
  is_overdue: boolean;
  max_parallel: number | null;
  /** Of a batch with a policy. */
  gate?: Gate;
};

export function decide({ tasks, fail_fast, is_overdue, max_parallel, gate }: DecideInput): Verdict {
  const has = (status: TaskStatus) => tasks.includes(status);
  const isOpen = has("pending") || has("dispatched");
  const closed = gate && decideGate(tasks, gate, is_overdue);
  if (closed) return closed;
  // A late sweep does not change branches that all finished in time.
  if (isOpen && is_overdue) return { kind: "end", status: "timeout", cause: "deadline" };
  if (fail_fast && (has("failed") || has("canceled") || has("timeout")))
    return { kind: "end", status: "failed", cause: "fail_fast" };
  if (!isOpen) return { kind: "end", status: aggregate(tasks), cause: "all" };
  const running = tasks.filter((status) => status === "dispatched").length;
  return { kind: "wait", free_slots: Math.max(0, (max_parallel ?? tasks.length) - running) };
}
