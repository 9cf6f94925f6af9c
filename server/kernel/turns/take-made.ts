// Turns that run as soon as they are made. The worker whose turn makes them, or whose turn's end continues a plan, has free places, and its
// last claim left nothing waiting. This saves a claim, and an update of each row.
import type { Unit } from "../unit";
import type { TurnRow } from "./turn-row";

/**
 * `named`: the worker lists the turn's target. `star`: it serves the target through '*', and may take the turn only if no other worker has
 * reserved the target.
 */
export type TakeRule = "named" | "star";
/** `is_first`: of an agent that is made with it. */
type Made = { worker_target: string; needs_own_worker: boolean; is_first?: boolean };

/**
 * By which rule each of the turns may be taken, in their order; undefined = by a claim. Places reserved for them are given back when the
 * unit is over.
 */
export function placesFor(unit: Unit, turns: readonly Made[]): (TakeRule | undefined)[] {
  const { taker } = unit.kernel;
  if (!taker) return [];
  const may = turns.map(({ worker_target, needs_own_worker, is_first }): TakeRule | undefined => {
    if (!is_first) return undefined;
    if (taker.serves({ worker_target, needs_own_worker, is_kept: true })) return "named";
    return taker.serves({ worker_target, needs_own_worker, is_kept: false }) ? "star" : undefined;
  });
  let left = taker.reserve(may.filter((taking) => taking !== undefined).length);
  if (left === 0) return [];
  const reserved = left;
  unit.onOutcome((outcome) => {
    taker.release(reserved);
    // It may hold turns whose rows were lost with the answer.
    if (outcome === "unknown") taker.doubt();
  });
  return may.map((taking) => (taking !== undefined && left-- > 0 ? taking : undefined));
}

/** They are the worker's as soon as the unit is committed. */
export function takeMade(unit: Unit, running: readonly TurnRow[]): void {
  const { taker } = unit.kernel;
  if (!taker || running.length === 0) return;
  unit.onOutcome((outcome) => {
    if (outcome === "committed") for (const turn of running) taker.take(turn);
  });
}
