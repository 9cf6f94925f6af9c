// What the kernel itself wrote down from a card that is erased: the title of a turn and of its run, the note of its end, title and
// summary of a branch, the question or the arguments that people were asked about,
// and what plans were given.

import { type BatchTaskRow, batchTaskFrame, TASK_COLUMNS } from "../batch/batch-row";
import { heldIn } from "../cardbox/held-in";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequestFrame, REQUEST_COLUMNS } from "../inbox/human-request-row";
import { DELETED } from "../plan/shown-inputs";
import { RUN_COLUMNS, type RunRow, runFrame } from "../turns/run-row";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "../turns/turn-row";
import type { Unit } from "../unit";
import { ERASED_TITLE } from "./erased-title";

// Found by the boxes that hold the cards: no index leads from a card to the turns that name it.
const TURNS = `
  WITH boxes AS MATERIALIZED (
    SELECT DISTINCT k.box_id FROM ${heldIn("$2::text[]")} k
  ), found AS MATERIALIZED (
    SELECT t.agent_turn_id FROM boxes b CROSS JOIN LATERAL (SELECT t.agent_turn_id FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.context_box_id = b.box_id AND t.instruction_card_id = ANY ($2::text[]) OFFSET 0) t
    UNION
    SELECT t.agent_turn_id FROM boxes b CROSS JOIN LATERAL (SELECT t.agent_turn_id FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.output_box_id = b.box_id AND t.deliverable_card_id = ANY ($2::text[]) OFFSET 0) t
  )
  UPDATE state.agent_turns t SET rev = t.rev + 1,
    title = CASE WHEN t.instruction_card_id = ANY ($2::text[]) THEN '${ERASED_TITLE}' ELSE t.title END,
    note = CASE WHEN t.deliverable_card_id = ANY ($2::text[]) THEN NULL ELSE t.note END,
    summary = CASE WHEN t.deliverable_card_id = ANY ($2::text[]) THEN NULL ELSE t.summary END
  FROM found f WHERE t.project_id = $1 AND t.agent_turn_id = f.agent_turn_id
  RETURNING ${columnsOf(TURN_COLUMNS, "t")}`;
const RUNS = `
  UPDATE state.runs r SET title = '${ERASED_TITLE}', rev = r.rev + 1
  WHERE r.project_id = $1 AND r.root_turn_id = ANY ($2::text[]) RETURNING ${columnsOf(RUN_COLUMNS, "r")}`;

// Title and summary of a branch are its turn's; its own row has those of a branch without one, and counts the change. Of a branch that
// is held back, only its batch knows the task.
const BRANCHES = `
  WITH of_turns AS MATERIALIZED (
    SELECT t.batch_id, t.task_index, t.agent_turn_id FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[] || $3::text[]) AND t.batch_id IS NOT NULL
  ), found AS (
    SELECT k.batch_id, k.task_index, o.agent_turn_id = ANY ($2::text[]) AS is_named,
      o.agent_turn_id = ANY ($3::text[]) AND o.agent_turn_id = k.agent_turn_id AND k.result_view IS NOT NULL AS is_told
    FROM of_turns o JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = o.batch_id AND k.task_index = o.task_index
    UNION ALL
    SELECT h.batch_id, h.task_index, true, false FROM state.pmo_batches o
    JOIN state.branch_extra h ON h.project_id = $1 AND h.batch_id = o.batch_id
    WHERE o.project_id = $1 AND o.status = 'running' AND o.max_parallel < o.task_count AND h.status = 'pending'
      AND h.metadata #>> '{turn,instruction_card_id}' = ANY ($4::text[])
  ), due AS (
    SELECT f.batch_id, f.task_index, bool_or(f.is_named) AS is_named, bool_or(f.is_told) AS is_told FROM found f
    WHERE f.is_named OR f.is_told GROUP BY f.batch_id, f.task_index
  ), named AS (
    INSERT INTO state.branch_extra AS x (project_id, batch_id, task_index, rev)
    SELECT $1, d.batch_id, d.task_index, 2 FROM due d WHERE d.is_named
    ON CONFLICT (project_id, batch_id, task_index) DO UPDATE SET rev = x.rev + 1, updated_at = now(),
      result_view = x.result_view - (SELECT CASE WHEN d.is_told THEN '{summary,data,content}' ELSE '{}' END::text[] FROM due d
        WHERE d.batch_id = x.batch_id AND d.task_index = x.task_index),
      metadata = CASE WHEN x.metadata ? 'turn' THEN jsonb_set(x.metadata, '{turn,title}', to_jsonb('${ERASED_TITLE}'::text)) ELSE x.metadata END
        || CASE WHEN x.metadata ? 'title' THEN jsonb_build_object('title', '${ERASED_TITLE}'::text) ELSE '{}' END
    RETURNING x.batch_id, x.task_index
  ), told AS (
    INSERT INTO state.branch_extra AS x (project_id, batch_id, task_index, rev)
    SELECT $1, d.batch_id, d.task_index, 2 FROM due d WHERE d.is_told AND NOT d.is_named
    ON CONFLICT (project_id, batch_id, task_index) DO UPDATE SET rev = x.rev + 1,
      result_view = x.result_view - '{summary,data,content}'::text[]
  )
  SELECT n.batch_id, n.task_index FROM named n`;
