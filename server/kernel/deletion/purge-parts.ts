// The rows of a run, part by part, each a bounded number in a statement. What refers to others goes first, so that no row takes
// more than a few others with it. Before all, in a phase of its own, boxes that stay are given what they only named. Cards come last: a card stays where
// another box holds it.
import type { DeletionCounts } from "@/server/contract/answers/deletions";
import type { Unit } from "../unit";
import type { DeletionKey } from "./deletion-row";
import { layLent } from "./lay-lent";

/** Rows `x` of a table that a turn of the run leads to. $1 project, $2 run, $3 so many. */
const ofTurns = (table: string, on: string) => `
  DELETE FROM ${table} WHERE project_id = $1 AND ctid = ANY (ARRAY(
    SELECT x.ctid FROM state.agent_turns t JOIN ${table} x ON x.project_id = $1 AND ${on}
    WHERE t.project_id = $1 AND t.root_turn_id = $2 LIMIT $3)) RETURNING 1 AS gone`;
const ofRun = (table: string) => `
  DELETE FROM ${table} WHERE project_id = $1 AND ctid = ANY (ARRAY(
    SELECT x.ctid FROM ${table} x WHERE x.project_id = $1 AND x.root_turn_id = $2 LIMIT $3)) RETURNING 1 AS gone`;
const ofParent = (table: string, parent: string, on: string) => `
  DELETE FROM ${table} WHERE project_id = $1 AND ctid = ANY (ARRAY(
    SELECT x.ctid FROM ${parent} b JOIN ${table} x ON x.project_id = $1 AND ${on}
    WHERE b.project_id = $1 AND b.root_turn_id = $2 LIMIT $3)) RETURNING 1 AS gone`;

/** What they hold is looked at when no box of the run is left. */
const noted = (ids: string) => `
    INSERT INTO state.deletion_cards (project_id, deletion_id, card_id)
    SELECT DISTINCT $1, $2, i.card_id FROM gone g CROSS JOIN LATERAL unnest(g.${ids}) AS i(card_id) ON CONFLICT DO NOTHING`;
const CHUNKS = `
  WITH gone AS (
    DELETE FROM box_chunks WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
      SELECT k.ctid FROM card_boxes b JOIN box_chunks k ON k.tenant_id = $1 AND k.box_id = b.box_id
      WHERE b.tenant_id = $1 AND b.deletion_id = $2 LIMIT $3))
    RETURNING card_ids
  ), noted AS (${noted("card_ids")})
  SELECT 1 AS gone FROM gone`;

// Cards that a turn names, or wrote outside of any box, are looked at too. With the last of its turns goes an agent that the run
// made for itself, or came with it as an import, the people of a log too; other people, and agents that somebody provisioned, stay. Whoever made it may have gone before.
const TURNS = `
  WITH due AS MATERIALIZED (
    SELECT t.agent_turn_id, t.instruction_card_id, t.deliverable_card_id FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.root_turn_id = $2 LIMIT $4
  ), noted AS (
    INSERT INTO state.deletion_cards (project_id, deletion_id, card_id)
    SELECT DISTINCT $1, $3, x.card_id FROM (
      SELECT d.instruction_card_id AS card_id FROM due d UNION SELECT d.deliverable_card_id FROM due d
      UNION SELECT c.card_id FROM due d CROSS JOIN LATERAL (SELECT c.card_id FROM cards c
        WHERE c.tenant_id = $1 AND c.metadata ->> 'agent_turn_id' = d.agent_turn_id OFFSET 0) c
    ) x WHERE x.card_id IS NOT NULL ON CONFLICT DO NOTHING
  )
  DELETE FROM state.agent_turns t USING due d WHERE t.project_id = $1 AND t.agent_turn_id = d.agent_turn_id
  RETURNING t.agent_id, t.trace_id, t.primitive = 'import' AS is_import`;
