// Which branches of the forks that this process has made have not ended here. Where an end may be the last of its batch, what joining needs
// is read with it; for the sixty-three before, that would be asked for nothing. It is a guess, and a wrong one costs a trip or a statement: who
// ends a batch is decided by the database.
import type { Unit } from "../unit";

const TURNS_MAX = 20_000;
/** By turn: the branches of its batch that have not ended. */
const live = new Map<string, Set<string>>();

/** All branches of a batch, once they are committed. */
export function noteBranches(unit: Unit, branches: readonly { agent_turn_id: string }[]): void {
  unit.onOutcome((outcome) => {
    if (outcome !== "committed") return;
    const ids = new Set(branches.map((branch) => branch.agent_turn_id));
    for (const id of ids) live.set(id, ids);
    for (const [oldest] of live) {
      if (live.size <= TURNS_MAX) break;
      live.delete(oldest);
    }
  });
}

/** Whether no other branch of one of their batches is known to be open. Once the unit is committed, these are not. */
export function mayBeLast(unit: Unit, agent_turn_ids: readonly string[]): boolean {
  const batches = new Set(agent_turn_ids.flatMap((id) => live.get(id) ?? []));
  if (batches.size === 0) return false;
  unit.onOutcome((outcome) => {
    if (outcome === "committed") for (const id of agent_turn_ids) forget(id);
  });
  const ending = new Set(agent_turn_ids);
  return [...batches].some((ids) => [...ids].every((id) => ending.has(id)));
}

function forget(id: string): void {
  live.get(id)?.delete(id);
  live.delete(id);
}
