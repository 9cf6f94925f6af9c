// Finds turns by what a person would type: a headcode, a profile, words of the title or the error, a status.
import { statusWord } from "@/components/domain/status-words";
import type { TurnFrame } from "@/server/contract/frame";
import type { TurnStatus } from "@/server/contract/turn";
import { batchTitle } from "./batch-words";
import type { BatchView } from "./plan/batch-view";
import { noteOf, turnLabel } from "./turn-words";

export type YardFilter = {
  q: string;
  statuses: readonly TurnStatus[];
  /** The batch a turn is a branch of is a word for it too. */
  batchOf?: (batchId: string) => BatchView | undefined;
};

/** Null when nothing is asked for: then everything is shown, and nothing need be counted. */
export function filterTurns(
  turns: readonly TurnFrame[],
  { q, statuses, batchOf }: YardFilter,
): ReadonlySet<string> | null {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && statuses.length === 0) return null;
  const matches = new Set<string>();
  for (const turn of turns) {
    if (statuses.length > 0 && !statuses.includes(turn.status)) continue;
    const text = textOf(turn);
    const batch = turn.batch_id === undefined ? undefined : batchOf?.(turn.batch_id);
    const more = batch ? `${batch.name} ${batchTitle(batch.batch)}`.toLowerCase() : "";
    if (words.every((word) => text.includes(word) || more.includes(word))) matches.add(turn.agent_turn_id);
  }
  return matches;
}

/** A frame never changes, so its text is put together once, however often a letter is typed. */
function textOf(turn: TurnFrame): string {
  let text = texts.get(turn);
  if (text === undefined) {
    text = [
      turn.headcode,
      turnLabel(turn),
      turn.agent_id,
      turn.title,
      noteOf(turn),
      turn.error_code,
      turn.status,
      statusWord(turn.status),
      alsoCalled[turn.status],
      turn.mark === undefined ? undefined : "mistake",
    ]
      .filter((part) => part !== undefined)
      .join("\n")
      .toLowerCase();
    texts.set(turn, text);
  }
  return text;
}

const texts = new WeakMap<TurnFrame, string>();

/** What people call it, beside what it is called. */
const alsoCalled: Record<TurnStatus, string> = {
  queued: "waiting",
  dispatched: "waiting starting",
  running: "active live",
  suspended: "",
  success: "done ok ended",
  partial: "incomplete ended",
  failed: "error ended",
  timeout: "error ended",
  canceled: "cancelled stopped ended",
};