const AGENTS = `
  WITH gone AS (
    DELETE FROM resource.project_agents a USING unnest($2::text[], $3::text[], $4::boolean[]) AS g(agent_id, trace_id, is_import)
    WHERE a.project_id = $1 AND a.agent_id = g.agent_id AND (g.is_import OR NOT a.is_human)
      AND NOT EXISTS (SELECT 1 FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_id = a.agent_id)
      AND (a.made_trace_id = lower(g.trace_id)
        OR EXISTS (SELECT 1 FROM state.identity_extra e WHERE e.project_id = $1 AND e.target_agent_id = a.agent_id
          AND e.action IN ('provision', 'derive') AND e.trace_id = lower(g.trace_id))
        OR a.made_trace_id IS NULL AND NOT EXISTS (SELECT 1 FROM state.identity_extra e
          WHERE e.project_id = $1 AND e.target_agent_id = a.agent_id AND e.trace_id IS NOT NULL))
    RETURNING a.agent_id
  ), edges AS (
    DELETE FROM state.identity_extra e USING gone g WHERE e.project_id = $1 AND e.target_agent_id = g.agent_id
  )
  SELECT agent_id FROM gone`;
// Whoever queues a turn for an agent, or writes one down, holds it until then (lockHeads, holdAgents): what is looked for next is all
// there will be.
const HOLD_AGENTS = `
  SELECT agent_id FROM resource.project_agents WHERE project_id = $1 AND agent_id = ANY ($2::text[]) ORDER BY agent_id FOR UPDATE`;
const BOXES = `
  WITH gone AS (
    DELETE FROM card_boxes WHERE tenant_id = $1 AND ctid = ANY (ARRAY(
      SELECT b.ctid FROM card_boxes b WHERE b.tenant_id = $1 AND b.deletion_id = $2 LIMIT $3))
    RETURNING tail
  ), noted AS (${noted("tail")})
  SELECT 1 AS gone FROM gone`;
const ALARMS = `
  WITH gone AS (
    DELETE FROM state.alarms WHERE project_id = $1 AND ctid = ANY (ARRAY(
      SELECT x.ctid FROM state.alarms x WHERE x.project_id = $1 AND x.root_turn_id = $2 LIMIT $3)) RETURNING rule, alarm_id
  ), mutes AS (
    DELETE FROM state.alarm_mutes m USING gone g WHERE m.project_id = $1 AND m.rule = g.rule AND m.alarm_id = g.alarm_id
  )
  SELECT 1 AS gone FROM gone`;

export type PurgeKey = DeletionKey & { root_turn_id: string };
type Part = (unit: Unit, key: PurgeKey, rows: number) => Promise<Gone>;
/** `rows`: what it cost of the unit. `isOver`: nothing is left of it, so what it refers to may go. */
type Gone = { rows: number; isOver: boolean; counts?: DeletionCounts };

const plain =
  (name: string, text: string, counted?: keyof DeletionCounts): Part =>
  async (unit, { project_id, root_turn_id }, rows) => {
    const gone = (await unit.query(name, text, [project_id, root_turn_id, rows])).length;
    return { rows: gone, isOver: gone < rows, ...(counted && gone > 0 && { counts: { [counted]: gone } }) };
  };

/** A chunk and a tail have up to 64 cards, a turn has cards and an agent: each counts as so many rows. */
const CHUNK_ROWS = 20;
const TURN_ROWS = 10;
/** Nobody has taken a turn over so often. */
const EPOCHS_MAX = 1_000;

/** What boxes of others only name, several of them, as far as the unit allows. */
export const layParts: Part = async (unit, key, rows) => {
  for (let done = 0; ; ) {
    const most = Math.floor((rows - done) / CHUNK_ROWS);
    if (most < 1 && done > 0) return { rows: done, isOver: false };
    const laid = await layLent(unit, key, Math.max(1, most));
    if (laid === 0) return { rows: done, isOver: true };
    done += CHUNK_ROWS * laid;
  }
};

const chunks: Part = async (unit, { project_id, deletion_id }, rows) => {
  const most = Math.max(1, Math.floor(rows / CHUNK_ROWS));
  const gone = (await unit.query("deletion_chunks", CHUNKS, [project_id, deletion_id, most])).length;
  return { rows: CHUNK_ROWS * gone, isOver: gone < most };
};

