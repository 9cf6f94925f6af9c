// Queues turns, set-wise: their rows and what is due of them in one statement, then the idle among the targets are leased in a second one.
// A turn's row is its request edge too. Agents that were there before must be locked already (lockHeads). The first turn of an agent that
// is being made needs no lease: it is written as leased, and its agent with it (insertAgents), which spares both their second version.
// Where the worker that makes it has a place free, it is written as running, by that worker: nobody has to claim it (take-made.ts).
import type { TurnFrame } from "@/server/contract/frame";
import { byKind } from "../by-kind";
import { columnsOf } from "../columns";
import { keptSql } from "../inbox/who-serves";
import { toldTurnsSql } from "../journal/told";
import type { Unit } from "../unit";
import { edgeIdSql } from "./edge-ids";
import { tellHold } from "./hold-run";
import { leaseNext, wakeupOf } from "./lease-next";
import { ENQUEUED, type EnqueuedTurn, type NewTurn } from "./new-turn";
import { roomSql } from "./run-limits-sql";
import { runningTurnRow } from "./running-turn-row";
import { placesFor, takeMade } from "./take-made";
import { TELLS, toldTurnSql, turnFrameSql } from "./turn-frame-sql";
import { TURN_COLUMNS, toldTurn } from "./turn-row";

/** `frame`: of those that wait behind another turn, unless they are leased after all. */
type Enqueued = EnqueuedTurn & {
  created_at: string;
  frame: TurnFrame | null;
  is_held: boolean;
};

const ENQUEUE = `
  WITH asked AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS g(kind int, agent_turn_id text, agent_id text, trace_id text, context_box_id text,
      output_box_id text, instruction_card_id text, batch_task_id text, task_index int, headcode text, title text, context_tokens bigint,
      context_consist text, client_call_key text, context_pack_ref jsonb,
      new_box_id text, place int)
    JOIN jsonb_to_recordset($3::jsonb) AS k(kind int, parent_turn_id text, root_turn_id text, parent_step_id text,
      parent_tool_call_id text, primitive text, target_strategy text, depth int, channel text, profile_box_id text, profile_name text,
      worker_target text, batch_id text, context_cards int, window_tokens int, source_agent_id text, is_first boolean,
      needs_own_worker boolean, taking text) USING (kind)
  ), room AS MATERIALIZED (
    SELECT r.root_turn_id, ${roomSql("r.root_turn_id")} AS n FROM state.runs r
    WHERE r.project_id = $1 AND r.root_turn_id IN (SELECT root_turn_id FROM asked)
  ), placed AS (
    SELECT asked.*, coalesce(row_number() OVER (PARTITION BY asked.root_turn_id ORDER BY place) > room.n, false) AS is_held
    FROM asked LEFT JOIN room USING (root_turn_id)
  ), begun AS (
    SELECT placed.*, is_first AND NOT is_held AND (taking = 'named' OR taking = 'star' AND NOT ${keptSql("worker_target", "$1", "$5")}) AS is_begun
    FROM placed
  ), given AS (
    SELECT begun.*, CASE WHEN is_begun THEN 'running' WHEN is_first THEN 'dispatched' ELSE 'queued' END AS status,
      CASE WHEN is_begun THEN $4::text END AS taken_by, CASE WHEN is_begun THEN now() END AS taken_at, CASE WHEN is_begun THEN 1 END AS taken_epoch
    FROM begun
  ), boxes AS (
    INSERT INTO card_boxes (tenant_id, box_id, kind, owner_agent_id, owner_turn_id)
    SELECT $1, new_box_id, 'output', agent_id, agent_turn_id FROM given WHERE is_first
  ), turns AS (
    INSERT INTO state.agent_turns AS t (project_id, agent_turn_id, agent_id, status, parent_turn_id, root_turn_id, parent_step_id,
      parent_tool_call_id, primitive, target_strategy, depth, channel, trace_id, profile_box_id, profile_name, worker_target,
      context_box_id, output_box_id, output_start, instruction_card_id, batch_task_id, batch_id, task_index, headcode, title,
      context_cards, context_tokens, context_consist, window_tokens, turn_epoch, leased_at, needs_own_worker,
      client_call_key, context_pack_ref, lease_holder, heartbeat_at, started_at, taken_by, taken_epoch)
    SELECT $1, agent_turn_id, agent_id, status, parent_turn_id, root_turn_id, parent_step_id,
      parent_tool_call_id, primitive, target_strategy, depth, channel, trace_id, profile_box_id, profile_name, worker_target, context_box_id,
      coalesce(output_box_id, new_box_id), 0, instruction_card_id, batch_task_id, batch_id, task_index, headcode, title,
      context_cards, context_tokens, context_consist, window_tokens, CASE WHEN is_first THEN 1 ELSE 0 END, CASE WHEN is_first THEN now() END,
      coalesce(needs_own_worker, false), client_call_key, context_pack_ref, taken_by, taken_at, taken_at, taken_by, taken_epoch
    FROM given RETURNING ${columnsOf(TURN_COLUMNS, "t")},
      CASE WHEN t.status = 'queued' THEN ${turnFrameSql("t")} END AS frame
  ), due AS (
    INSERT INTO state.due (project_id, agent_turn_id, turn_epoch, worker_target, needs_own_worker, run_key, queued_for, is_held,
      claimed_by, claimed_at, heartbeat_at)
    SELECT $1, agent_turn_id, CASE WHEN is_first THEN 1 ELSE 0 END, worker_target, coalesce(needs_own_worker, false), hashtext(root_turn_id),
      CASE WHEN is_held OR NOT is_first THEN agent_id END, is_held, taken_by, taken_at, taken_at
    FROM given
  ), ${toldTurnsSql(`
    SELECT project_id, ${toldTurnSql(
      "t",
      `CASE t.status WHEN 'queued' THEN ${TELLS.edge} ELSE ${TELLS.turn}::int + ${TELLS.edge}::int END`,
      edgeIdSql("t.agent_turn_id"),
    )} AS told FROM turns t`)}
  SELECT ${columnsOf(ENQUEUED, "turns")}, turns.created_at, frame,
    turns.agent_turn_id IN (SELECT g.agent_turn_id FROM given g WHERE g.is_held) AS is_held
  FROM turns`;

