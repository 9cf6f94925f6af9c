// A run as it was at a moment, and all its moments. Told from the journal, or, where the journal does not hold them, from the times
// that rows carry. Whoever shows it says which of the two it is.
import * as z from "zod";
import { type Frame, fold, type Picture } from "./frame";

/** imported: written in one moment. expired: the journal no longer has its beginning. too_many: more frames than are read. */
export type TimesWhy = "imported" | "expired" | "too_many";
/** `why`: with `times` only. */
export type HistorySource = { source: "journal"; why?: undefined } | { source: "times"; why: TimesWhy };

/** An instant as ISO 8601, as in the address: `at=2026-11-26T14:29:07.000Z`. */
const YEARS = { from: Date.parse("1970-01-01T00:00:00Z"), until: Date.parse("9999-12-31T00:00:00Z") };

export const AsOfQuery = z.strictObject({
  at: z.iso
    .datetime({ offset: true, error: "give an instant as ISO 8601" })
    .refine(
      (at) => Date.parse(at) >= YEARS.from && Date.parse(at) < YEARS.until,
      "give an instant between the years 1970 and 9999",
    ),
});

export type AsOf = HistorySource & {
  root_turn_id: string;
  at: string;
  /** One for each entity that was there: turns, edges, batches, tasks without a turn, plans, requests, alarms, and the run. */
  frames: Frame[];
  /** Turns that were there. */
  shown_turns: number;
};

/** `at`: in milliseconds since 1970. */
export type HistoryFrame = { at: number; frame: Frame };

/** In milliseconds since 1970: somebody worked. `to` is null while a step runs. */
export type WorkSpan = [from: number, to: number | null];

export type RunHistory = HistorySource & {
  root_turn_id: string;
  /** When it was read. */
  read_at: string;
  /** False: more than are sent, and then none are: a moment is asked for by itself. */
  is_whole: boolean;
  /** In the order of time. */
  frames: HistoryFrame[];
};

/** When steps of a run were at work, joined where they touch; null = too many steps to say. */
export type RunWork = { read_at: string; work: WorkSpan[] | null };

/** Frames sent at once: about 6 MB, which a browser folds in a few milliseconds. */
export const HISTORY_FRAMES_MAX = 4_000;
/** Turns of a run that a moment is told of, like the yard's own picture. */
export const AS_OF_TURNS_MAX = 10_000;

/** What was there at `at`. */
export function pictureAt(base: Picture, history: readonly HistoryFrame[], at: number): Picture {
  return fold(
    base,
    history.filter((told) => told.at <= at).map(({ frame }) => frame),
  );
}

/** Spans in any order, joined where they overlap or touch. */
export function joinedWork(spans: readonly WorkSpan[]): WorkSpan[] {
  const joined: WorkSpan[] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && (last[1] === null || from <= last[1]))
      last[1] = last[1] === null || to === null ? null : Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
