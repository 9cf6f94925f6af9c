// Turns that run from the moment they are made: the worker whose turn makes them, or makes the next step of a plan by its end, has places
// free, and nobody waits for one. A claim of them, and the second version of their rows, are spared.
import type { Unit } from "../unit";
import type { TurnRow } from "./turn-row";

/** `star`: unless somebody asks for its target by name. */
export type Taking = "named" | "star";
/** `is_first`: of an agent that is made with it. */
type Made = { worker_target: string; needs_own_worker: boolean; is_first?: boolean };

/**
 * How each of the turns may be taken, in their order; undefined = by a claim. Places that it keeps for them are given back when the unit is
 * over.
 */
export function placesFor(unit: Unit, turns: readonly Made[]): (Taking | undefined)[] {
  const { taker } = unit.kernel;
  if (!taker) return [];
  const may = turns.map(({ worker_target, needs_own_worker, is_first }): Taking | undefined => {
    if (!is_first) return undefined;
    if (taker.serves({ worker_target, needs_own_worker, is_kept: true })) return "named";
    return taker.serves({ worker_target, needs_own_worker, is_kept: false }) ? "star" : undefined;
  });
  let left = taker.reserve(may.filter((taking) => taking !== undefined).length);
  if (left === 0) return [];
  const reserved = left;
  unit.over(() => taker.release(reserved));
  return may.map((taking) => (taking !== undefined && left-- > 0 ? taking : undefined));
}

/** They are the worker's as soon as the unit is committed. */
export function takeMade(unit: Unit, running: readonly TurnRow[]): void {
  const { taker } = unit.kernel;
  if (!taker || running.length === 0) return;
  unit.over((outcome) => {
    if (outcome === "committed") for (const turn of running) taker.take(turn);
    else if (outcome === "unknown") taker.doubt();
  });
}
