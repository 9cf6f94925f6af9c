// The nodes of plans that have no turn yet, or will have none, as places of their own: what they will be stands there already.
import { laneBerth } from "./geometry";
import type { Place } from "./plan";
import type { SeatedStop } from "./seat-stops";
import { slotOf } from "./stop";

/** `parentOf`: who launched the plan run. */
export function ghostsOf(
  stops: ReadonlyMap<string, SeatedStop>,
  parentOf: (planRunId: string) => string | undefined,
): Place[] {
  return [...stops.values()].filter(({ holder }) => holder === null).flatMap((stop) => standing(stop, parentOf));
}

/** The same places for the same stop, so that nothing is measured or drawn again for it. */
function standing(stop: SeatedStop, parentOf: (planRunId: string) => string | undefined): Place[] {
  const known = ghosts.get(stop);
  if (known) return known;
  const parent = parentOf(stop.plan_run_id) ?? null;
  const made = Array.from({ length: stop.kind === "fork" ? stop.lanes : 1 }, (_, index): Place => {
    const slot = slotOf(stop, index);
    const berth =
      stop.kind === "fork"
        ? laneBerth(stop, index)
        : { col: stop.col, row: stop.row, ...(stop.is_behind && { is_behind: true }) };
    return {
      id: slot,
      parent,
      children: [],
      entries: [],
      block: null,
      left: null,
      is_inferred: false,
      ...berth,
      bottom: berth.row,
      right: berth.col,
      fans: 0,
      stop: stop.id,
      slot,
      is_ghost: true,
    };
  });
  ghosts.set(stop, made);
  return made;
}

const ghosts = new WeakMap<SeatedStop, Place[]>();

/** What stands in a slot now: a turn, or the ghost itself. */
export function slotHolder(places: ReadonlyMap<string, Pick<Place, "id" | "slot">>, slot: string): string | null {
  if (places.has(slot)) return slot;
  for (const place of places.values()) if (place.slot === slot) return place.id;
  return null;
}
