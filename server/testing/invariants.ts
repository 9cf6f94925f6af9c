// What must always hold in the database, as statements that find violations. Fault injection, the chaos run and the
// model-based tests use the same ones.
import type pg from "pg";
import { createSlots } from "@/server/kernel/slots";
import type { Invariant } from "./invariant";
import { batchInvariants } from "./invariants-batches";
import { planInvariants } from "./invariants-plans";
import { referenceInvariants } from "./invariants-references";

export type Violation = { invariant: string; project_id: string; id: string; what: string };
export type Checked = { name: string; violations: number };

/** Every invariant with its count of violations; 0 = checked and none found. */
export async function checkInvariants(
  pool: pg.Pool,
  input: {
    project_id?: string;
    when?: "always" | "settled";
    /** Skips the checks of references. */
    isQuick?: boolean;
  } = {},
): Promise<{ checked: Checked[]; violations: Violation[] }> {
  const all = input.isQuick ? [...turnInvariants, ...boxInvariants, ...batchInvariants, ...planInvariants] : invariants;
  const asked = all.filter((one) => input.when !== "always" || one.when === "always");
  // Two at a time: all at once, after minutes of chaos, each waited for all others until its time was over.
  const slots = createSlots(2);
  const found = await Promise.all(
    asked.map(async ({ name, sql }) => {
      const release = await slots.take();
      try {
        const { rows } = await pool.query<Omit<Violation, "invariant">>(sql, [input.project_id ?? null]);
        return { name, rows };
      } finally {
        release();
      }
    }),
  );
  return {
    checked: found.map(({ name, rows }) => ({ name, violations: rows.length })),
    violations: found.flatMap(({ name, rows }) => rows.map((row) => ({ invariant: name, ...row }))),
  };
}

