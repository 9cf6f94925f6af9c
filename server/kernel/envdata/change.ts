// What every change of environment data shares: its author, its run, doing it once, and its frame.
import type { EnvEntry } from "@/server/contract/env-data";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import type { Fenced } from "../turns/fenced";
import { isFenced } from "../turns/fenced";
import { lockTurn, type TurnKey } from "../turns/lock-turn";
import { HUMAN_TARGET } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import { type EnvRow, envEntry, envFrame } from "./env-row";

/** A turn that runs, and the call it makes; or a person, by the run. */
export type EnvActor =
  | (Omit<TurnKey, "project_id"> & { tool_call_id: string; worker_id?: string })
  | { root_turn_id: string; user: string };

/** Author and run, taken from the turn's records, never from arguments. `rev` is that of this change. */
export type EnvScope = {
  unit: Unit;
  project_id: string;
  root_turn_id: string;
  stored_by: string;
  stored_by_turn_id: string | null;
  rev: number;
};

export type EnvChange = {
  status: "stored" | "updated" | "deleted";
  key: string;
  /** The row after the change, or as it was when it was deleted. Absent if the same call was made before. */
  entry?: EnvEntry;
};

export type ChangeInput = { project_id: string; by: EnvActor; key: string };

const ONCE = `
  INSERT INTO state.env_calls (project_id, tool_call_id, agent_turn_id, root_turn_id, key, change)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (project_id, tool_call_id) DO NOTHING RETURNING 1 AS is_new`;
const KNOWN = "SELECT key, change FROM state.env_calls WHERE project_id = $1 AND tool_call_id = $2";
// Counting locks the run's row, after the caller's head as in a delegation (K17).
const COUNT = `
  UPDATE state.runs SET env_rev = env_rev + 1 WHERE project_id = $1 AND root_turn_id = $2 RETURNING env_rev`;

/** `work` writes and returns the row. not_found if the run or the turn does not exist; then nothing is written. */
export async function changeEnv(
  kernel: Kernel,
  input: ChangeInput & { status: EnvChange["status"] },
  work: (scope: EnvScope) => Promise<EnvRow>,
): Promise<EnvChange | Fenced> {
  const { project_id, by, key, status } = input;
  return withUnit(kernel, async (unit) => {
    const actor = await actorOf(unit, project_id, by, status);
    if (isFenced(actor)) return actor;
    if ("tool_call_id" in by) {
      const values = [project_id, by.tool_call_id, by.agent_turn_id, actor.root_turn_id, key, status];
      const [fresh] = await unit.query("env_call_once", ONCE, values);
      if (!fresh) return repeated(unit, project_id, by.tool_call_id);
    }
    const [run] = await unit.query<{ env_rev: number }>("env_count", COUNT, [project_id, actor.root_turn_id]);
    if (!run) throw noScope(`run ${actor.root_turn_id}`, project_id);
    const row = await work({ unit, project_id, ...actor, rev: run.env_rev });
    const entry = envEntry(row);
    unit.frame(project_id, envFrame({ ...entry, rev: run.env_rev }, status === "deleted"));
    return { status, key, entry };
  });
}

type Actor = Pick<EnvScope, "root_turn_id" | "stored_by" | "stored_by_turn_id">;

async function actorOf(
  unit: Unit,
  project_id: string,
  by: EnvActor,
  what: EnvChange["status"],
): Promise<Actor | Fenced> {
  if ("user" in by)
    return { root_turn_id: by.root_turn_id, stored_by: `${HUMAN_TARGET}_${by.user}`, stored_by_turn_id: null };
  const row = await lockTurn(unit, { project_id, ...by, statuses: ["running"], what: `env data ${what}` });
  if (!isFenced(row))
    return { root_turn_id: row.root_turn_id, stored_by: row.agent_id, stored_by_turn_id: row.agent_turn_id };
  if (row.current_epoch === null) throw noScope(`turn ${by.agent_turn_id}`, project_id);
  return row;
}

async function repeated(unit: Unit, project_id: string, tool_call_id: string): Promise<EnvChange> {
  const [known] = await unit.query<{ key: string; change: EnvChange["status"] }>("env_call_known", KNOWN, [
    project_id,
    tool_call_id,
  ]);
  if (!known) throw new Error(`call ${tool_call_id} was made before and was not found`);
  return { status: known.change, key: known.key };
}

export const noScope = (who: string, project_id: string): KernelError =>
  new KernelError(
    "not_found",
    `the scope of the environment data could not be resolved: ${who} not found in project ${project_id}`,
  );
