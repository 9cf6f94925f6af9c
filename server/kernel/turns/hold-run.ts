// A run that has reached a limit: its turns that have not begun are held, and the run says which limit it is. Asked by whoever
// queues turns that are held, and by the end of a turn in a run that has limits; never by a claim.
import { columnsOf } from "../columns";
import type { Unit } from "../unit";
import { SPENT, usedSql, waitingSql } from "./run-limits-sql";
import { RUN_COLUMNS, type RunRow, runFrame } from "./run-row";

export type RunKey = { project_id: string; root_turn_id: string };

// A statement of its own: a limit that is lifted while this one waits would not be in what the next one sees.
const LOCK = "SELECT 1 FROM state.runs WHERE project_id = $1 AND root_turn_id = $2 FOR NO KEY UPDATE";

// A turn that has begun goes on, also after a takeover.
const HOLD = `
  WITH held AS MATERIALIZED (
    SELECT d.agent_turn_id, t.agent_id FROM (
      SELECT t.agent_turn_id, t.agent_id FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.root_turn_id = $2 AND t.started_at IS NULL AND t.ended_at IS NULL
        AND EXISTS (SELECT 1 FROM state.runs r, LATERAL (${usedSql("$2")}) used
          WHERE r.project_id = $1 AND r.root_turn_id = $2 AND ${SPENT})
      ORDER BY t.agent_turn_id OFFSET 0) t
    CROSS JOIN LATERAL (SELECT d.agent_turn_id FROM state.due d WHERE d.project_id = $1 AND d.agent_turn_id = t.agent_turn_id
      AND d.claimed_by IS NULL AND NOT d.is_held FOR UPDATE) d
  )
  UPDATE state.due d SET queued_for = held.agent_id, is_held = true
  FROM held WHERE d.project_id = $1 AND d.agent_turn_id = held.agent_turn_id`;

const TELL = `
  UPDATE state.runs r SET held = said.held, rev = r.rev + 1
  FROM (SELECT CASE WHEN n.waiting = 0 THEN NULL
      WHEN used.cost >= (l.limits ->> 'cost_max')::numeric
        THEN jsonb_build_object('limit', 'cost_max', 'max', l.limits -> 'cost_max', 'used', used.cost, 'waiting', n.waiting)
      WHEN used.tokens >= (l.limits ->> 'tokens_max')::bigint
        THEN jsonb_build_object('limit', 'tokens_max', 'max', l.limits -> 'tokens_max', 'used', used.tokens, 'waiting', n.waiting)
      WHEN l.limits ? 'turns_max'
        THEN jsonb_build_object('limit', 'turns_max', 'max', l.limits -> 'turns_max', 'used', used.turns - n.waiting, 'waiting', n.waiting)
      END AS held
    FROM state.runs l, LATERAL (${usedSql("$2")}) used, LATERAL (SELECT ${waitingSql("$2")} AS waiting) n
    WHERE l.project_id = $1 AND l.root_turn_id = $2) said
  WHERE r.project_id = $1 AND r.root_turn_id = $2 AND ($3::boolean OR r.held IS DISTINCT FROM said.held)
  RETURNING ${columnsOf(RUN_COLUMNS, "r")}`;

/** Three statements, two round trips; only for a run that has limits. */
export async function holdRun(unit: Unit, key: RunKey): Promise<void> {
  unit.send("run_hold_lock", LOCK, [key.project_id, key.root_turn_id]);
  await unit.query("run_hold", HOLD, [key.project_id, key.root_turn_id]);
  await tellHold(unit, key);
}

/** What holds the run now. `isChanged`: its limits are others, so it is told in any case. */
export async function tellHold(
  unit: Unit,
  { project_id, root_turn_id }: RunKey,
  isChanged = false,
): Promise<RunRow | null> {
  const [row] = await unit.query<RunRow>("run_tell_hold", TELL, [project_id, root_turn_id, isChanged]);
  if (row) unit.frame(project_id, runFrame(row));
  return row ?? null;
}
