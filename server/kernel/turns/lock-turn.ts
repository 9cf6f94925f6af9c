// The first statement of everything that moves turns: their rows FOR UPDATE, by id, found only under the epoch and status the caller
// believes in (K2, K17). Whoever ends them locks their agents too. What comes too late is journaled, so that people see who still writes.
import type { TurnStatus } from "@/server/contract/turn";
import { LOCKED_BOX, type LockedBox } from "../cardbox/grow-boxes";
import { columnsOf } from "../columns";
import { IS_THERE } from "../roster/removed";
import type { Unit } from "../unit";
import type { Fenced } from "./fenced";
import { ENDING, type EndingRow, TURN_COLUMNS, type TurnRow } from "./turn-row";
import { HELD_BY } from "./who-held";

export type TurnKey = { project_id: string; agent_turn_id: string; turn_epoch: number };

// Key by key, each look-up held by the one before it. As plain joins they were planned once, while a project was young, as a
// walk through all of its turns, and stayed so while it grew: 7 of the 14 ms of an end. A person's turn is nobody's to write.
const heldSql = (order = "") => `(
    SELECT t.* FROM (SELECT g.agent_turn_id, g.turn_epoch FROM unnest($2::text[], $3::bigint[]) AS g(agent_turn_id, turn_epoch)
      WHERE ${IS_THERE} ORDER BY g.agent_turn_id) g
    CROSS JOIN LATERAL (SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns
      WHERE project_id = $1 AND agent_turn_id = g.agent_turn_id AND turn_epoch = g.turn_epoch AND status = ANY ($4::text[])
        AND NOT is_human FOR UPDATE) t${order}) t`;
const LOCK = `SELECT ${columnsOf(TURN_COLUMNS, "t")} FROM ${heldSql()}`;
// Whoever changes any of this locks the turn or its agent first, so it is read by a statement of its own behind theirs: the one
// that waited for the locks would still answer with what was there before it waited. Limits are looked at again after the end.
// Of the turns $2 of project $1, those whose end is all there is to write (arePlain).
export const PLAIN = `
  SELECT t.agent_turn_id FROM unnest($2::text[]) AS g(agent_turn_id)
  CROSS JOIN LATERAL (SELECT agent_turn_id, agent_id, root_turn_id FROM state.agent_turns
    WHERE project_id = $1 AND agent_turn_id = g.agent_turn_id OFFSET 0) t
  WHERE NOT EXISTS (SELECT 1 FROM state.pmo_batches b WHERE b.project_id = $1 AND b.parent_agent_turn_id = t.agent_turn_id AND b.status = 'running' OFFSET 0)
    AND NOT EXISTS (SELECT 1 FROM state.plan_runs r WHERE r.project_id = $1 AND r.parent_turn_id = t.agent_turn_id AND r.status = 'running' OFFSET 0)
    AND NOT EXISTS (SELECT 1 FROM state.human_requests q WHERE q.project_id = $1 AND q.agent_turn_id = t.agent_turn_id AND q.status = 'open' OFFSET 0)
    AND NOT EXISTS (SELECT 1 FROM state.due d WHERE d.project_id = $1 AND d.queued_for = t.agent_id AND d.agent_turn_id <> t.agent_turn_id OFFSET 0)
    AND NOT EXISTS (SELECT 1 FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = t.root_turn_id AND r.limits IS NOT NULL OFFSET 0)`;
// All turns first, then their agents by id, each with its output box.
const LOCK_ENDING = `
  SELECT ${ENDING.map((column) => `t.${column}`).join(", ")}, ${LOCKED_BOX} FROM ${heldSql(" ORDER BY t.agent_id OFFSET 0")}
  CROSS JOIN LATERAL (SELECT 1 FROM resource.project_agents WHERE project_id = $1 AND agent_id = t.agent_id FOR NO KEY UPDATE) a
  CROSS JOIN LATERAL (SELECT box_id, kind, owner_turn_id, length, token_sum, consist, rev, chunk_count, tail, tail_origins, tail_tokens,
    tail_untravelled FROM card_boxes WHERE tenant_id = $1 AND box_id = t.output_box_id FOR UPDATE) b`;