// As they are now.
const TASKS = `
  SELECT ${columnsOf(TASK_COLUMNS, "k")}, b.root_turn_id FROM unnest($2::text[], $3::int[]) AS g(batch_id, task_index)
  JOIN state.pmo_batches b ON b.project_id = $1 AND b.batch_id = g.batch_id
  JOIN state.pmo_batch_tasks k ON k.project_id = $1 AND k.batch_id = g.batch_id AND k.task_index = g.task_index
  ORDER BY k.batch_id, k.task_index`;
const ASKED = `
  UPDATE state.human_requests h SET rev = h.rev + 1, arguments = NULL, edited_arguments = NULL, choices = NULL, answer = NULL, reason = NULL,
    question = CASE WHEN h.question IS NULL THEN NULL ELSE jsonb_build_object('question', '${ERASED_TITLE}'::text) END
  WHERE h.project_id = $1 AND h.status <> 'open' AND h.agent_turn_id = ANY (ARRAY(SELECT c.metadata ->> 'agent_turn_id' FROM cards c
      WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])))
    AND (h.tool_call_card_id = ANY ($2::text[]) OR h.decision_card_id = ANY ($2::text[]))
  RETURNING ${columnsOf(REQUEST_COLUMNS, "h")}`;

// No index leads from a card to the plans that were given its text. Few have inputs, and those are small.
const INPUTS = `
  UPDATE state.plan_runs r SET inputs = (
    SELECT jsonb_object_agg(i.key, CASE WHEN i.value ? 'text' AND i.value ->> 'card_id' = ANY ($2::text[])
      THEN jsonb_set(i.value, '{text}', to_jsonb('${DELETED}'::text)) ELSE i.value END) FROM jsonb_each(r.inputs) AS i(key, value))
  WHERE r.project_id = $1 AND r.inputs <> '{}'
    AND EXISTS (SELECT 1 FROM jsonb_each(r.inputs) AS i(key, value) WHERE i.value ? 'text' AND i.value ->> 'card_id' = ANY ($2::text[]))`;

/** How many titles and notes were replaced. Before the cards are erased: they say which turn wrote them. */
export async function eraseQuotes(
  unit: Unit,
  { project_id, card_ids }: { project_id: string; card_ids: string[] },
): Promise<number> {
  const turns = await unit.query<TurnRow>("erase_turns", TURNS, [project_id, card_ids]);
  for (const row of turns) unit.frame(project_id, turnFrame(row));
  const named = turns.filter((row) => card_ids.includes(row.instruction_card_id ?? ""));
  const delivered = turns.filter((row) => card_ids.includes(row.deliverable_card_id ?? ""));
  const runs = await unit.query<RunRow>("erase_runs", RUNS, [project_id, named.map((row) => row.agent_turn_id)]);
  for (const row of runs) unit.frame(project_id, runFrame(row));
  const titled = await unit.query<{ batch_id: string; task_index: number }>("erase_branches", BRANCHES, [
    project_id,
    named.map((row) => row.agent_turn_id),
    delivered.map((row) => row.agent_turn_id),
    card_ids,
  ]);
  const tasks = await unit.query<BatchTaskRow & { root_turn_id: string }>("erase_tasks", TASKS, [
    project_id,
    titled.map(({ batch_id }) => batch_id),
    titled.map(({ task_index }) => task_index),
  ]);
  for (const { root_turn_id, ...task } of tasks) unit.frame(project_id, batchTaskFrame(task, root_turn_id));
  const asked = await unit.query<HumanRequestRow>("erase_asked", ASKED, [project_id, card_ids]);
  for (const row of asked) unit.frame(project_id, humanRequestFrame(row));
  await unit.query("erase_inputs", INPUTS, [project_id, card_ids]);
  return turns.length + runs.length;
}
