// What ends a batch, in the same words in the yard, on the board and in the lists.
import type { BatchFrame } from "@/server/contract/frame";

/** "waits for all" */
export function batchRule({ fail_fast, tool_name }: Pick<BatchFrame, "fail_fast" | "tool_name">): string {
  if (tool_name === "ask_expert") return "waits for the answer";
  return fail_fast ? "ends at the first failure" : "waits for all";
}
