// The list of runs: what is asked of it, and what it answers.
import * as z from "zod";
import type { RunFrame } from "./frame";
import { PageQuery } from "./page";
import {
  RUN_TURNS_SORTED,
  RUNS_NEWEST,
  RUNS_PAGE_MAX,
  RUNS_SORTED,
  type RunStatus,
  runOrders,
  runStatuses,
} from "./run-order";
import { QUERY_CHARS_MAX } from "./search-query/scan";

export const RunsQuery = PageQuery.extend({
  q: z
    .string()
    .max(QUERY_CHARS_MAX * 10)
    .default("")
    .describe("In the search language, as of runs."),
  status: z.enum(runStatuses).optional(),
  sort: z
    .enum(runOrders)
    .default(RUNS_NEWEST)
    .describe(
      `A minus sorts downwards. Any other order than \`${RUNS_NEWEST}\` is of the newest ${RUNS_SORTED} runs that fit, or of so many as have ${RUN_TURNS_SORTED} turns together: \`looked_at\` says how many.`,
    ),
  limit: z.coerce.number().int().min(1).max(RUNS_PAGE_MAX).default(RUNS_PAGE_MAX),
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
  /** An imported log without times: what its turns have for times says nothing but their order. */
  is_untimed?: true;
  /** What a person handed over to first, and what can be run again. Absent where people forked or launched a plan. */
  launched_turn_id?: string;
  /** Of agents, and of the people who launched them. */
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
