// Ends a turn, once and for all (K6): its deliverable, its status, the idle head, the pointer to its last output, the one
// `task` frame, and the lease of whatever the agent has queued, all in the caller's transaction.
import type { CardContent } from "@/server/contract/card";
import type { EndStatus } from "@/server/contract/turn";
import { lineOf } from "../cardbox/card-line";
import type { Unit } from "../unit";
import { appendCards, type TurnCard } from "./append-cards";
import { fallbackDeliverable } from "./fallback-deliverable";
import { leaseNext } from "./lease-next";
import { type TurnRow, turnFrame } from "./turn-row";

export type EndTurnInput = {
  /** Locked, with its head, by lockTurn. */
  row: TurnRow;
  status: EndStatus;
  /** null = a fallback deliverable. */
  content: CardContent | null;
  cards?: TurnCard[];
  error_code?: string;
  error?: string;
  note?: string;
  /** 1 when somebody else than its worker ends it: what that worker still writes is then fenced. */
  epoch_step?: 0 | 1;
};

const END = `
  WITH head AS (
    UPDATE state.agent_state_head h SET status = 'idle', active_agent_turn_id = NULL, turn_epoch = h.turn_epoch + $10,
      context_box_id = NULL, output_box_id = NULL, parent_step_id = NULL, trace_id = NULL, waiting_tool_count = 0,
      resume_deadline = NULL, lease_holder = NULL, leased_at = NULL, heartbeat_at = NULL, rung_at = NULL, updated_at = now()
    WHERE h.project_id = $1 AND h.agent_id = $3 AND h.active_agent_turn_id = $2
    RETURNING h.turn_epoch
  ), pointer AS (
    INSERT INTO state.agent_state_pointers (project_id, agent_id, last_output_box_id) VALUES ($1, $3, $4)
    ON CONFLICT (project_id, agent_id) DO UPDATE SET last_output_box_id = excluded.last_output_box_id, updated_at = now()
  ), seen AS (
    UPDATE resource.project_agents SET last_seen_at = now() WHERE project_id = $1 AND agent_id = $3
  ), rows AS (
    UPDATE state.agent_inbox SET status = 'consumed', archived_at = now()
    WHERE project_id = $1 AND agent_turn_id = $2 AND status IN ('queued', 'pending', 'processing', 'deferred')
  ), waits AS (
    UPDATE state.turn_waiting_tools SET wait_status = 'dropped', updated_at = now()
    WHERE project_id = $1 AND agent_turn_id = $2 AND wait_status IN ('waiting', 'received')
  ), steps AS (
    UPDATE state.agent_steps SET status = 'failed', error = 'abandoned: the turn ended', ended_at = now(), rev = rev + 1
    WHERE project_id = $1 AND agent_turn_id = $2 AND status = 'started'
  ), edge AS (
    INSERT INTO state.execution_edges (project_id, edge_id, primitive, edge_phase, source_agent_id, source_turn_id,
      target_agent_id, target_turn_id, root_turn_id, correlation_id, recursion_depth, trace_id)
    SELECT $1, $11, 'enqueue', 'response', $3, $2, p.agent_id, p.agent_turn_id, t.root_turn_id, $2, t.depth, t.trace_id
    FROM state.agent_turns t
    JOIN state.agent_turns p ON p.project_id = t.project_id AND p.agent_turn_id = t.parent_turn_id
    WHERE t.project_id = $1 AND t.agent_turn_id = $2
    ON CONFLICT (project_id, correlation_id, primitive, edge_phase) DO NOTHING
  )
  UPDATE state.agent_turns t SET status = $5, deliverable_card_id = $6, error_code = $7, error = $8, note = coalesce($9, t.note),
    turn_epoch = head.turn_epoch, lease_holder = NULL, ended_at = now(), rev = t.rev + 1
  FROM head WHERE t.project_id = $1 AND t.agent_turn_id = $2
  RETURNING t.*`;

export async function endTurn(unit: Unit, input: EndTurnInput): Promise<{ row: TurnRow; deliverable_card_id: string }> {
  const { status } = input;
  const { project_id, agent_turn_id, agent_id } = input.row;
  const facts = { status, error_code: input.error_code, error: input.error, agent_turn_id };
  const deliverable: TurnCard = {
    type: "task.deliverable",
    author_id: input.content === null ? "switchyard" : agent_id,
    content:
      input.content ??
      fallbackDeliverable({ ...facts, step_count: input.row.step_count ?? 0, last_note: input.row.note ?? undefined }),
    metadata: input.content === null ? { is_fallback: true, status } : { status },
  };
  const { cards, row } = await appendCards(unit, {
    row: input.row,
    cards: [...(input.cards ?? []), deliverable],
    isFrameLater: true,
  });
  const card = cards.at(-1);
  if (!card || row.output_box_id === null) throw new Error(`turn ${agent_turn_id} has no place for its deliverable`);
  await unit.probe("before-end");
  const [ended] = await unit.query<TurnRow>("turn_end", END, [
    project_id,
    agent_turn_id,
    agent_id,
    row.output_box_id,
    status,
    card.card_id,
    input.error_code ?? null,
    input.error ?? null,
    // What it was doing last says nothing about how it ended; the first words of what it delivered do.
    (input.note ?? (input.content === null ? undefined : lineOf(card).title))?.slice(0, 160) ?? null,
    input.epoch_step ?? 0,
    unit.kernel.newId("edge_"),
  ]);
  if (!ended) throw new Error(`turn ${agent_turn_id} was locked and could not be ended`);
  unit.frame(project_id, turnFrame(ended));
  unit.frame(project_id, {
    kind: "task",
    id: agent_turn_id,
    rev: ended.rev,
    status,
    agent_id,
    root_turn_id: ended.root_turn_id,
    output_box_id: row.output_box_id,
    deliverable_card_id: card.card_id,
    error_code: input.error_code,
  });
  await leaseNext(unit, { project_id, agent_ids: [agent_id] });
  return { row: ended, deliverable_card_id: card.card_id };
}
