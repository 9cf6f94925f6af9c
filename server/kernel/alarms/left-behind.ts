// A caller ended without having been sent what its callee delivered, or the answer of its fork. Asked when the callee ends
// and when the caller does, whichever is later. Of a caller whose requests are not stored nothing is known; a plan reads the
// results of its own nodes. Whether anybody read a delegation that went on beside its caller is known once its run is quiet: then
// it has no reader at all, which says more, or this alarm.
import { chunksOf } from "../cardbox/chunks-of";
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";
import { QUIET, turnsOfRunSql, unawaited } from "./no-reader";

// Most callees end while their caller still runs. Whether it has ended is asked first, and nothing more is read of the others.
const LEFT = `
  WITH quiet AS MATERIALIZED (${QUIET}
  ), callee AS MATERIALIZED (
    SELECT c.agent_turn_id, c.root_turn_id, c.parent_turn_id, c.deliverable_card_id, c.batch_id, c.task_index
    FROM state.agent_turns c CROSS JOIN LATERAL (SELECT 1 FROM state.agent_turns p
      WHERE p.project_id = $1 AND p.agent_turn_id = c.parent_turn_id AND p.ended_at IS NOT NULL AND NOT p.is_human OFFSET 0) p
    WHERE c.project_id = $1 AND c.status = 'success' AND NOT c.is_human AND c.agent_turn_id = ANY ($2::text[] || ARRAY(
        SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.parent_turn_id = ANY ($2::text[])
        UNION ALL SELECT o.agent_turn_id FROM quiet q CROSS JOIN LATERAL ${turnsOfRunSql("q.root_turn_id")} o WHERE ${unawaited("o")}))
      AND (NOT (${unawaited("c")}) OR c.root_turn_id IN (SELECT q.root_turn_id FROM quiet q))
  ), pair AS MATERIALIZED (
    SELECT c.agent_turn_id, c.root_turn_id, c.parent_turn_id, ARRAY[c.deliverable_card_id] || ARRAY(
      SELECT r.card_id FROM state.pmo_batches b CROSS JOIN LATERAL (SELECT r.card_id FROM cards r
        WHERE r.tenant_id = $1 AND r.tool_call_id = b.parent_tool_call_id AND r.metadata ->> 'type' = 'tool.result' OFFSET 0) r
      WHERE b.project_id = $1 AND b.batch_id = c.batch_id AND NOT c.task_index = ANY (b.late)) AS result_ids,
      (SELECT d.token_count FROM cards d WHERE d.tenant_id = $1 AND d.card_id = c.deliverable_card_id) AS tokens
    FROM callee c
    WHERE NOT EXISTS (SELECT 1 FROM state.alarms a
        WHERE a.project_id = $1 AND a.rule = 'no_reader' AND a.subject_id = c.agent_turn_id OFFSET 0)
      AND NOT EXISTS (SELECT 1 FROM state.pmo_batches b
        WHERE b.project_id = $1 AND b.batch_id = c.batch_id AND b.plan_run_id IS NOT NULL OFFSET 0)
  )
  SELECT p.agent_turn_id AS subject_id, p.root_turn_id, p.agent_turn_id, jsonb_build_object('cards', 1, 'tokens', p.tokens) AS figures
  FROM pair p
  WHERE EXISTS (SELECT 1 FROM state.agent_steps s
      WHERE s.project_id = $1 AND s.agent_turn_id = p.parent_turn_id AND s.request_box_id IS NOT NULL OFFSET 0)
    AND NOT EXISTS (SELECT 1 FROM state.agent_steps s
      CROSS JOIN LATERAL ${chunksOf("s.request_box_id")} k
      WHERE s.project_id = $1 AND s.agent_turn_id = p.parent_turn_id AND k.card_ids && p.result_ids)`;

export const findLeftBehind = (reader: Reader, { project_id, agent_turn_ids }: Swept): Promise<FoundRow[]> =>
  read<FoundRow>(reader, "alarm_left_behind", LEFT, [project_id, agent_turn_ids]);