const turnInvariants: Invariant[] = [
  {
    name: "what a person is asked is waited for, and nothing else that only a person answers",
    when: "always",
    sql: `
      SELECT coalesce(q.project_id, w.project_id) AS project_id, coalesce(q.request_id, w.tool_call_id) AS id,
        format('request %s, wait %s', q.status, w.wait_status) AS what
      FROM (SELECT *, tool_call_id || CASE kind WHEN 'approval' THEN '-approval' ELSE '' END AS wait_id FROM state.human_requests
        WHERE kind <> 'plan_hold') q
      FULL JOIN (SELECT * FROM state.turn_waiting_tools WHERE tool_name = 'ask_human') w
        ON w.project_id = q.project_id AND w.agent_turn_id = q.agent_turn_id AND w.tool_call_id = q.wait_id
      WHERE (q.status = 'open') IS DISTINCT FROM (w.wait_status = 'waiting')
        AND ($1::text IS NULL OR coalesce(q.project_id, w.project_id) = $1)`,
  },
  {
    name: "every turn has ended",
    when: "settled",
    sql: `
      SELECT project_id, agent_turn_id AS id, format('%s, epoch %s, target %s, note %s', status, turn_epoch, worker_target, note) AS what
      FROM state.agent_turns WHERE ended_at IS NULL AND ($1::text IS NULL OR project_id = $1)`,
  },
  {
    name: "a turn that has ended has one task frame, and no other has any",
    when: "always",
    sql: `
      SELECT t.project_id, t.agent_turn_id AS id, format('%s with %s task frames', t.status, count(j.event_id)) AS what
      FROM state.agent_turns t
      LEFT JOIN state.journal j ON j.project_id = t.project_id AND j.entity_id = t.agent_turn_id AND j.kind = 'task'
      WHERE ($1::text IS NULL OR t.project_id = $1)
      GROUP BY t.project_id, t.agent_turn_id, t.status, t.ended_at
      HAVING count(j.event_id) <> CASE WHEN t.ended_at IS NULL THEN 0 ELSE 1 END`,
  },
  {
    name: "a task frame says what its turn says",
    when: "always",
    sql: `
      SELECT j.project_id, j.entity_id AS id, format('frame %s, turn %s', j.frame ->> 'status', t.status) AS what
      FROM state.journal j LEFT JOIN state.agent_turns t ON t.project_id = j.project_id AND t.agent_turn_id = j.entity_id
      WHERE j.kind = 'task' AND ($1::text IS NULL OR j.project_id = $1)
        AND (t.status IS DISTINCT FROM j.frame ->> 'status' OR t.deliverable_card_id IS DISTINCT FROM j.frame ->> 'deliverable_card_id')`,
  },
  {
    name: "a deliverable is one, of its own turn, and lies in its output box",
    when: "always",
    sql: `
      SELECT t.project_id, t.agent_turn_id AS id, format('card %s (%s of turn %s), in the box %s times, %s deliverables',
        t.deliverable_card_id, c.metadata ->> 'type', c.metadata ->> 'agent_turn_id', there.n, own.n) AS what
      FROM state.agent_turns t
      LEFT JOIN cards c ON c.tenant_id = t.project_id AND c.card_id = t.deliverable_card_id
      CROSS JOIN LATERAL (
        SELECT count(*) AS n FROM card_box_chunks k CROSS JOIN unnest(k.card_ids) AS card(id)
        WHERE k.tenant_id = t.project_id AND k.box_id = t.output_box_id AND card.id = t.deliverable_card_id) there
      CROSS JOIN LATERAL (
        SELECT count(*) AS n FROM cards d WHERE d.tenant_id = t.project_id AND d.metadata ->> 'agent_turn_id' = t.agent_turn_id
          AND d.metadata ->> 'type' = 'task.deliverable') own
      WHERE t.ended_at IS NOT NULL AND ($1::text IS NULL OR t.project_id = $1)
        AND (c.card_id IS NULL OR c.metadata ->> 'type' <> 'task.deliverable' OR there.n <> 1
          OR (t.worker_target <> 'human' AND (c.metadata ->> 'agent_turn_id' IS DISTINCT FROM t.agent_turn_id OR own.n <> 1)))`,
  },
  {
    name: "no two turns of an agent overlap",
    when: "always",
    sql: `
      WITH ran AS (
        SELECT project_id, agent_id, agent_turn_id, turn_epoch, started_at, coalesce(ended_at, 'infinity') AS ended_at
        FROM state.agent_turns
        WHERE started_at IS NOT NULL AND primitive NOT IN ('ui_action', 'import') AND ($1::text IS NULL OR project_id = $1)
      )
      SELECT a.project_id, a.agent_turn_id AS id, format('%s to %s, and %s from %s', a.started_at, a.ended_at, b.agent_turn_id, b.started_at) AS what
      FROM ran a JOIN ran b USING (project_id, agent_id)
      WHERE a.agent_turn_id <> b.agent_turn_id AND a.turn_epoch < b.turn_epoch AND a.ended_at > b.started_at`,
  },
  {
    name: "epochs of an agent rise, and no two of its turns share one",
    when: "always",
    sql: `
      WITH spans AS (
        SELECT t.project_id, t.agent_id, t.agent_turn_id, min((j.frame ->> 'turn_epoch')::bigint) AS low, t.turn_epoch AS high
        FROM state.agent_turns t
        JOIN state.journal j ON j.project_id = t.project_id AND j.kind = 'turn' AND j.entity_id = t.agent_turn_id
        WHERE t.leased_at IS NOT NULL AND t.primitive NOT IN ('ui_action', 'import') AND j.frame ->> 'status' <> 'queued'
          AND ($1::text IS NULL OR t.project_id = $1)
        GROUP BY t.project_id, t.agent_turn_id
      )
      SELECT a.project_id, a.agent_turn_id AS id, format('epochs %s to %s, and %s has %s to %s', a.low, a.high, b.agent_turn_id, b.low, b.high) AS what
      FROM spans a JOIN spans b USING (project_id, agent_id)
      WHERE a.agent_turn_id < b.agent_turn_id AND a.low <= b.high AND b.low <= a.high`,
  },
  {
    name: "the frames of a turn never go back in epoch, nor on after its end",
    when: "always",
    sql: `
      WITH told AS (
        SELECT project_id, entity_id, rev, (frame ->> 'turn_epoch')::bigint AS epoch, frame ->> 'status' AS status,
          lag((frame ->> 'turn_epoch')::bigint) OVER w AS epoch_before, lag(frame ->> 'status') OVER w AS status_before
        FROM state.journal WHERE kind = 'turn' AND ($1::text IS NULL OR project_id = $1)
        WINDOW w AS (PARTITION BY project_id, entity_id ORDER BY rev)
      )
      SELECT project_id, entity_id AS id, format('rev %s: %s at epoch %s after %s at epoch %s', rev, status, epoch, status_before, epoch_before) AS what
      FROM told WHERE epoch < epoch_before OR status_before IN ('success', 'partial', 'failed', 'timeout', 'canceled')`,
  },
  {
    name: "an agent that is not idle has a live turn of its own, under no epoch below its own",
    when: "always",
    sql: `
      SELECT a.project_id, a.agent_id AS id, format('agent at epoch %s with %s, turn %s at epoch %s', a.turn_epoch, a.active_turn, t.status,
        t.turn_epoch) AS what
      FROM resource.project_agents a
      LEFT JOIN state.agent_turns t ON t.project_id = a.project_id AND t.agent_turn_id = a.active_turn
      WHERE a.active_turn IS NOT NULL AND ($1::text IS NULL OR a.project_id = $1)
        AND (t.status IS NULL OR t.status NOT IN ('dispatched', 'running', 'suspended') OR t.is_human OR t.agent_id <> a.agent_id
          OR t.turn_epoch < a.turn_epoch)`,
  },
  {
    name: "a live turn is the one of its agent",
    when: "always",
    sql: `
      SELECT t.project_id, t.agent_turn_id AS id, format('%s, and %s has %s', t.status, t.agent_id, a.active_turn) AS what
      FROM state.agent_turns t LEFT JOIN resource.project_agents a ON a.project_id = t.project_id AND a.agent_id = t.agent_id
      WHERE t.status IN ('dispatched', 'running', 'suspended') AND NOT t.is_human AND ($1::text IS NULL OR t.project_id = $1)
        AND a.active_turn IS DISTINCT FROM t.agent_turn_id`,
  },
  {
    name: "a live turn writes into a box of its own agent, and no two into one",
    when: "always",
    sql: `
      SELECT t.project_id, t.agent_turn_id AS id, format('box %s of agent %s, shared with %s', b.box_id, b.owner_agent_id, o.agent_turn_id) AS what
      FROM state.agent_turns t JOIN card_boxes b ON b.tenant_id = t.project_id AND b.box_id = t.output_box_id
      LEFT JOIN state.agent_turns o ON o.project_id = t.project_id AND o.output_box_id = t.output_box_id AND o.ended_at IS NULL
        AND o.agent_turn_id <> t.agent_turn_id
      WHERE t.status IN ('dispatched', 'running', 'suspended') AND NOT t.is_human AND ($1::text IS NULL OR t.project_id = $1)
        AND (b.owner_agent_id IS DISTINCT FROM t.agent_id OR o.agent_turn_id IS NOT NULL)`,
  },
  {
    name: "no turn of an idle agent has an epoch above the agent's",
    when: "always",
    sql: `
      SELECT a.project_id, a.agent_id AS id, format('agent at epoch %s, turn %s at %s', a.turn_epoch, t.agent_turn_id, t.turn_epoch) AS what
      FROM resource.project_agents a JOIN state.agent_turns t ON t.project_id = a.project_id AND t.agent_id = a.agent_id
      WHERE a.active_turn IS NULL AND NOT a.is_human AND t.turn_epoch > a.turn_epoch AND ($1::text IS NULL OR a.project_id = $1)`,
  },
  {
    name: "a head counts the calls that its turn waits for",
    when: "always",
    sql: `
      SELECT h.project_id, h.agent_id AS id, format('head %s says %s, there are %s', h.status, h.waiting_tool_count, n) AS what
      FROM state.agent_state_head h CROSS JOIN LATERAL (
        SELECT count(*) AS n FROM state.turn_waiting_tools w
        WHERE w.project_id = h.project_id AND w.agent_turn_id = h.active_agent_turn_id AND w.wait_status IN ('waiting', 'received')) waits
      WHERE ($1::text IS NULL OR h.project_id = $1)
        AND h.waiting_tool_count <> CASE WHEN h.status = 'suspended' THEN n ELSE 0 END`,
  },
  {
    name: "a call is waited for only by a live turn, at its epoch",
    when: "always",
    sql: `
      SELECT w.project_id, w.tool_call_id AS id, format('%s at epoch %s, turn %s %s at epoch %s', w.wait_status, w.turn_epoch,
        t.agent_turn_id, t.status, t.turn_epoch) AS what
      FROM state.turn_waiting_tools w
      LEFT JOIN state.agent_turns t ON t.project_id = w.project_id AND t.agent_turn_id = w.agent_turn_id
      WHERE w.wait_status IN ('waiting', 'received') AND ($1::text IS NULL OR w.project_id = $1)
        AND (t.ended_at IS NOT NULL OR t.turn_epoch IS DISTINCT FROM w.turn_epoch)`,
  },
  {
    name: "nothing is queued behind an idle head",
    when: "always",
    sql: `
      SELECT d.project_id, d.agent_turn_id AS id, format('agent %s', d.queued_for) AS what
      FROM state.due d LEFT JOIN state.agent_state_head h ON h.project_id = d.project_id AND h.agent_id = d.queued_for
      WHERE d.queued_for IS NOT NULL AND NOT d.is_held AND coalesce(h.status, 'idle') = 'idle' AND ($1::text IS NULL OR d.project_id = $1)`,
  },
  {
    name: "a turn that waits or runs is due, under its epoch and its holder",
    when: "always",
    sql: `
      SELECT t.project_id, t.agent_turn_id AS id, format('%s at epoch %s of %s, due: %s', t.status, t.turn_epoch, t.lease_holder, to_jsonb(d)) AS what
      FROM state.agent_turns t LEFT JOIN state.due d ON d.project_id = t.project_id AND d.agent_turn_id = t.agent_turn_id
      WHERE t.status IN ('queued', 'dispatched', 'running') AND NOT t.is_human AND ($1::text IS NULL OR t.project_id = $1)
        AND CASE WHEN d.agent_turn_id IS NULL OR d.turn_epoch <> t.turn_epoch OR d.worker_target <> t.worker_target THEN true
          WHEN t.status = 'queued' THEN d.queued_for IS DISTINCT FROM t.agent_id OR d.claimed_by IS NOT NULL
          WHEN t.status = 'dispatched' THEN d.heartbeat_at IS NOT NULL OR (d.queued_for IS NOT NULL) <> d.is_held
          ELSE d.heartbeat_at IS NULL OR d.claimed_by IS DISTINCT FROM t.lease_holder END`,
  },
  {
    name: "no other turn is due",
    when: "always",
    sql: `
      SELECT d.project_id, d.agent_turn_id AS id, coalesce(t.status, 'no such turn') AS what
      FROM state.due d LEFT JOIN state.agent_turns t ON t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id
      WHERE ($1::text IS NULL OR d.project_id = $1)
        AND (t.agent_turn_id IS NULL OR t.is_human OR t.status NOT IN ('queued', 'dispatched', 'running'))`,
  },
  {
    name: "no row of a turn that has ended is open",
    when: "always",
    sql: `
      SELECT i.project_id, i.inbox_id AS id, format('%s %s of turn %s (%s)', i.status, i.message_type, i.agent_turn_id, t.status) AS what
      FROM state.inbox_messages i JOIN state.agent_turns t ON t.project_id = i.project_id AND t.agent_turn_id = i.agent_turn_id
      WHERE i.status IN ('queued', 'pending', 'processing', 'deferred') AND t.ended_at IS NOT NULL AND ($1::text IS NULL OR i.project_id = $1)`,
  },
  {
    name: "no step of a turn that has ended is open",
    when: "always",
    sql: `
      SELECT s.project_id, s.step_id AS id, format('of turn %s', s.agent_turn_id) AS what
      FROM state.agent_steps s JOIN state.agent_turns t ON t.project_id = s.project_id AND t.agent_turn_id = s.agent_turn_id
      WHERE s.status = 'started' AND t.ended_at IS NOT NULL AND ($1::text IS NULL OR s.project_id = $1)`,
  },
];

