// The order of a board's rows. The join itself is always in task_index order.
import type { Branch } from "@/server/contract/batch-sheet";
import { laneOf, loadOf } from "./batch-words";

export const branchSorts = ["index", "status", "time", "load"] as const;
export type BranchSort = (typeof branchSorts)[number];

export const sortLabels: Record<BranchSort, string> = {
  index: "Task",
  status: "Status",
  time: "Longest first",
  load: "Largest first",
};

/** What needs a look comes first. */
const rank = ["failed", "timeout", "canceled", "partial", "running", "suspended", "dispatched", "queued", "pending"];

/** `now` counts the time of those that still run. */
export function sortBranches(branches: readonly Branch[], sort: BranchSort, now: number): readonly Branch[] {
  if (sort === "index") return branches;
  const weigh: Record<Exclude<BranchSort, "index">, (branch: Branch) => number> = {
    status: (branch) => -1 * (rank.indexOf(laneOf(branch)) + 1 || rank.length + 1),
    time: (branch) => ranMs(branch, now),
    load: loadOf,
  };
  const weight = weigh[sort];
  return branches.toSorted((a, b) => weight(b) - weight(a) || a.task_index - b.task_index);
}

/** From its start to its end, or to now; 0 for one that has not begun. */
export function ranMs(branch: Pick<Branch, "turn">, now: number): number {
  const { turn } = branch;
  if (turn?.started_at === undefined) return 0;
  const until = turn.ended_at === undefined ? now : Date.parse(turn.ended_at);
  return Math.max(0, until - Date.parse(turn.started_at));
}
