// Claimed turns begin: heads dispatched -> running and their inbox rows consumed, in one transaction, however many.
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { advanceAll } from "./advance";
import { type Fenced, isFenced } from "./fenced";
import { lockTurns, type TurnKey } from "./lock-turn";
import type { TurnRow } from "./turn-row";

// Rows of older epochs go with it: they can never be acted on again.
const CONSUME = `
  UPDATE state.agent_inbox i SET status = 'consumed', archived_at = now()
  FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, turn_epoch bigint)
  WHERE i.project_id = $1 AND i.agent_turn_id = g.agent_turn_id AND i.message_type = 'turn' AND i.turn_epoch <= g.turn_epoch
    AND i.status IN ('pending', 'processing', 'deferred')`;

const STARTED = `
  SELECT t.* FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, turn_epoch bigint)
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = g.agent_turn_id
  WHERE t.turn_epoch = g.turn_epoch AND t.lease_holder = $3 AND t.status = 'running'`;

export type StartInput = TurnKey & { worker_id: string };
export type Started = { turn: TurnRow } | Fenced;

/** The same worker may ask again, when the answer was lost on its way, and gets the same one. */
export async function startTurn(kernel: Kernel, input: StartInput): Promise<Started> {
  const [started] = await startTurns(kernel, { worker_id: input.worker_id, turns: [input] });
  return started ?? { fenced: true, current_epoch: null };
}

/** In input order. Turns of several projects are started project by project. */
export async function startTurns(kernel: Kernel, input: { worker_id: string; turns: TurnKey[] }): Promise<Started[]> {
  const started = new Map<TurnKey, Started>();
  for (const project_id of new Set(input.turns.map((turn) => turn.project_id))) {
    const keys = input.turns.filter((turn) => turn.project_id === project_id);
    const answers = await withUnit(kernel, (unit) => startIn(unit, project_id, keys, input.worker_id));
    for (const [i, key] of keys.entries()) started.set(key, answers[i] ?? { fenced: true, current_epoch: null });
  }
  return input.turns.map((turn) => started.get(turn) ?? { fenced: true, current_epoch: null });
}

async function startIn(unit: Unit, project_id: string, keys: TurnKey[], worker_id: string): Promise<Started[]> {
  const given = JSON.stringify(keys.map(({ agent_turn_id, turn_epoch }) => ({ agent_turn_id, turn_epoch })));
  const before = await unit.query<TurnRow>("turns_started", STARTED, [project_id, given, worker_id]);
  const known = new Map(before.map((row) => [row.agent_turn_id, row]));
  const fresh = keys.filter((key) => !known.has(key.agent_turn_id));
  const what = { statuses: ["dispatched" as const], what: "start", worker_id };
  const locked = fresh.length === 0 ? [] : await lockTurns(unit, { project_id, keys: fresh, ...what });
  if (fresh.length > 0) await unit.query("inbox_consume_turns", CONSUME, [project_id, given]);
  const steps = fresh.filter((_, i) => !isFenced(locked[i] ?? { fenced: true }));
  const rows = await advanceAll(unit, {
    project_id,
    steps: steps.map((key) => ({
      ...key,
      from: ["dispatched"],
      to: "running",
      epoch_step: 0,
      lease_holder: worker_id,
    })),
  });
  const moved = new Map(steps.map((key, i) => [key.agent_turn_id, rows[i]]));
  return keys.map((key) => {
    const turn = known.get(key.agent_turn_id) ?? moved.get(key.agent_turn_id);
    if (turn) return { turn };
    const answer = locked[fresh.indexOf(key)];
    return answer && isFenced(answer) ? answer : { fenced: true, current_epoch: null };
  });
}