const turns: Part = async (unit, { project_id, root_turn_id, deletion_id }, rows) => {
  const most = Math.max(1, Math.floor(rows / TURN_ROWS));
  const values = [project_id, root_turn_id, deletion_id, most];
  const gone = await unit.query<{ agent_id: string; trace_id: string; is_import: boolean }>(
    "deletion_turns",
    TURNS,
    values,
  );
  if (gone.length === 0) return { rows: 0, isOver: true };
  const made = [
    project_id,
    gone.map((row) => row.agent_id),
    gone.map((row) => row.trace_id),
    gone.map((row) => row.is_import),
  ];
  const agent_ids = [...new Set(gone.map((row) => row.agent_id))];
  await unit.query("deletion_agents_lock", HOLD_AGENTS, [project_id, agent_ids]);
  const agents = (await unit.query("deletion_agents", AGENTS, made)).length;
  const counts = { turns: gone.length, ...(agents > 0 && { agents }) };
  return { rows: TURN_ROWS * gone.length, isOver: gone.length < most, counts };
};

const boxes: Part = async (unit, { project_id, deletion_id }, rows) => {
  const most = Math.max(1, Math.floor(rows / CHUNK_ROWS));
  const gone = (await unit.query("deletion_boxes", BOXES, [project_id, deletion_id, most])).length;
  return { rows: CHUNK_ROWS * gone, isOver: gone < most, ...(gone > 0 && { counts: { boxes: gone } }) };
};

const RESULTS = `
  DELETE FROM state.inbox_messages WHERE project_id = $1 AND ctid = ANY (ARRAY(
    SELECT x.ctid FROM state.agent_turns t
    JOIN state.turn_waiting_tools w ON w.project_id = $1 AND w.agent_id = t.agent_id AND w.agent_turn_id = t.agent_turn_id
    JOIN state.inbox_messages x ON x.project_id = $1 AND x.message_type = ANY ('{tool_result,timeout}') AND x.correlation_id = w.tool_call_id
    WHERE t.project_id = $1 AND t.root_turn_id = $2 LIMIT $3)) RETURNING 1 AS gone`;

// From before turns were their own messages (state.due): one, and another for each time that it was handed out again.
const MESSAGES = `
  DELETE FROM state.inbox_messages WHERE project_id = $1 AND ctid = ANY (ARRAY(
    SELECT x.ctid FROM state.agent_turns t CROSS JOIN LATERAL (
      SELECT i.ctid FROM state.inbox_messages i WHERE i.project_id = $1 AND i.message_type = 'turn' AND i.correlation_id = ANY (ARRAY(
        SELECT t.agent_turn_id UNION ALL
        SELECT t.agent_turn_id || '.' || e FROM generate_series(1, least(t.turn_epoch, ${EPOCHS_MAX})) AS e)) OFFSET 0) x
    WHERE t.project_id = $1 AND t.root_turn_id = $2 LIMIT $3)) RETURNING 1 AS gone`;

/** In this order. */
export const PARTS: readonly Part[] = [
  chunks,
  plain("deletion_steps", ofTurns("state.agent_steps", "x.agent_turn_id = t.agent_turn_id"), "steps"),
  plain("deletion_results", RESULTS),
  plain(
    "deletion_waits",
    ofTurns("state.turn_waiting_tools", "x.agent_id = t.agent_id AND x.agent_turn_id = t.agent_turn_id"),
  ),
  plain("deletion_requests", ofTurns("state.human_requests", "x.agent_turn_id = t.agent_turn_id")),
  plain("deletion_inbox", MESSAGES),
  plain("deletion_holders", ofTurns("state.turn_holders", "x.agent_turn_id = t.agent_turn_id")),
  plain("deletion_edges_from", ofTurns("state.edge_extra", "x.source_turn_id = t.agent_turn_id")),
  plain("deletion_edges_to", ofTurns("state.edge_extra", "x.target_turn_id = t.agent_turn_id")),
  plain("deletion_tasks", ofParent("state.branch_extra", "state.pmo_batches", "x.batch_id = b.batch_id")),
  plain("deletion_nodes", ofParent("state.plan_run_nodes", "state.plan_runs", "x.plan_run_id = b.plan_run_id")),
  plain("deletion_edits", ofParent("state.plan_run_edits", "state.plan_runs", "x.plan_run_id = b.plan_run_id")),
  plain("deletion_batches", ofRun("state.pmo_batches")),
  plain("deletion_plan_runs", ofRun("state.plan_runs")),
  plain("deletion_env_calls", ofRun("state.env_calls")),
  plain("deletion_env_data", ofRun("state.env_data")),
  turns,
  boxes,
  plain("deletion_alarms", ALARMS),
];
