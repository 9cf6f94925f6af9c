// How many of the newest runs are put in another order than their age, or asked for their status. Their figures are sums over their
// turns: of five hundred runs of a thousand turns each they took seconds, where two hundred short ones take little.
import { RUN_TURNS_COUNTED, RUN_TURNS_SORTED, RUNS_PAGE_MAX } from "@/server/contract/run-order";
import { type Reader, read } from "../reader";

// In the order of the runs, and no further than the limit: turns are counted from an index, without reading them.
const WITHIN = `
  SELECT count(*)::int AS turns, coalesce(max(s.n), 0)::int AS last FROM (
    SELECT r.n FROM unnest($2::text[]) WITH ORDINALITY AS r(root_turn_id, n)
    CROSS JOIN LATERAL (SELECT 1 FROM state.agent_turns o WHERE o.project_id = $1 AND o.root_turn_id = r.root_turn_id LIMIT ${RUN_TURNS_COUNTED}) t
    LIMIT ${RUN_TURNS_SORTED + 1}) s`;

/** `ids`: newest first. The first of them that have no more turns together than are summed; a page of them always. */
export async function runsWithin<Run extends { id: string }>(
  reader: Reader,
  project_id: string,
  runs: readonly Run[],
): Promise<readonly Run[]> {
  if (runs.length <= RUNS_PAGE_MAX) return runs;
  const ids = runs.map(({ id }) => id);
  const [row] = await read<{ turns: number; last: number }>(reader, "runs_within", WITHIN, [project_id, ids]);
  if (!row || row.turns <= RUN_TURNS_SORTED) return runs;
  // The last one was not counted to its end.
  return runs.slice(0, Math.max(row.last - 1, RUNS_PAGE_MAX));
}
