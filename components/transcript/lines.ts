// The lines of a transcript as they are listed: pages one after the other, which line is meant, and what came since.
import type { TranscriptLine, TranscriptPage } from "@/server/contract/answers/transcript";

/** A line that came while pages were read may stand on two of them. */
export const linesOf = (pages: readonly Pick<TranscriptPage, "items">[]): TranscriptLine[] => [
  ...new Map(pages.flatMap((page) => page.items.map((line) => [line.line_id, line] as const))).values(),
];

export type Chosen = { turn: string | null; card: string | null };

/** The line of a card, else the first of a turn; -1 = it is not among these. */
export function chosenIndex(lines: readonly TranscriptLine[], { turn, card }: Chosen): number {
  if (card !== null) {
    const exact = lines.findIndex((line) => line.card_id === card && (turn === null || isOf(line, turn)));
    if (exact >= 0) return exact;
    if (turn === null) return -1;
  }
  return turn === null ? -1 : lines.findIndex((line) => isOf(line, turn));
}

/** Whether a turn wrote it, or was begun by it. */
export const isOf = (line: TranscriptLine, turn: string): boolean =>
  line.agent_turn_id === turn || line.to_turn_id === turn;

/** The turn that a line stands for in the yard: a task is the turn that it begins. */
export const turnOf = (line: TranscriptLine): string =>
  line.kind === "asked" && line.to_turn_id !== undefined && line.mistake === undefined
    ? line.to_turn_id
    : line.agent_turn_id;

/** Pages that are read again at the end of a live run: what was written late stands before what came first. */
const TAIL_PAGES = 2;

export const tailFrom = (pages: readonly unknown[]): number => Math.max(0, pages.length - TAIL_PAGES);

/** Lines behind the last one that the reader has had at the end of the list. */
export function newSince(lines: readonly TranscriptLine[], seen: string | null): number {
  if (seen === null) return 0;
  const at = lines.findIndex((line) => line.line_id === seen);
  return at < 0 ? 0 : lines.length - 1 - at;
}

/** Who speaks again at once needs no second name. */
export const isContinued = (line: TranscriptLine, before: TranscriptLine | undefined): boolean =>
  before !== undefined &&
  line.from !== undefined &&
  line.from === before.from &&
  line.agent_turn_id === before.agent_turn_id &&
  line.kind === "said" &&
  before.kind === "said";
