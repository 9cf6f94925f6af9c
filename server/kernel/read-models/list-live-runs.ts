// Runs that something can be added to while they run: those with a turn that has not ended.
import { type Reader, read } from "../reader";

export type LiveRun = { root_turn_id: string; number: number; title: string };
/** Newest first. `has_more`: there are further ones. */
export type LiveRuns = { runs: LiveRun[]; has_more: boolean };

const LISTED_MAX = 50;
/** An old run among thousands that have ended is named by its link, and not looked for here. */
const LOOKED_AT = 1_000;

// Imports are records of what happened elsewhere: nothing is added to them.
const LIVE = `
  SELECT r.root_turn_id, r.number, r.title FROM (
    SELECT root_turn_id, number, title FROM state.runs WHERE project_id = $1 AND source <> 'import'
    ORDER BY number DESC LIMIT ${LOOKED_AT}) r
  WHERE EXISTS (SELECT 1 FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.root_turn_id = r.root_turn_id AND t.ended_at IS NULL)
  ORDER BY r.number DESC LIMIT ${LISTED_MAX + 1}`;

/** An unknown project has none. */
export async function listLiveRuns(reader: Reader, { project_id }: { project_id: string }): Promise<LiveRuns> {
  const rows = await read<LiveRun>(reader, "runs_live", LIVE, [project_id]);
  return { runs: rows.slice(0, LISTED_MAX), has_more: rows.length > LISTED_MAX };
}
