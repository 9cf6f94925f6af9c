// What joining a batch needs, read while the ends of its last branches are prepared: then the ends, the batch, its result and the turn that
// goes on with it are written in one message. The branches are read as they are before these ends, and counted as they will be after them.
import { LOCKED_BOX, type LockedBox } from "../cardbox/grow-boxes";
import { columnsOf } from "../columns";
import { keptSql } from "../inbox/who-serves";
import type { WrittenEnd } from "../kernel";
import { TURN_COLUMNS } from "../turns/turn-row";
import type { Unit } from "../unit";
import { BRANCH_COLUMNS, type Branch, type Parent } from "./read-standing";

/** Name of a transaction's setting: the batch that the statement before has locked; empty = none. */
export const JOINABLE = "switchyard.joinable";

/** `parent`: locked. */
export type Ahead = {
  parent: Parent;
  branches: Branch[];
  /** The parent's output box, locked; null where it waits for another call too, or for none, or this call has a result already. */
  box: LockedBox | null;
};

type Row = Parent & { branches: Branch[] | null; has_packs: boolean; is_alone: boolean; box: LockedBox | null };

/**
 * A statement behind the one that locked them, so that it sees what came before the locks. A branch that built a context pack leaves more than
 * is known before its end. `is_alone`: the call is all that the parent waits for.
 */
const AHEAD = `
  SELECT ${columnsOf(TURN_COLUMNS, "t")}, ${keptSql("t.worker_target", "t.project_id", "$3")} AS is_kept,
    EXISTS (SELECT 1 FROM resource.context_packs p WHERE p.project_id = $1 AND p.agent_turn_id = ANY ($2::text[])) AS has_packs,
    EXISTS (SELECT 1 FROM state.turn_waiting_tools w WHERE w.project_id = $1 AND w.agent_turn_id = t.agent_turn_id
        AND w.tool_call_id = b.parent_tool_call_id AND w.wait_status = 'waiting' AND w.turn_epoch >= t.turn_epoch)
      AND NOT EXISTS (SELECT 1 FROM state.turn_waiting_tools w WHERE w.project_id = $1 AND w.agent_turn_id = t.agent_turn_id
        AND w.tool_call_id <> b.parent_tool_call_id AND w.wait_status IN ('waiting', 'received'))
      AND NOT EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.tool_call_id = b.parent_tool_call_id
        AND (c.metadata ->> 'type') = 'tool.result') AS is_alone,
    (SELECT to_jsonb(x) FROM (SELECT ${LOCKED_BOX} FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = t.output_box_id OFFSET 0) x) AS box,
    (SELECT jsonb_agg(to_jsonb(k) ORDER BY k.task_index) FROM (
      SELECT ${columnsOf(BRANCH_COLUMNS, "k")}, CASE WHEN k.attempts_max > 1 THEN k.metadata ELSE '{}' END AS metadata
      FROM state.pmo_batch_tasks k WHERE k.project_id = $1 AND k.batch_id = b.batch_id OFFSET 0) k) AS branches
  FROM (SELECT batch_id, parent_agent_turn_id, parent_tool_call_id FROM state.pmo_batches
    WHERE project_id = $1 AND batch_id = current_setting('${JOINABLE}', true) OFFSET 0) b
  CROSS JOIN LATERAL (SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns
    WHERE project_id = $1 AND agent_turn_id = b.parent_agent_turn_id OFFSET 0) t`;

/** Null: there is no such batch, or it is read after the ends. */
export async function readAhead(
  unit: Unit,
  { project_id, agent_turn_ids }: { project_id: string; agent_turn_ids: string[] },
): Promise<Ahead | null> {
  const { workerSeenMsMax } = unit.kernel.tunables;
  const [row] = await unit.query<Row>("batch_ahead", AHEAD, [project_id, agent_turn_ids, workerSeenMsMax]);
  if (!row?.branches || row.has_packs) return null;
  const { branches, has_packs: _packs, is_alone, box, ...parent } = row;
  return { parent, branches, box: is_alone ? box : null };
}

/** The branches once these ends are written: what the view pmo_batch_tasks says of them then. */
export function withEnds(branches: readonly Branch[], ends: readonly WrittenEnd[]): Branch[] {
  const byTurn = new Map(ends.map((end) => [end.agent_turn_id, end]));
  return branches.map((branch) => {
    const end = branch.status === "dispatched" && byTurn.get(branch.agent_turn_id ?? "");
    return end ? endedAs(branch, end) : branch;
  });
}

function endedAs(branch: Branch, end: WrittenEnd): Branch {
  const { agent_turn_id, status, summary, output_box_id } = end;
  const { task_index, agent_id } = branch;
  const error = end.error ?? end.error_code;
  return {
    ...branch,
    status,
    output_box_id: branch.output_box_id ?? output_box_id,
    error_detail: branch.error_detail ?? error ?? null,
    result_view: branch.result_view ?? {
      task_index,
      status,
      ...(summary !== undefined && { summary }),
      output_box_id,
      agent_id,
      agent_turn_id,
      ...(status !== "success" && error !== undefined && { error }),
    },
  };
}
