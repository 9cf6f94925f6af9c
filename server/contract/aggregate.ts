// What ended branches make of their batch (docs/design/kernel.md 8): the kernel decides by it, and the board foretells by it.
import type { BatchStatus, TaskStatus } from "./batch";

/** Some success makes it partial; then the worst word wins. */
export function aggregate(tasks: readonly TaskStatus[]): Exclude<BatchStatus, "running" | "canceled"> {
  const has = (status: TaskStatus) => tasks.includes(status);
  if (tasks.every((status) => status === "success")) return "success";
  if (has("success")) return "partial";
  if (has("failed")) return "failed";
  if (has("timeout")) return "timeout";
  return has("partial") ? "partial" : "failed";
}
