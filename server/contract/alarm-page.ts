// The list of alarms as a page shows it.
import type { Alarm } from "./alarm";
import type { AlarmRule } from "./alarm-rules";
import type { TurnRef } from "./line";

/** For a list. `turn`, `run_number`: absent only if the run was not kept. */
export type AlarmLine = Alarm & { turn?: TurnRef; run_number?: number };
export type AlarmCount = { rule: AlarmRule; active: number; muted: number };
export type AlarmPage = {
  items: AlarmLine[];
  next_cursor?: string;
  /** Frames after it tell what changes. */
  live_cursor: string;
  /** Of all rules with an alarm, under the same run and subject. Each stops at COUNTED_MAX + 1. */
  counts: AlarmCount[];
};
