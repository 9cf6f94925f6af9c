// Where a key leads from the selected turn. Up and down follow what is seen; in and out follow who called whom, and in a plan what
// waits for what.
import { slotHolder } from "@/components/ground/ghosts";
import type { Place } from "@/components/ground/plan";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { slotOf } from "@/components/ground/stop";

export type Step = "up" | "down" | "left" | "right" | "caller" | "callee" | "previous" | "next";

export type Ground = {
  places: ReadonlyMap<string, Place>;
  /** In the order they were made. */
  order: readonly string[];
  /** By what a track leads to: where it comes from. */
  routes: ReadonlyMap<string, { source: string; target: string }>;
  /** Nodes of plans, and what each waits for. */
  stops: ReadonlyMap<string, Pick<SeatedStop, "id" | "kind" | "waits_for">>;
  /** Null when nothing is filtered; a turn that is filtered out is stepped over. */
  matches: ReadonlySet<string> | null;
};

/** Null when there is nothing in that direction. Without a selection every key begins at the newest turn. */
export function walk(
  { places, order, routes, stops, matches }: Ground,
  from: string | null,
  step: Step,
): string | null {
  // What a folded batch holds has no place to go to.
  const isOpen = (id: string) => places.has(id) && (matches === null || matches.has(id));
  const here = from === null ? undefined : places.get(from);
  if (!here) return [...order].reverse().find(isOpen) ?? null;
  if (step === "previous" || step === "next") {
    const line = step === "next" ? order : [...order].reverse();
    return line.slice(line.indexOf(here.id) + 1).find(isOpen) ?? null;
  }
  // Who called and who was called is a fact of the turn, so a filter does not hide it.
  if (step === "caller" || step === "left") {
    const source = (here.slot === undefined ? undefined : routes.get(here.id)?.source) ?? here.parent;
    return source !== null && places.has(source) ? source : null;
  }
  if (step === "callee" || step === "right")
    return firstFollower({ places, routes, stops }, here) ?? firstCallee(places, here);
  return nearestInColumn(places, here, step === "down" ? 1 : -1, isOpen);
}

/** Of a plan: the uppermost that waits for it, also where its track comes from another first. */
function firstFollower(
  { places, routes, stops }: Pick<Ground, "places" | "routes" | "stops">,
  { id, stop: own }: Place,
): string | null {
  const waiting =
    own === undefined ? [] : [...stops.values()].filter((stop) => stop.waits_for.some((way) => way.stop === own));
  const targets = [
    ...[...routes.values()].filter(({ source }) => source === id).map(({ target }) => target),
    ...waiting.map((stop) => slotHolder(places, slotOf(stop, 0)) ?? ""),
  ];
  let first: Place | undefined;
  for (const target of targets) {
    const place = places.get(target);
    if (place?.slot === undefined) continue;
    if (!first || place.row < first.row || (place.row === first.row && place.col < first.col)) first = place;
  }
  return first?.id ?? null;
}

/** Of a batch the first task, whichever of them came to be first. */
function firstCallee(places: ReadonlyMap<string, Place>, { children }: Place): string | null {
  const [first] = children;
  const block = places.get(first ?? "")?.block;
  return block?.turns.find((id) => id !== undefined) ?? first ?? null;
}

function nearestInColumn(
  places: ReadonlyMap<string, Place>,
  here: Place,
  sign: 1 | -1,
  isOpen: (id: string) => boolean,
): string | null {
  let nearest: Place | undefined;
  for (const place of places.values()) {
    if (place.col !== here.col || !isOpen(place.id)) continue;
    const away = (place.row - here.row) * sign;
    if (away > 0 && (!nearest || away < (nearest.row - here.row) * sign)) nearest = place;
  }
  return nearest?.id ?? null;
}
