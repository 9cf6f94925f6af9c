// The first statement of everything that moves turns: their heads FOR UPDATE, by agent id, found only under the epoch and
// status the caller believes in (K2, K17). What comes too late is journaled, so that people see who still writes.
import type { TurnStatus } from "@/server/contract/turn";
import { LAST_CHUNK, LOCKED_BOX, type LockedBox } from "../cardbox/grow-boxes";
import type { Unit } from "../unit";
import type { Fenced } from "./fenced";
import { ENDING, type EndingRow, type TurnRow } from "./turn-row";
import { HELD_BY } from "./who-held";

export type TurnKey = { project_id: string; agent_turn_id: string; turn_epoch: number };

const lockSql = (columns: string, joins = "", locked = "h, t") => `
  SELECT ${columns} FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, turn_epoch bigint)
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = g.agent_turn_id
  JOIN state.agent_state_head h ON h.project_id = $1 AND h.agent_id = t.agent_id${joins}
  WHERE h.active_agent_turn_id = g.agent_turn_id AND h.turn_epoch = g.turn_epoch AND h.status = ANY ($3::text[])
  ORDER BY h.agent_id
  FOR UPDATE OF ${locked}`;
const LOCK = lockSql("t.*");
const LOCK_ENDING = lockSql(
  `${ENDING.map((column) => `t.${column}`).join(", ")}, ${LOCKED_BOX}`,
  `\n  JOIN card_boxes b ON b.tenant_id = $1 AND b.box_id = t.output_box_id ${LAST_CHUNK}`,
  "h, t, b",
);
const LATE = `
  SELECT t.agent_turn_id, t.turn_epoch, ${HELD_BY} AS held_by
  FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, turn_epoch bigint)
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = g.agent_turn_id`;

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

/** The same of turns with an output box that are going to be ended: a quarter of the row, and the box. */
export const lockEnding = (unit: Unit, input: LockAll): Promise<((EndingRow & LockedBox) | Fenced)[]> =>
  lockAll<EndingRow & LockedBox>(unit, input, "turns_lock_ending", LOCK_ENDING);

async function lockAll<R extends { agent_turn_id: string }>(
  unit: Unit,
  input: LockAll,
  name: string,
  sql: string,
): Promise<(R | Fenced)[]> {
  const { project_id, keys } = input;
  const given = keys.map(({ agent_turn_id, turn_epoch }) => ({ agent_turn_id, turn_epoch }));
  const rows = await unit.query<R>(name, sql, [project_id, JSON.stringify(given), input.statuses]);
  const locked = new Map(rows.map((row) => [row.agent_turn_id, row]));
  const late = given.filter((key) => !locked.has(key.agent_turn_id));
  const now = await standOf(unit, project_id, late);
  for (const key of late) tellLate(unit, { project_id, ...key }, now.get(key.agent_turn_id), input);
  return keys.map(
    ({ agent_turn_id }) =>
      locked.get(agent_turn_id) ?? { fenced: true, current_epoch: now.get(agent_turn_id)?.turn_epoch ?? null },
  );
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
