// What a run stands at, and in which orders runs are listed. Apart from the schema of the list: a page needs no validation before
// it is drawn.
import type { EndStatus } from "./turn";

/** From what needs a look to what does not: the list is sorted by it. */
export const runStatuses = ["running", "waiting", "failed", "timeout", "canceled", "partial", "success"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Of its turns. `ends`: how those ended that a person launched (run-figures-sql.ts says which). */
export type RunStanding = { working: number; live: number; ends: readonly EndStatus[] };

/**
 * What a run stands at, everywhere: `running` while a turn works, `waiting` while what has not ended waits, and then the worst of
 * what people launched in it.
 */
export function runStatusOf({ working, live, ends }: RunStanding): RunStatus {
  if (working > 0) return "running";
  if (live > 0) return "waiting";
  return (
    runStatuses.find((status) => status !== "running" && status !== "waiting" && ends.includes(status)) ?? "success"
  );
}

/** Turns of one run that are counted: the newest. */
export const RUN_TURNS_COUNTED = 10_000;
/** Runs among which a list is sorted by something else than their beginning, or filtered by status: the newest that fit. */
export const RUNS_SORTED = 500;
/** Fewer where these have more turns together than this, but always as many as a page lists. */
export const RUN_TURNS_SORTED = 30_000;
export const RUNS_PAGE_MAX = 50;

export const runSorts = [
  "begun",
  "status",
  "title",
  "who",
  "duration",
  "turns",
  "failed",
  "tokens",
  "cost",
  "alarms",
] as const;
export type RunSort = (typeof runSorts)[number];
/** A minus: from the largest, the last letter or the newest. */
export type RunOrder = RunSort | `-${RunSort}`;
export const runOrders: readonly RunOrder[] = runSorts.flatMap((sort): RunOrder[] => [sort, `-${sort}`]);

/** In the address of the page, of a saved view and of the API. */
export const RUNS_NEWEST: RunOrder = "-begun";
