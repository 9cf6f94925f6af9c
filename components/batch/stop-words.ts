// What stopping a batch does, said before it is done.
import { formatCount } from "@/components/ui/format";
import { batchFirstWord } from "@/server/contract/batch-code";
import type { BatchSheet } from "@/server/contract/batch-sheet";
import { isOut, laneOf } from "./batch-words";

const namedMax = 5;

export function stopWords(sheet: BatchSheet): string {
  const out = sheet.tasks.filter((branch) => isOut(laneOf(branch)));
  const codes = out.flatMap((branch) => branch.turn?.headcode ?? []);
  const held = out.length - codes.length;
  const parts = [
    codes.length === 0 ? null : codes.length > namedMax ? formatCount(codes.length, "turn") : list(codes),
    held === 0 ? null : `${formatCount(held, "task")} that ${held === 1 ? "has" : "have"} not started`,
  ].filter((part) => part !== null);
  const stops = parts.length === 0 ? "None of it is still running." : `Stops ${list(parts)}. Their cards stay.`;
  const code = sheet.parent?.headcode ?? "the parent";
  const then =
    sheet.parent?.is_human === true
      ? `and ${code} ends with what has been delivered`
      : `and ${code} is resumed with what has been delivered`;
  return `${stops} ${batchFirstWord(sheet)} closes as canceled, ${then}.`;
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
