// The list of runs: what a run stands at, what is asked of the list, and what it answers.
import * as z from "zod";
import type { RunFrame } from "./frame";
import { PageQuery } from "./page";
import { QUERY_CHARS_MAX } from "./search-query/scan";
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
const PAGE_MAX = 50;

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

export const RunsQuery = PageQuery.extend({
  q: z
    .string()
    .max(QUERY_CHARS_MAX * 10)
    .default("")
    .describe("In the search language, as of runs."),
  status: z.enum(runStatuses).optional(),
  sort: z
    .enum(runOrders)
    .default("-begun")
    .describe(
      `A minus sorts downwards. Any other order than \`-begun\` is of the newest ${RUNS_SORTED} runs that fit.`,
    ),
  limit: z.coerce.number().int().min(1).max(PAGE_MAX).default(PAGE_MAX),
  cursor: z.string().max(1_000).optional(),
}).strict();
export type RunsQuery = z.infer<typeof RunsQuery>;

export type RunLine = Pick<RunFrame, "root_turn_id" | "number" | "title" | "source" | "created_at"> & {
  status: RunStatus;
  /** The agent of its root turn, and how it is called. */
  agent_id: string;
  who: string;
  /** Of its last turn. Absent while one has not ended. */
  ended_at?: string;
  /** Of agents. */
  turns: number;
  /** It has more turns than were counted, and its figures leave the older ones out. */
  is_cut?: true;
  /** Turns that have not ended, and those that failed or ran out of time. */
  live: number;
  failed: number;
  /** In and out, as the providers reported them. */
  tokens: number;
  /** US dollars. Absent = no turn has a price. */
  cost?: number;
  /** Turns that used tokens and have no price. The cost leaves them out. */
  unpriced: number;
  /** Not muted. */
  alarms: number;
};

export type RunPage = {
  items: RunLine[];
  next_cursor?: string;
  /** Frames after it tell what changes. */
  live_cursor: string;
  /** Not all runs were looked at, but the newest so many. */
  is_partial: boolean;
  looked_at?: number;
};
