// Where a key leads from the selected turn. Up and down follow what is seen; in and out follow who called whom, and in a plan what
// waits for what.
import type { Block } from "@/components/ground/block";
import { slotHolder } from "@/components/ground/ghosts";
import type { Place } from "@/components/ground/plan";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { slotOf } from "@/components/ground/stop";

export type Step = "up" | "down" | "left" | "right" | "caller" | "callee" | "previous" | "next";

export type Ground = {
  places: ReadonlyMap<string, Place>;
  /** A folded batch, or folded calls alike, is a wagon to walk to as well. */
  blocks?: ReadonlyMap<string, Block>;
  /** By turn that is not drawn: what holds it. */
  held?: ReadonlyMap<string, string>;
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
export function walk(ground: Ground, from: string | null, step: Step): string | null {
  const { order, routes, stops, matches, held = nothing } = ground;
  const places = standsOf(ground);
  /** Where it is drawn: itself, or what holds it. */
  const standOf = (id: string): string | undefined =>
    places.has(id) ? id : places.has(held.get(id) ?? "") ? held.get(id) : undefined;
  const lit = matches && new Set([...matches].map(standOf));
  const isOpen = (id: string) => places.has(id) && (lit === null || lit.has(id));
  const here = from === null ? undefined : places.get(standOf(from) ?? "");
  const firstOpen = (turns: Iterable<string>): string | null => {
    for (const id of turns) {
      const stand = standOf(id);
      if (stand !== undefined && stand !== here?.id && (matches === null || matches.has(id))) return stand;
    }
    return null;
  };
  if (!here) return firstOpen([...order].reverse());
  if (step === "previous" || step === "next") {
    const line = step === "next" ? order : [...order].reverse();
    // A wagon that holds turns stands where the first of them stood.
    const at = line.includes(here.id) ? line.indexOf(here.id) : line.findIndex((id) => held.get(id) === here.id);
    return firstOpen(line.slice(at + 1));
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

type Stand = Pick<Place, "id" | "col" | "row" | "parent" | "children" | "entries" | "block" | "stop" | "slot">;
type Stands = ReadonlyMap<string, Stand>;

/** Turns, and the wagons that hold several. */
function standsOf({ places, blocks }: Ground): Stands {
  const folded = [...(blocks?.values() ?? [])].filter((block) => block.is_folded);
  if (folded.length === 0) return places;
  const stands = new Map<string, Stand>(places);
  for (const { id, parent, col, row } of folded)
    stands.set(id, { id, parent, col, row, children: [], entries: [], block: null });
  return stands;
}

const nothing: ReadonlyMap<string, string> = new Map();

/** Of a plan: the uppermost that waits for it, also where its track comes from another first. */
function firstFollower(
  { places, routes, stops }: { places: Stands } & Pick<Ground, "routes" | "stops">,
  { id, stop: own }: Stand,
): string | null {
  const waiting =
    own === undefined ? [] : [...stops.values()].filter((stop) => stop.waits_for.some((way) => way.stop === own));
  const targets = [
    ...[...routes.values()].filter(({ source }) => source === id).map(({ target }) => target),
    ...waiting.map((stop) => slotHolder(places, slotOf(stop, 0)) ?? ""),
  ];
  let first: Stand | undefined;
  for (const target of targets) {
    const place = places.get(target);
    if (place?.slot === undefined) continue;
    if (!first || place.row < first.row || (place.row === first.row && place.col < first.col)) first = place;
  }
  return first?.id ?? null;
}

/** Of a batch the first task, whichever of them came to be first; of a folded one its wagon. */
function firstCallee(places: Stands, { children, entries }: Stand): string | null {
  if (entries[0] !== undefined && places.has(entries[0])) return entries[0];
  const [first = entries.find((id) => places.has(id))] = children;
  const block = places.get(first ?? "")?.block;
  return block?.turns.find((id) => id !== undefined) ?? first ?? null;
}

function nearestInColumn(places: Stands, here: Stand, sign: 1 | -1, isOpen: (id: string) => boolean): string | null {
  let nearest: Stand | undefined;
  for (const place of places.values()) {
    if (place.col !== here.col || !isOpen(place.id)) continue;
    const away = (place.row - here.row) * sign;
    if (away > 0 && (!nearest || away < (nearest.row - here.row) * sign)) nearest = place;
  }
  return nearest?.id ?? null;
}