/** What most turns of a fork share: sent once for each kind. */
const sharedOf = (turn: NewTurn, taking: ReturnType<typeof placesFor>[number]) => ({
  parent_turn_id: turn.parent_turn_id,
  root_turn_id: turn.root_turn_id,
  parent_step_id: turn.parent_step_id,
  parent_tool_call_id: turn.parent_tool_call_id,
  primitive: turn.primitive,
  target_strategy: turn.target_strategy,
  depth: turn.depth,
  channel: turn.channel,
  profile_box_id: turn.profile_box_id,
  profile_name: turn.profile_name,
  worker_target: turn.worker_target,
  batch_id: turn.batch_id,
  context_cards: turn.context_cards,
  window_tokens: turn.window_tokens,
  source_agent_id: turn.source_agent_id,
  is_first: turn.is_first ?? false,
  needs_own_worker: turn.needs_own_worker,
  taking,
});

const restOf = (turn: NewTurn, kind: number, place: number, new_box_id: string | undefined) => ({
  kind,
  agent_turn_id: turn.agent_turn_id,
  agent_id: turn.agent_id,
  trace_id: turn.trace_id,
  context_box_id: turn.context_box_id,
  output_box_id: turn.output_box_id,
  instruction_card_id: turn.instruction_card_id,
  batch_task_id: turn.batch_task_id,
  task_index: turn.task_index,
  headcode: turn.headcode,
  title: turn.title,
  context_tokens: turn.context_tokens,
  context_consist: turn.context_consist,
  client_call_key: turn.client_call_key,
  context_pack_ref: turn.context_pack_ref,
  new_box_id,
  place,
});

/** Answers every turn as it stands at the end of the unit: running or dispatched with an epoch, or queued behind another. */
export async function enqueueTurns(
  unit: Unit,
  input: { project_id: string; turns: NewTurn[] },
): Promise<EnqueuedTurn[]> {
  const { project_id } = input;
  const { tunables, taker } = unit.kernel;
  const places = placesFor(unit, input.turns);
  const { rows, kinds } = byKind(
    input.turns,
    (turn, place) => sharedOf(turn, places.at(place)),
    (turn, kind, place) => restOf(turn, kind, place, turn.is_first ? unit.kernel.newId() : undefined),
  );
  const seen = tunables.workerSeenMsMax;
  const values = [project_id, JSON.stringify(rows), JSON.stringify(kinds), taker?.worker_id ?? null, seen];
  const queued = await unit.query<Enqueued>("turn_enqueue", ENQUEUE, values);
  const byId = new Map(queued.map((row) => [row.agent_turn_id, row]));
  const lease_holder = taker?.worker_id ?? "";
  const begun = input.turns.flatMap((turn) => {
    const row = byId.get(turn.agent_turn_id);
    return row?.status === "running" ? [runningTurnRow({ project_id, turn, row, lease_holder })] : [];
  });
  takeMade(unit, begun);
  await unit.probe("after-enqueue");
  const held = new Set(queued.flatMap((row) => (row.is_held ? row.agent_turn_id : [])));
  const roots = input.turns.flatMap((turn) => (held.has(turn.agent_turn_id) ? turn.root_turn_id : []));
  for (const root_turn_id of new Set(roots)) await tellHold(unit, { project_id, root_turn_id });
  const leased = await leaseNext(unit, {
    project_id,
    agent_ids: [...new Set(input.turns.filter((t) => !t.is_first).map((t) => t.agent_id))],
  });
  const later = new Map(leased.map((row) => [row.agent_turn_id, row]));
  return input.turns.map(({ agent_turn_id }) => {
    const row = byId.get(agent_turn_id);
    if (!row) throw new Error(`turn ${agent_turn_id} was queued and did not come back`);
    if (row.frame === null) {
      unit.told(project_id, [toldTurn(row)]);
      if (row.status === "dispatched" && !row.is_held) unit.ring(wakeupOf({ ...row, project_id }));
    } else if (!later.has(agent_turn_id)) unit.frame(project_id, row.frame);
    return later.get(agent_turn_id) ?? row;
  });
}
