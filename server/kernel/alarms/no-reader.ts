// A delegation that nobody awaited ended, and no request of its run holds what it delivered. Asked when nothing of the run is
// left that could still read it. What a person launched is read on a page.
import { heldIn } from "../cardbox/held-in";
import { type Reader, read } from "../reader";
import type { FoundRow, Swept } from "./found";

/**
 * Runs of the turns `$2` of which nothing is left that could still read a result. A run in which a caller of one of
 * them still runs is skipped first: otherwise every set would read all turns of its run.
 */
export const QUIET = `
    SELECT r.root_turn_id FROM (SELECT t.root_turn_id FROM state.agent_turns t LEFT JOIN LATERAL (
        SELECT p.ended_at IS NULL AS is_live FROM state.agent_turns p
        WHERE p.project_id = $1 AND p.agent_turn_id = t.parent_turn_id OFFSET 0) caller ON true
      WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[])
      GROUP BY t.root_turn_id HAVING bool_or(caller.is_live) IS NOT TRUE) r
    WHERE NOT EXISTS (SELECT 1 FROM state.agent_turns o
        WHERE o.project_id = $1 AND o.root_turn_id = r.root_turn_id AND o.ended_at IS NULL OFFSET 0)
      AND NOT EXISTS (SELECT 1 FROM state.plan_runs l
        WHERE l.project_id = $1 AND l.root_turn_id = r.root_turn_id AND l.status = 'running' OFFSET 0)`;

/** The turns of one run, for a LATERAL join: usually no run is quiet, and nothing is read. A plain join read all turns of the project first. */
export const turnsOfRunSql = (root: string): string => `(
      SELECT agent_turn_id, root_turn_id, parent_turn_id, deliverable_card_id, primitive, batch_id, status, is_human FROM state.agent_turns
      WHERE project_id = $1 AND root_turn_id = ${root} OFFSET 0)`;

/** A delegation that goes on beside its caller. */
export const unawaited = (t: string): string =>
  `${t}.primitive IN ('delegate_async', 'launch_principal') AND ${t}.batch_id IS NULL`;

const UNREAD = `
  WITH quiet AS MATERIALIZED (${QUIET}
  ), ended AS MATERIALIZED (
    SELECT t.agent_turn_id, t.root_turn_id, t.deliverable_card_id
    FROM quiet q CROSS JOIN LATERAL ${turnsOfRunSql("q.root_turn_id")} t
    CROSS JOIN LATERAL (SELECT p.agent_turn_id FROM state.agent_turns p
      WHERE p.project_id = $1 AND p.agent_turn_id = t.parent_turn_id AND NOT p.is_human OFFSET 0) p
    WHERE ${unawaited("t")} AND t.status = 'success' AND NOT t.is_human
      AND NOT EXISTS (SELECT 1 FROM state.alarms a
        WHERE a.project_id = $1 AND a.rule = 'no_reader' AND a.subject_id = t.agent_turn_id OFFSET 0)
      AND EXISTS (SELECT 1 FROM state.agent_steps s
        WHERE s.project_id = $1 AND s.agent_turn_id = p.agent_turn_id AND s.request_box_id IS NOT NULL OFFSET 0)
  )
  SELECT e.agent_turn_id AS subject_id, e.root_turn_id, e.agent_turn_id, jsonb_build_object('cards', 1, 'tokens',
    (SELECT d.token_count FROM cards d WHERE d.tenant_id = $1 AND d.card_id = e.deliverable_card_id)) AS figures
  FROM ended e
  WHERE (SELECT bool_or(o.root_turn_id = e.root_turn_id) FROM ${heldIn("ARRAY[e.deliverable_card_id]")} k
    CROSS JOIN LATERAL (SELECT b.owner_turn_id FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = k.box_id AND b.kind = 'request' OFFSET 0) b
    CROSS JOIN LATERAL (SELECT o.root_turn_id FROM state.agent_turns o
      WHERE o.project_id = $1 AND o.agent_turn_id = b.owner_turn_id OFFSET 0) o) IS NOT TRUE`;

export const findUnread = (reader: Reader, { project_id, agent_turn_ids }: Swept): Promise<FoundRow[]> =>
  read<FoundRow>(reader, "alarm_no_reader", UNREAD, [project_id, agent_turn_ids]);
