// What ends a batch, in the same words in the yard, on the board and in the lists.
import type { BatchFrame } from "@/server/contract/frame";
import { gateWords } from "./policy-words";

/** "waits for all" */
export function batchRule({
  tool_name,
  task_count,
  ...rule
}: Pick<BatchFrame, "fail_fast" | "tool_name" | "policy" | "task_count">): string {
  return tool_name === "ask_expert" ? "waits for the answer" : gateWords(rule, task_count);
}