const LATE = `
  SELECT t.agent_turn_id, t.turn_epoch, ${HELD_BY} AS held_by
  FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, turn_epoch bigint)
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = g.agent_turn_id
    AND t.agent_turn_id = ANY (ARRAY(SELECT k.agent_turn_id FROM jsonb_to_recordset($2::jsonb) AS k(agent_turn_id text)))
  WHERE ${IS_THERE}`;

/** `what` names the refused write in the journal: "append", "deliver", ... */
export type LockInput = { statuses: TurnStatus[]; what: string; worker_id?: string };

export async function lockTurn(unit: Unit, input: TurnKey & LockInput): Promise<TurnRow | Fenced> {
  const [row] = await lockTurns(unit, { ...input, keys: [input] });
  return row ?? { fenced: true, current_epoch: null };
}

type LockAll = { project_id: string; keys: TurnKey[] } & LockInput;

/** In input order, all of one project. */
export const lockTurns = (unit: Unit, input: LockAll): Promise<(TurnRow | Fenced)[]> =>
  lockAll<TurnRow>(unit, input, "turns_lock", LOCK);

type LockedEnding = EndingRow & LockedBox;

/** The same of turns with an output box that are going to be ended: a quarter of the row, their agents, and the box. */
export const lockEnding = (unit: Unit, input: LockAll): Promise<(LockedEnding | Fenced)[]> =>
  lockAll<LockedEnding>(unit, input, "turns_lock_ending", LOCK_ENDING);

/**
 * Whether an end is all there is to write: nothing these turns have begun waits for them, nothing waits for their agents, their
 * runs have no limits. To be asked behind `lockEnding`, whose answer need not be there yet.
 */
export async function arePlain(
  unit: Unit,
  { project_id, keys }: Pick<LockAll, "project_id" | "keys">,
): Promise<boolean> {
  const ids = [...new Set(keys.map((key) => key.agent_turn_id))];
  const plain = await unit.query<{ agent_turn_id: string }>("turns_plain", PLAIN, [project_id, ids]);
  return plain.length === ids.length;
}

async function lockAll<R extends { agent_turn_id: string; turn_epoch: number }>(
  unit: Unit,
  input: LockAll,
  name: string,
  sql: string,
): Promise<(R | Fenced)[]> {
  const { project_id, keys } = input;
  const ids = keys.map((key) => key.agent_turn_id);
  const epochs_believed = keys.map((key) => key.turn_epoch);
  const rows = await unit.query<R>(name, sql, [project_id, ids, epochs_believed, input.statuses]);
  const locked = new Map(rows.map((row) => [row.agent_turn_id, row]));
  // A turn that was taken over may be named twice in one call, by who lost it and by who has it.
  const isHeld = (key: TurnKey) => locked.get(key.agent_turn_id)?.turn_epoch === key.turn_epoch;
  const late = keys
    .filter((key) => !isHeld(key))
    .map(({ agent_turn_id, turn_epoch }) => ({ agent_turn_id, turn_epoch }));
  const now = await standOf(unit, project_id, late);
  for (const key of late) tellLate(unit, { project_id, ...key }, now.get(key.agent_turn_id), input);
  return keys.map((key) => {
    const row = isHeld(key) ? locked.get(key.agent_turn_id) : undefined;
    return row ?? { fenced: true, current_epoch: now.get(key.agent_turn_id)?.turn_epoch ?? null };
  });
}

/** The epoch of now, and who held the one that was believed in. */
type Stand = { agent_turn_id: string; turn_epoch: number; held_by: string | null };

async function standOf(
  unit: Unit,
  project_id: string,
  late: Omit<TurnKey, "project_id">[],
): Promise<Map<string, Stand>> {
  if (late.length === 0) return new Map();
  const rows = await unit.query<Stand>("turns_late", LATE, [project_id, JSON.stringify(late)]);
  return new Map(rows.map((row) => [row.agent_turn_id, row]));
}

function tellLate(unit: Unit, key: TurnKey, now: Stand | undefined, { what, worker_id }: LockInput): void {
  if (now === undefined) return;
  unit.frame(key.project_id, {
    kind: "rejected_late",
    id: unit.kernel.newId("edge_"),
    rev: 1,
    agent_turn_id: key.agent_turn_id,
    turn_epoch: key.turn_epoch,
    current_epoch: now.turn_epoch,
    what,
    worker_id: worker_id ?? now.held_by ?? undefined,
    created_at: unit.kernel.now().toISOString(),
  });
}
