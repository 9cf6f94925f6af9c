// Remembers, in this process, which branches of its own forks are still open. Where an end may be the last of its batch, what the join needs is
// read together with the locks; for other ends that read would be wasted. This is only a hint. If it is wrong, it costs a statement or a round
// trip: the database decides who ends the batch.
import type { Unit } from "../unit";

const TURNS_MAX = 20_000;
/** For each turn, the open branches of its batch. */
const openByTurn = new Map<string, Set<string>>();

/** Remembers the branches of a new batch once it is committed. */
export function noteBranches(unit: Unit, branches: readonly { agent_turn_id: string }[]): void {
  unit.onOutcome((outcome) => {
    if (outcome !== "committed") return;
    const ids = new Set(branches.map((branch) => branch.agent_turn_id));
    for (const id of ids) openByTurn.set(id, ids);
    for (const [oldest] of openByTurn) {
      if (openByTurn.size <= TURNS_MAX) break;
      forget(oldest);
    }
  });
}

/** True if, as far as this process knows, the ends of these turns complete one of their batches. */
export function mayCompleteBatch(agent_turn_ids: readonly string[]): boolean {
  const ending = new Set(agent_turn_ids);
  const batches = new Set(agent_turn_ids.flatMap((id) => openByTurn.get(id) ?? []));
  return [...batches].some((ids) => [...ids].every((id) => ending.has(id)));
}

/** These turns end in this unit. */
export function forgetOnCommit(unit: Unit, agent_turn_ids: readonly string[]): void {
  const known = agent_turn_ids.filter((id) => openByTurn.has(id));
  if (known.length === 0) return;
  unit.onOutcome((outcome) => {
    if (outcome === "committed") for (const id of known) forget(id);
  });
}

function forget(id: string): void {
  openByTurn.get(id)?.delete(id);
  openByTurn.delete(id);
}
