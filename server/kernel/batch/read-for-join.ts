// Reads what a join needs before the ends of its last branches are written. The ends, the batch, its result and the caller's next step can
// then go out in one message. The branches are read as they are now; with-ends.ts adds the ends.
import { LOCKED_BOX, type LockedBox } from "../cardbox/grow-boxes";
import { columnsOf } from "../columns";
import { keptSql } from "../inbox/who-serves";
import { TURN_COLUMNS } from "../turns/turn-row";
import type { Unit } from "../unit";
import { type Branch, branchesSql, type Parent } from "./read-standing";

/** A setting of the transaction: the id of the batch that the statement before has locked (before-end.ts). Empty: none. */
export const LOCKED_BATCH_SETTING = "switchyard.locked_batch";

/** `parent`: locked. */
export type JoinReads = {
  parent: Parent;
  branches: Branch[];
  /** The parent's output box, locked. Null unless this call is the only one that the parent waits for, and has no result yet. */
  box: LockedBox | null;
};

type Row = Parent & { branches: Branch[] | null; has_packs: boolean; is_alone: boolean; box: LockedBox | null };

/**
 * A separate statement after the locks, so that it sees everything that was committed before them. If a branch built a context pack, its result
 * is known only after its end. `is_alone`: the call is all that the parent waits for.
 */
const FOR_JOIN = `
  SELECT ${columnsOf(TURN_COLUMNS, "t")}, ${keptSql("t.worker_target", "t.project_id", "$3")} AS is_kept,
    EXISTS (SELECT 1 FROM resource.context_packs p WHERE p.project_id = $1 AND p.agent_turn_id = ANY ($2::text[])) AS has_packs,
    EXISTS (SELECT 1 FROM state.turn_waiting_tools w WHERE w.project_id = $1 AND w.agent_turn_id = t.agent_turn_id
        AND w.tool_call_id = b.parent_tool_call_id AND w.wait_status = 'waiting' AND w.turn_epoch >= t.turn_epoch)
      AND NOT EXISTS (SELECT 1 FROM state.turn_waiting_tools w WHERE w.project_id = $1 AND w.agent_turn_id = t.agent_turn_id
        AND w.tool_call_id <> b.parent_tool_call_id AND w.wait_status IN ('waiting', 'received'))
      AND NOT EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.tool_call_id = b.parent_tool_call_id
        AND (c.metadata ->> 'type') = 'tool.result') AS is_alone,
    (SELECT to_jsonb(x) FROM (SELECT ${LOCKED_BOX} FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = t.output_box_id OFFSET 0) x) AS box,
    (SELECT jsonb_agg(to_jsonb(k) ORDER BY k.task_index) FROM (${branchesSql("b.batch_id")} OFFSET 0) k) AS branches
  FROM (SELECT batch_id, parent_agent_turn_id, parent_tool_call_id FROM state.pmo_batches
    WHERE project_id = $1 AND batch_id = current_setting('${LOCKED_BATCH_SETTING}', true) OFFSET 0) b
  CROSS JOIN LATERAL (SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns
    WHERE project_id = $1 AND agent_turn_id = b.parent_agent_turn_id OFFSET 0) t`;

/** Null: no batch was locked, or a branch built a context pack and the batch must be read after the ends. */
export async function readForJoin(
  unit: Unit,
  { project_id, agent_turn_ids }: { project_id: string; agent_turn_ids: string[] },
): Promise<JoinReads | null> {
  const { workerSeenMsMax } = unit.kernel.tunables;
  const [row] = await unit.query<Row>("batch_for_join", FOR_JOIN, [project_id, agent_turn_ids, workerSeenMsMax]);
  if (!row?.branches || row.has_packs) return null;
  const { branches, has_packs: _packs, is_alone, box, ...parent } = row;
  return { parent, branches, box: is_alone ? box : null };
}
