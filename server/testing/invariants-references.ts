// Every reference leads to a row: see invariants.ts. Foreign keys enforce some; the writers keep the rest, which is checked here.
import type { Invariant } from "./invariant";

type Reference = {
  table: string;
  id: string;
  project?: string;
  of: string;
  at: "box" | "card" | "turn" | "agent" | "step";
};

const turns = { table: "state.agent_turns", id: "agent_turn_id" };
const inbox = { table: "state.inbox_messages", id: "inbox_id" };
const edges = { table: "state.execution_edges", id: "edge_id" };
const tasks = { table: "state.pmo_batch_tasks", id: "batch_task_id" };
const batches = { table: "state.pmo_batches", id: "batch_id" };
const heads = { table: "state.agent_state_head", id: "agent_id" };
const pointers = { table: "state.agent_state_pointers", id: "agent_id" };
const waits = { table: "state.turn_waiting_tools", id: "tool_call_id" };
const steps = { table: "state.agent_steps", id: "step_id" };
const boxes = { table: "card_boxes", id: "box_id", project: "tenant_id" };

const references: Reference[] = [
  { ...turns, of: "context_box_id", at: "box" },
  { ...turns, of: "output_box_id", at: "box" },
  { ...turns, of: "profile_box_id", at: "box" },
  { ...turns, of: "instruction_card_id", at: "card" },
  { ...turns, of: "deliverable_card_id", at: "card" },
  { ...turns, of: "parent_turn_id", at: "turn" },
  { ...turns, of: "root_turn_id", at: "turn" },
  { ...inbox, of: "agent_turn_id", at: "turn" },
  { ...edges, of: "source_turn_id", at: "turn" },
  { ...edges, of: "target_turn_id", at: "turn" },
  { ...edges, of: "root_turn_id", at: "turn" },
  { ...edges, of: "source_agent_id", at: "agent" },
  { ...edges, of: "target_agent_id", at: "agent" },
  { ...edges, of: "source_step_id", at: "step" },
  { ...tasks, of: "agent_turn_id", at: "turn" },
  { ...tasks, of: "agent_id", at: "agent" },
  { ...tasks, of: "context_box_id", at: "box" },
  { ...tasks, of: "output_box_id", at: "box" },
  { ...batches, of: "parent_agent_turn_id", at: "turn" },
  { ...batches, of: "root_turn_id", at: "turn" },
  { ...heads, of: "active_agent_turn_id", at: "turn" },
  { ...heads, of: "output_box_id", at: "box" },
  { ...pointers, of: "last_output_box_id", at: "box" },
  { ...waits, of: "agent_turn_id", at: "turn" },
  { ...waits, of: "tool_result_card_id", at: "card" },
  { ...steps, of: "agent_turn_id", at: "turn" },
  { ...steps, of: "request_box_id", at: "box" },
  { ...boxes, of: "owner_turn_id", at: "turn" },
  { ...boxes, of: "owner_agent_id", at: "agent" },
];

const there: Record<Reference["at"], string> = {
  box: "SELECT 1 FROM card_boxes x WHERE x.tenant_id = r.project_id AND x.box_id = r.of",
  card: "SELECT 1 FROM cards x WHERE x.tenant_id = r.project_id AND x.card_id = r.of",
  turn: "SELECT 1 FROM state.agent_turns x WHERE x.project_id = r.project_id AND x.agent_turn_id = r.of",
  agent: "SELECT 1 FROM resource.project_agents x WHERE x.project_id = r.project_id AND x.agent_id = r.of",
  step: "SELECT 1 FROM state.agent_steps x WHERE x.project_id = r.project_id AND x.step_id = r.of",
};

export const referenceInvariants: Invariant[] = [
  ...references.map(
    ({ table, id, project = "project_id", of, at }): Invariant => ({
      name: `${table.replace(/^state\./, "")}.${of} is there`,
      when: "always",
      sql: `
        SELECT r.project_id, r.id, format('${of} %s is not there', r.of) AS what
        FROM (SELECT ${project} AS project_id, ${id} AS id, ${of} AS of FROM ${table} WHERE ${of} IS NOT NULL AND ($1::text IS NULL OR ${project} = $1)) r
        WHERE NOT EXISTS (${there[at]})`,
    }),
  ),
  {
    name: "every card of a chunk is there",
    when: "always",
    sql: `
      SELECT k.tenant_id AS project_id, k.box_id AS id, format('chunk %s holds card %s', k.n, card.id) AS what
      FROM card_box_chunks k CROSS JOIN unnest(k.card_ids) AS card(id)
      WHERE ($1::text IS NULL OR k.tenant_id = $1)
        AND NOT EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = k.tenant_id AND c.card_id = card.id)`,
  },
  {
    name: "every turn that another called has its edge",
    when: "always",
    sql: `
      SELECT t.project_id, t.agent_turn_id AS id, 'no request edge' AS what FROM state.agent_turns t
      WHERE t.parent_turn_id IS NOT NULL AND t.primitive <> 'ui_action' AND ($1::text IS NULL OR t.project_id = $1) AND NOT EXISTS (
        SELECT 1 FROM state.execution_edges e WHERE e.project_id = t.project_id AND e.correlation_id = t.agent_turn_id
          AND e.primitive = 'enqueue' AND e.edge_phase = 'request')`,
  },
  {
    name: "no edge is told twice",
    when: "always",
    sql: `
      SELECT e.project_id, e.correlation_id AS id, format('%s edges %s %s', count(*), e.primitive, e.edge_phase) AS what
      FROM state.execution_edges e WHERE ($1::text IS NULL OR e.project_id = $1)
      GROUP BY e.project_id, e.correlation_id, e.primitive, e.edge_phase HAVING count(*) > 1`,
  },
  ...["execution_edges", "identity_edges"].map(
    (view): Invariant => ({
      name: `an id stands for one of ${view}`,
      when: "always",
      sql: `
        SELECT e.project_id, e.edge_id AS id, format('%s edges have it', count(*)) AS what
        FROM state.${view} e WHERE ($1::text IS NULL OR e.project_id = $1)
        GROUP BY e.project_id, e.edge_id HAVING count(*) > 1`,
    }),
  ),
];
