// Claimed turns begin: heads dispatched -> running, and what is due of them is leased, in one transaction, however many.

import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { advanceAll } from "./advance";
import { type Fenced, isFenced } from "./fenced";
import { lockTurns, type TurnKey } from "./lock-turn";
import { TURN_COLUMNS, type TurnRow } from "./turn-row";

const STARTED = `
  SELECT ${columnsOf(TURN_COLUMNS, "t")} FROM jsonb_to_recordset($2::jsonb) AS g(agent_turn_id text, turn_epoch bigint)
  JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = ANY ($3::text[]) AND t.agent_turn_id = g.agent_turn_id
  WHERE t.turn_epoch = g.turn_epoch AND t.lease_holder = $4 AND t.status = 'running'`;

export type StartInput = TurnKey & { worker_id: string };
export type Started = { turn: TurnRow } | Fenced;

/** The same worker may ask again, when the answer was lost on its way, and gets the same one. */
export async function startTurn(kernel: Kernel, input: StartInput): Promise<Started> {
  const [started] = await startTurns(kernel, { worker_id: input.worker_id, turns: [input] });
  return started ?? lost;
}

/** In input order. Turns of several projects are started project by project. */
export async function startTurns(kernel: Kernel, input: { worker_id: string; turns: TurnKey[] }): Promise<Started[]> {
  const started = new Map<TurnKey, Started>();
  for (const project_id of new Set(input.turns.map((turn) => turn.project_id))) {
    const keys = input.turns.filter((turn) => turn.project_id === project_id);
    const answers = await withUnit(kernel, (unit) => startIn(unit, project_id, keys, input.worker_id));
    for (const [i, key] of keys.entries()) started.set(key, answers[i] ?? lost);
  }
  return input.turns.map((turn) => started.get(turn) ?? lost);
}

async function startIn(unit: Unit, project_id: string, keys: TurnKey[], worker_id: string): Promise<Started[]> {
  const known = await startedBefore(unit, project_id, keys, worker_id);
  const fresh = keys.filter((key) => !known.has(key.agent_turn_id));
  if (fresh.length === 0) return keys.map((key) => known.get(key.agent_turn_id) ?? lost);
  const what = { statuses: ["dispatched" as const], what: "start", worker_id };
  const locked = await lockTurns(unit, { project_id, keys: fresh, ...what });
  const steps = fresh.filter((_, i) => !isFenced(locked[i] ?? lost));
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
    const answer = locked[fresh.indexOf(key)];
    if (answer && isFenced(answer)) return answer;
    const turn = moved.get(key.agent_turn_id);
    return turn ? { turn } : (known.get(key.agent_turn_id) ?? lost);
  });
}

/** Those whose start was written while its answer got lost. */
async function startedBefore(
  unit: Unit,
  project_id: string,
  keys: TurnKey[],
  worker_id: string,
): Promise<Map<string, Started>> {
  const rows = await unit.query<TurnRow>("turns_started", STARTED, [project_id, ...given(keys), worker_id]);
  return new Map(rows.map((turn) => [turn.agent_turn_id, { turn }]));
}

const lost: Fenced = { fenced: true, current_epoch: null };

function given(keys: TurnKey[]): [string, string[]] {
  const rows = keys.map(({ agent_turn_id, turn_epoch }) => ({ agent_turn_id, turn_epoch }));
  return [JSON.stringify(rows), keys.map((key) => key.agent_turn_id)];
}
