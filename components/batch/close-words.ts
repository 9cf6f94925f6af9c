// Closing a batch with what it has: possible where one branch alone is out, for then its stop is the end of the batch.
import { batchFirstWord } from "@/server/contract/batch-code";
import type { BatchSheet } from "@/server/contract/batch-sheet";
import type { TurnFrame } from "@/server/contract/frame";
import { isOut, laneOf } from "./batch-words";
import { joinStatus } from "./outcomes";

/**
 * The turn to stop so that the batch closes as partial. Null where that would come to something else, and where a task that is
 * held back would begin in its place.
 */
export function lastOut(sheet: BatchSheet): TurnFrame | null {
  if (sheet.status !== "running" || sheet.policy !== undefined) return null;
  const lanes = sheet.tasks.map((branch) => ({ branch, lane: laneOf(branch) }));
  const [only, more] = lanes.filter(({ lane }) => isOut(lane));
  if (only?.branch.turn === undefined || more !== undefined) return null;
  const ends = lanes.map(({ lane }) => (isOut(lane) ? "canceled" : lane) as Parameters<typeof joinStatus>[0][number]);
  return joinStatus(ends, sheet.fail_fast) === "partial" ? only.branch.turn : null;
}

export function closeWords(sheet: BatchSheet, turn: TurnFrame): string {
  const delivered = sheet.tasks.filter((branch) => laneOf(branch) === "success").length;
  const code = sheet.parent?.headcode ?? "the parent";
  const then = sheet.parent?.is_human === true ? `${code} ends with it` : `${code} is resumed with it`;
  return `Stops ${turn.headcode}. Its cards stay. ${batchFirstWord(sheet)} closes as partial, ${delivered} of ${sheet.task_count}, and ${then}.`;
}
