// Runs that something can be added to while they run: those with a turn that has not ended.

import { sleepingTurnsSql } from "../live-sql";
import { type Reader, read } from "../reader";

export type LiveRun = { root_turn_id: string; number: number; title: string };
/** Newest first. `has_more`: there are further ones. */
export type LiveRuns = { runs: LiveRun[]; has_more: boolean };

const LISTED_MAX = 50;
/** Turns that wait: a full queue belongs to few runs. */
const LOOKED_AT = 20_000;

// What has not ended is in the queue or waits for a call, and both have an index of those alone: the newest thousand runs
// were asked for their turns, and all turns of the project were read. Imports are records of what happened elsewhere: nothing is
// added to them.
const LIVE = `
  WITH live AS (
    (SELECT d.agent_turn_id AS id FROM state.due d WHERE d.project_id = $1 LIMIT ${LOOKED_AT})
    UNION ALL ${sleepingTurnsSql("$1")}
  )
  SELECT r.root_turn_id, r.number, r.title FROM state.runs r
  WHERE r.project_id = $1 AND r.source <> 'import' AND r.root_turn_id = ANY (ARRAY(
    SELECT DISTINCT t.root_turn_id FROM live l CROSS JOIN LATERAL (SELECT t.root_turn_id FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.agent_turn_id = l.id AND t.ended_at IS NULL OFFSET 0) t))
  ORDER BY r.number DESC LIMIT ${LISTED_MAX + 1}`;

/** An unknown project has none. */
export async function listLiveRuns(reader: Reader, { project_id }: { project_id: string }): Promise<LiveRuns> {
  const rows = await read<LiveRun>(reader, "runs_live", LIVE, [project_id]);
  return { runs: rows.slice(0, LISTED_MAX), has_more: rows.length > LISTED_MAX };
}
