// What of the yard lives in the address: a link shows another person the same run, the same turn, the same search.
import { parseAsArrayOf, parseAsInteger, parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from "nuqs";
import { turnStatuses } from "@/server/contract/turn";

export const yardParams = {
  /** A root turn's id, or "all"; absent is the newest run. */
  run: parseAsString,
  /** The selected turn. */
  turn: parseAsString,
  q: parseAsString.withDefault(""),
  /** A card: only the turns that it came to are lit. */
  saw: parseAsString,
  /** Words: only the turns of the run that had a card with them are lit. */
  saw_text: parseAsString,
  status: parseAsArrayOf(parseAsStringLiteral(turnStatuses)).withDefault([]),
  /** Batches folded into one wagon; "-" before one that folds by itself and shall not. */
  fold: parseAsArrayOf(parseAsString).withDefault([]),
  /** The yard as a table, or as lanes of agents; absent is the plan. */
  view: parseAsStringLiteral(["tree", "lanes"]),
  /** What the plan shows: absent is who called whom. */
  lens: parseAsStringLiteral(["agents", "flow"]),
  /** The selected edge of the context flow: a turn, a wagon or a source, and what holds its cards. */
  flow_from: parseAsString,
  flow_to: parseAsString,
  /** The agent that is selected in the lens of agents. */
  of_agent: parseAsString,
  /** Agents alike that are shown one by one: the first of each. */
  unfold_agents: parseAsArrayOf(parseAsString).withDefault([]),
  /** A step of the tour, from 1. */
  tour: parseAsInteger,
  /** The moment that is shown, as ISO 8601; absent is now. */
  at: parseAsIsoDateTime,
  /** The part of the run's time that the timeline is about. */
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
  /** The timeline with a row for each agent; absent is a row for each turn. */
  rows: parseAsStringLiteral(["agents"]),
  /** At most so many turns of all runs. */
  limit: parseAsInteger,
};
