// A batch's result from its ended branches (docs/design/kernel.md 8). The kernel decides with it, the board predicts with it.
import type { BatchStatus, TaskStatus } from "./batch";

/** Some success makes it partial; otherwise the worst status wins. */
export function aggregate(tasks: readonly TaskStatus[]): Exclude<BatchStatus, "running" | "canceled"> {
  const has = (status: TaskStatus) => tasks.includes(status);
  if (tasks.every((status) => status === "success")) return "success";
  if (has("success")) return "partial";
  if (has("failed")) return "failed";
  if (has("timeout")) return "timeout";
  return has("partial") ? "partial" : "failed";
}
