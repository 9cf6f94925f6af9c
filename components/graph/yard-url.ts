// What of the yard lives in the address: a link shows another person the same run, the same turn, the same search.
import { parseAsArrayOf, parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { turnStatuses } from "@/server/contract/turn";

export const yardParams = {
  /** A root turn's id, or "all"; absent is the newest run. */
  run: parseAsString,
  /** The selected turn. */
  turn: parseAsString,
  q: parseAsString.withDefault(""),
  status: parseAsArrayOf(parseAsStringLiteral(turnStatuses)).withDefault([]),
  /** At most so many turns of all runs. */
  limit: parseAsInteger,
};

/** Turns of all runs are many; the newest so many are drawn, and the filter bar says so. */
export const ALL_RUNS_LIMIT = 1_000;
/** More than this the server does not send. */
export const LIMIT_MAX = 10_000;