const boxInvariants: Invariant[] = [
  {
    name: "a call has at most one result, and a box holds it once",
    when: "always",
    sql: `
      SELECT tenant_id AS project_id, tool_call_id AS id, format('%s results', count(*)) AS what
      FROM cards WHERE metadata ->> 'type' = 'tool.result' AND ($1::text IS NULL OR tenant_id = $1)
      GROUP BY tenant_id, tool_call_id HAVING count(*) - count(metadata ->> 'supersedes') > 1
      UNION ALL
      SELECT t.project_id, c.tool_call_id, format('%s times in the output of turn %s', count(*), t.agent_turn_id)
      FROM state.agent_turns t
      JOIN card_box_chunks k ON k.tenant_id = t.project_id AND k.box_id = t.output_box_id
      CROSS JOIN unnest(k.card_ids) AS card(id)
      JOIN cards c ON c.tenant_id = t.project_id AND c.card_id = card.id AND c.metadata ->> 'type' = 'tool.result'
      WHERE ($1::text IS NULL OR t.project_id = $1)
      GROUP BY t.project_id, t.agent_turn_id, c.tool_call_id HAVING count(*) - count(c.metadata ->> 'supersedes') > 1`,
  },
  {
    name: "a box is as long and as heavy as its chunks",
    when: "always",
    sql: `
      SELECT b.tenant_id AS project_id, b.box_id AS id, format('length %s and %s tokens, chunks hold %s and %s', b.length, b.token_sum,
        k.cards, k.tokens) AS what
      FROM card_boxes b CROSS JOIN LATERAL (
        SELECT coalesce(sum(cardinality(card_ids)), 0) AS cards, coalesce(sum(tokens), 0) AS tokens,
          coalesce(max(start + cardinality(card_ids)), 0) AS reach
        FROM card_box_chunks c WHERE c.tenant_id = b.tenant_id AND c.box_id = b.box_id) k
      WHERE ($1::text IS NULL OR b.tenant_id = $1) AND (b.length <> k.cards OR b.length <> k.reach OR b.token_sum <> k.tokens)`,
  },
  {
    name: "a card of a tail was written for its box, or the box says that it carries it",
    when: "always",
    sql: `
      SELECT b.tenant_id AS project_id, b.box_id AS id, format('no index leads from card %s to it', card.id) AS what
      FROM card_boxes b CROSS JOIN unnest(b.tail) AS card(id)
      LEFT JOIN cards c ON c.tenant_id = b.tenant_id AND c.card_id = card.id
      WHERE ($1::text IS NULL OR b.tenant_id = $1) AND c.born_box IS DISTINCT FROM b.box_id
        AND card.id <> ALL (coalesce(b.carried, '{}'))`,
  },
  {
    name: "a full chunk has its box, and stands before its tail",
    when: "always",
    sql: `
      SELECT k.tenant_id AS project_id, k.box_id AS id, format('chunk %s of %s', k.n, b.chunk_count) AS what
      FROM box_chunks k LEFT JOIN card_boxes b ON b.tenant_id = k.tenant_id AND b.box_id = k.box_id
      WHERE ($1::text IS NULL OR k.tenant_id = $1) AND (b.box_id IS NULL OR k.n >= b.chunk_count)`,
  },
  {
    // A fork counts also those that it began with.
    name: "a turn counts the cards that it has written, and each card stands once",
    when: "always",
    sql: `
      SELECT t.project_id, t.agent_turn_id AS id, format('says %s cards, wrote %s, of them %s different', t.output_cards, own.n, own.different) AS what
      FROM state.agent_turns t CROSS JOIN LATERAL (
        SELECT count(*) AS n, count(DISTINCT c.card_id) AS different
        FROM card_box_chunks k CROSS JOIN unnest(k.card_ids) AS card(id)
        JOIN cards c ON c.tenant_id = k.tenant_id AND c.card_id = card.id
        WHERE k.tenant_id = t.project_id AND k.box_id = t.output_box_id AND c.metadata ->> 'agent_turn_id' = t.agent_turn_id) own
      WHERE t.worker_target <> 'human' AND t.primitive <> 'import' AND ($1::text IS NULL OR t.project_id = $1)
        AND (own.n <> own.different OR CASE WHEN t.forked_from IS NULL THEN t.output_cards <> own.n ELSE t.output_cards < own.n END)`,
  },
];

const invariants: Invariant[] = [
  ...turnInvariants,
  ...boxInvariants,
  ...batchInvariants,
  ...planInvariants,
  ...referenceInvariants,
];
