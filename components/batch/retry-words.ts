// Which branch of a board can be tried again, and what that does, said before it is done. Pure.
import { clockText } from "@/components/domain/clock-text";
import { isRetriable } from "@/server/contract/batch";
import type { BatchSheet, Branch } from "@/server/contract/batch-sheet";
import { laneOf } from "./batch-words";
import { nameOf } from "./outcomes";

/** The chosen one if it can be, else the only one that can; none once the batch has ended or where its first failure ends it. */
export function retriable(sheet: BatchSheet, chosen: number | null): Branch | null {
  if (sheet.status !== "running" || sheet.fail_fast) return null;
  const found = sheet.tasks.filter((branch) => isRetriable(laneOf(branch)));
  const [only, more] = found;
  return found.find((branch) => branch.task_index === chosen) ?? (more === undefined ? (only ?? null) : null);
}

/** `now` 0 = the reader's clock is not known yet. */
export function retryWords(sheet: BatchSheet, branch: Branch, now: number): { what: string; how: string } {
  const left = sheet.deadline_at === undefined || now === 0 ? null : Date.parse(sheet.deadline_at) - now;
  return {
    what: `Retrying ${nameOf(branch)} makes attempt ${branch.attempt_count + 1} of task ${branch.task_index + 1}.`,
    how: `It gets the same box and a new turn${left === null ? "" : ` and has ${clockText(left)} before the limit`}.`,
  };
}
