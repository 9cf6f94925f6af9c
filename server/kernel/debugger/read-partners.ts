// Which boxes a box can be compared with. Two statements: the box with its turn, and everything around that turn.
import type { DiffBox } from "@/server/contract/box-diff/box-diff";
import { type BoxPartners, outputWhys, type PartnerWhy, partnerWhys } from "@/server/contract/box-partners";
import { type Reader, read } from "../reader";
import { readBoxSides, type SideRow, sideOf } from "./read-diff-sides";
import { REF } from "./read-handover-edge";

const SIBLINGS_MAX = 64;
const AGAIN_MAX = 20;
/** A run that was started again is named by the person who did it, and no index leads there: so many later runs are looked at. */
const RUNS_MAX = 200;

// `step`: the ordinal that stands for the same place there. A fork begins at a step of its original and counts from 1 again.
const PARTNERS = `
  WITH me AS (
    SELECT t.agent_turn_id, t.agent_id, t.parent_turn_id, t.parent_step_id, t.batch_id, t.task_index, t.created_at, t.root_turn_id,
      t.forked_from ->> 'agent_turn_id' AS forked_from, (t.forked_from ->> 'ordinal')::int AS forked_at
    FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2
  ), around AS (
    SELECT 'caller' AS why, me.parent_turn_id AS agent_turn_id, 1 AS total, NULL::int AS step, me.parent_step_id AS step_id, 0 AS place
      FROM me WHERE me.parent_turn_id IS NOT NULL
    UNION ALL SELECT 'previous_step', me.agent_turn_id, 1, $4::int - 1, NULL, 0 FROM me WHERE $4::int > 1
    UNION ALL SELECT 'previous_turn', o.agent_turn_id, 1, NULL, NULL, 0 FROM me CROSS JOIN LATERAL (
      SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.agent_id = me.agent_id
        AND (o.created_at, o.agent_turn_id) < (me.created_at, me.agent_turn_id) ORDER BY o.created_at DESC, o.agent_turn_id DESC LIMIT 1) o
    UNION ALL SELECT 'sibling', o.agent_turn_id, o.total, $4::int, NULL, o.place FROM me CROSS JOIN LATERAL (
      SELECT o.agent_turn_id, count(*) OVER ()::int AS total, coalesce(o.task_index, 0) AS place FROM state.agent_turns o
      WHERE o.project_id = $1 AND o.batch_id = me.batch_id AND o.agent_turn_id <> me.agent_turn_id
      ORDER BY o.task_index, o.agent_turn_id LIMIT ${SIBLINGS_MAX}) o
    UNION ALL SELECT 'forked_from', me.forked_from, 1, $4::int + me.forked_at - 1, NULL, 0 FROM me WHERE me.forked_from IS NOT NULL
    UNION ALL SELECT 'fork', o.agent_turn_id, o.total, $4::int - o.forked_at + 1, NULL, o.place FROM me CROSS JOIN LATERAL (
      SELECT o.agent_turn_id, count(*) OVER ()::int AS total, (o.forked_from ->> 'ordinal')::int AS forked_at,
        row_number() OVER (ORDER BY o.created_at DESC)::int AS place FROM state.agent_turns o
      WHERE o.project_id = $1 AND o.forked_from ->> 'agent_turn_id' = me.agent_turn_id AND o.forked_from IS NOT NULL
      ORDER BY o.created_at DESC LIMIT ${AGAIN_MAX}) o
    UNION ALL SELECT 'rerun_of', c.content -> 'data' ->> 'rerun_of', 1, $4::int, NULL, 0 FROM me
      JOIN state.agent_turns h ON h.project_id = $1 AND h.agent_turn_id = me.parent_turn_id AND h.is_human
      JOIN cards c ON c.tenant_id = $1 AND c.card_id = h.deliverable_card_id
      WHERE c.content -> 'data' ->> 'rerun_of' IS NOT NULL
    UNION ALL SELECT 'rerun', o.agent_turn_id, o.total, $4::int, NULL, o.place FROM me CROSS JOIN LATERAL (
      SELECT c.content -> 'data' ->> 'agent_turn_id' AS agent_turn_id, count(*) OVER ()::int AS total,
        row_number() OVER (ORDER BY later.number DESC)::int AS place
      FROM (SELECT s.root_turn_id, s.number FROM state.runs s WHERE s.project_id = $1 AND s.number > (
          SELECT mine.number FROM state.runs mine WHERE mine.project_id = $1 AND mine.root_turn_id = me.root_turn_id)
        ORDER BY s.number LIMIT ${RUNS_MAX}) later
      JOIN state.agent_turns h ON h.project_id = $1 AND h.agent_turn_id = later.root_turn_id
      JOIN cards c ON c.tenant_id = $1 AND c.card_id = h.deliverable_card_id
      WHERE c.content -> 'data' ->> 'rerun_of' = me.agent_turn_id
      ORDER BY later.number DESC LIMIT ${AGAIN_MAX}) o
    UNION ALL SELECT 'same_step', o.agent_turn_id, o.total, $4::int, NULL, o.place FROM me CROSS JOIN LATERAL (
      SELECT k.agent_turn_id, count(*) OVER ()::int AS total, row_number() OVER (ORDER BY l.created_at DESC, k.batch_id DESC)::int AS place
      FROM state.pmo_batches b
      JOIN state.plan_runs mine ON mine.project_id = $1 AND mine.plan_run_id = b.plan_run_id
      CROSS JOIN LATERAL (SELECT l.plan_run_id, l.created_at FROM state.plan_runs l
        WHERE l.project_id = $1 AND l.plan_run_id <> mine.plan_run_id
          AND (l.plan_id = mine.plan_id OR l.plan_run_id = mine.forked_from OR l.forked_from = mine.plan_run_id)
        ORDER BY l.created_at DESC LIMIT ${AGAIN_MAX}) l
      JOIN state.pmo_batches other ON other.project_id = $1 AND other.plan_run_id = l.plan_run_id AND other.plan_node_id = b.plan_node_id
      JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = other.batch_id AND k.task_index = me.task_index
      WHERE b.project_id = $1 AND b.batch_id = me.batch_id AND k.agent_turn_id IS NOT NULL
      ORDER BY l.created_at DESC, k.batch_id DESC LIMIT ${AGAIN_MAX}) o
  )
  SELECT a.why, a.total, b.box_id, b.kind, b.length AS cards, b.token_sum::int AS tokens, q.step_id, q.ordinal, ${REF("t")} AS turn
  FROM around a
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = a.agent_turn_id
  LEFT JOIN LATERAL (SELECT s.step_id, s.ordinal, s.request_box_id FROM state.agent_steps s
    WHERE s.project_id = $1 AND s.agent_turn_id = t.agent_turn_id AND s.request_box_id IS NOT NULL
      AND ($3 = 'request' OR a.why = 'caller') AND (a.step_id IS NULL OR s.step_id = a.step_id) AND (a.step IS NULL OR s.ordinal = a.step)
    ORDER BY s.ordinal DESC, s.step_id DESC LIMIT 1) q ON true
  JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = CASE WHEN q.request_box_id IS NOT NULL THEN q.request_box_id
    WHEN $3 = 'output' THEN t.output_box_id WHEN $3 = 'context' OR a.why = 'caller' THEN t.context_box_id END
  WHERE b.box_id <> $5
  ORDER BY a.place, t.agent_turn_id`;

type Row = SideRow & { why: PartnerWhy; total: number };

/** Nothing for a box that no turn was given, wrote or sent. not_found for an unknown box and for one of another project. */
export async function readPartners(
  reader: Reader,
  { project_id, box_id }: { project_id: string; box_id: string },
): Promise<BoxPartners> {
  const { a: box } = await readBoxSides(reader, { project_id, a: box_id, b: box_id });
  if (!box.turn) return { box, partners: [] };
  const values = [project_id, box.turn.agent_turn_id, box.kind, box.ordinal ?? null, box_id];
  const rows = await read<Row>(reader, "box_partners", PARTNERS, values);
  const partners = (box.kind === "output" ? outputWhys : partnerWhys).flatMap((why) => {
    const mine = rows.filter((row) => row.why === why);
    const boxes = mine.map(({ why: _why, total: _total, ...row }): DiffBox => sideOf(row));
    return mine[0] ? [{ why, total: mine[0].total, boxes }] : [];
  });
  return { box, partners };
}
