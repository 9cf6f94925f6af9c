// Closes the boxes of a run that is deleted: from then on nobody may hand them over. A box that a turn of another run works with
// stays open, and all of its cards stay. Agents that remembered a closed box begin their next turn with an empty one.
import type { Unit } from "../unit";
import type { DeletionKey } from "./deletion-row";

/** Turns of one unit; each has a request box for each of its steps. */
const TURNS_MAX = 50;

/** Whether a turn of another run than $2 works with the box. */
const usedElsewhere = (box: string) => `(
    EXISTS (SELECT 1 FROM state.agent_turns o WHERE o.project_id = $1 AND o.context_box_id = ${box} AND o.root_turn_id <> $2)
    OR EXISTS (SELECT 1 FROM state.agent_turns o WHERE o.project_id = $1 AND o.output_box_id = ${box} AND o.root_turn_id <> $2))`;

const CLOSE = `
  WITH turns AS MATERIALIZED (
    SELECT t.agent_turn_id, t.agent_id, t.context_box_id, t.output_box_id, t.created_at FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.root_turn_id = $2
      AND (t.created_at, t.agent_turn_id) > (coalesce($4::timestamptz, '-infinity'), coalesce($5::text, ''))
    ORDER BY t.created_at, t.agent_turn_id LIMIT ${TURNS_MAX}
  ), own AS MATERIALIZED (
    SELECT x.box_id FROM (
      SELECT b.box_id FROM turns t CROSS JOIN LATERAL (
        SELECT b.box_id FROM card_boxes b WHERE b.tenant_id = $1 AND b.owner_turn_id = t.agent_turn_id OFFSET 0) b
      UNION SELECT t.context_box_id FROM turns t
      UNION SELECT t.output_box_id FROM turns t WHERE t.output_box_id IS NOT NULL
    ) x WHERE NOT ${usedElsewhere("x.box_id")}
  ), closed AS (
    UPDATE card_boxes b SET deletion_id = $3
    WHERE b.tenant_id = $1 AND b.box_id = ANY (ARRAY(SELECT box_id FROM own)) AND b.kind <> 'profile' AND b.deletion_id IS NULL
  ), forgotten AS (
    UPDATE resource.project_agents p SET
      last_output_box_id = CASE WHEN p.last_output_box_id IN (SELECT box_id FROM own) THEN NULL ELSE p.last_output_box_id END,
      memory_context_box_id = CASE WHEN p.memory_context_box_id IN (SELECT box_id FROM own) THEN NULL ELSE p.memory_context_box_id END
    WHERE p.project_id = $1 AND p.agent_id = ANY (ARRAY(SELECT agent_id FROM turns))
      AND (p.last_output_box_id IN (SELECT box_id FROM own) OR p.memory_context_box_id IN (SELECT box_id FROM own))
  )
  SELECT t.created_at::text AS at, t.agent_turn_id AS id FROM turns t ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT 1`;

// Whoever had begun before may have bound one meanwhile: by now it has ended.
const REOPEN = `
  UPDATE card_boxes b SET deletion_id = NULL WHERE b.tenant_id = $1 AND b.deletion_id = $3 AND ${usedElsewhere("b.box_id")}`;

export type TurnPlace = { at: string; id: string };
type Run = DeletionKey & { root_turn_id: string };

/** The last turn that it looked at; null when there are no more. */
export async function closeBoxes(unit: Unit, run: Run & { place: TurnPlace | null }): Promise<TurnPlace | null> {
  const { project_id, root_turn_id, deletion_id, place } = run;
  const values = [project_id, root_turn_id, deletion_id, place?.at ?? null, place?.id ?? null];
  const [last] = await unit.query<TurnPlace>("deletion_close", CLOSE, values);
  return last ?? null;
}

export async function reopenBoxes(unit: Unit, { project_id, root_turn_id, deletion_id }: Run): Promise<void> {
  await unit.query("deletion_reopen", REOPEN, [project_id, root_turn_id, deletion_id]);
}
