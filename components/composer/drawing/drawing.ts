// A plan on the yard's ground: the same places and tracks as its run will have, found by the same code. Pure.
import { type Box, berthBox } from "@/components/ground/geometry";
import { ghostsOf } from "@/components/ground/ghosts";
import { type FoundWays, noWays } from "@/components/ground/known-ways";
import { createPlan, type Place } from "@/components/ground/plan";
import { routeStops } from "@/components/ground/route-stops";
import type { Route } from "@/components/ground/route-tracks";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { createSpatial, type Spatial } from "@/components/ground/spatial";
import { stopId, stopsOf, type Way } from "@/components/ground/stop";
import { graphViewOf } from "@/server/contract/plan/graph-view";
import type { Plan } from "@/server/contract/plan/plan";
import { drawnFrame } from "./frame-foot";
import { placesIn } from "./places-in";

export const PERSON = "person";
/** In the place of a run's id. */
const DRAWN = "drawn";

export type Drawing = {
  /** Wagons, asks and tasks by their place in the plan; and the person. */
  places: ReadonlyMap<string, Place>;
  /** By node id. */
  stops: ReadonlyMap<string, SeatedStop>;
  /** `source` and `target` are places of the plan; a fork is named by its id. */
  routes: readonly DrawnRoute[];
  wagons: Spatial<Place>;
  tracks: Spatial<DrawnRoute>;
  bounds: Box;
};
/** `from`: what is written in the plan: a node, fork.task, or null = whoever launches it. `to`: the node that waits. */
export type DrawnRoute = Omit<Route, "from"> & { from: string | null; to: string };

/** Drawings of one ground, each from what the last one found. The same plan asked for again is the same drawing. */
export function createDrawings(): (plan: Plan) => Drawing {
  const ways = noWays();
  let last: { plan: Plan; drawing: Drawing } | null = null;
  return (plan) => {
    if (last?.plan !== plan) last = { plan, drawing: drawingOf(plan, ways) };
    return last.drawing;
  };
}

export function drawingOf(plan: Plan, found?: FoundWays): Drawing {
  const nodes = graphViewOf(plan, placesIn(plan));
  const ground = createPlan();
  const person = { id: PERSON, parent: null, is_human: true, is_inferred: false };
  const drawn = { id: DRAWN, parent: PERSON, is_human: false, is_inferred: false };
  const stopList = stopsOf({ plan_run_id: DRAWN, body_rev: 1, nodes });
  ground.add([person, { ...drawn, plan: { rev: 1, stops: stopList } }]);
  const seated = keptStops(ground.stops, found);
  const ghosts = ghostsOf(seated, () => PERSON);
  const all = new Map([...ground.places, ...ghosts.map((ghost) => [ghost.id, ghost] as const)]);
  const nameOf = namesOf(plan);
  const places = new Map([...all.values()].map((place) => [nameOf(place.id), named(place, nameOf(place.id))]));
  const stops = new Map([...seated.values()].map((stop) => [stop.id.slice(DRAWN.length + 1), stop]));
  const routes = routeStops({ places: all, blocks: new Map(), plans: ground.plans, stops: seated }, found).map(
    (route) => drawnRoute(route, nameOf),
  );
  const wagons = createSpatial(places.values(), berthBox);
  const frames = [...stops.values()].filter(({ kind }) => kind === "fork").map(drawnFrame);
  return {
    places,
    stops,
    routes,
    wagons,
    tracks: createSpatial(routes, (r) => ({ x: r.x0, y: r.y0, w: r.x1 - r.x0, h: r.y1 - r.y0 })),
    bounds: frames.reduce(union, wagons.bounds),
  };
}

/** What stands as it stood in the last drawing is the same object: its wagons, its frame and its gate are not drawn again. */
function keptStops(
  now: ReadonlyMap<string, SeatedStop>,
  found: FoundWays | undefined,
): ReadonlyMap<string, SeatedStop> {
  if (found === undefined) return now;
  const before = lastStops.get(found);
  const kept = new Map<string, SeatedStop>();
  for (const [id, stop] of now) {
    const was = before?.get(id);
    kept.set(id, was && isSameStop(was, stop) ? was : stop);
  }
  lastStops.set(found, kept);
  return kept;
}

const isSameStop = (a: SeatedStop, b: SeatedStop): boolean =>
  a.col === b.col &&
  a.row === b.row &&
  a.kind === b.kind &&
  a.lanes === b.lanes &&
  a.rows === b.rows &&
  a.cols === b.cols &&
  a.is_behind === b.is_behind &&
  a.is_followed === b.is_followed &&
  a.holder === b.holder &&
  a.since === b.since &&
  a.waits_for.length === b.waits_for.length &&
  a.waits_for.every((way, i) => isSameWay(way, b.waits_for[i]));

const isSameWay = (a: Way, b: Way | undefined): boolean =>
  a.stop === b?.stop && a.task_index === b.task_index && a.on === b.on;

const lastStops = new WeakMap<FoundWays, ReadonlyMap<string, SeatedStop>>();

/** A place under its name in the plan: the same object while it has that name. */
function named(place: Place, id: string): Place {
  const known = namedOf.get(place);
  if (known?.id === id) return known;
  const own = { ...place, id };
  namedOf.set(place, own);
  return own;
}

const namedOf = new WeakMap<Place, Place>();

/** A track that was not routed again stays the same object. */
function drawnRoute(route: Route, nameOf: (id: string) => string): DrawnRoute {
  const [source, target] = [nameOf(route.source), nameOf(route.target)];
  const from = route.from === undefined ? null : nameOf(route.from);
  const known = drawnOf.get(route);
  if (known && known.source === source && known.target === target && known.from === from) return known;
  const drawn = { ...route, source, target, from, to: (route.stop ?? "").slice(DRAWN.length + 1) };
  drawnOf.set(route, drawn);
  return drawn;
}

const drawnOf = new WeakMap<Route, DrawnRoute>();

/** From the names of the ground (drawn.searches.1) to those of the plan (searches.flow). */
function namesOf({ nodes }: Plan): (id: string) => string {
  const names = new Map<string, string>();
  for (const node of nodes) {
    names.set(stopId(DRAWN, node.id), node.id);
    if (node.kind !== "fork") continue;
    if (node.tasks.length === 0) names.set(`${stopId(DRAWN, node.id)}.0`, `${node.id}.`);
    for (const [i, task] of node.tasks.entries()) names.set(`${stopId(DRAWN, node.id)}.${i}`, `${node.id}.${task.id}`);
  }
  return (id) => names.get(id) ?? id;
}

function union(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, w: Math.max(a.x + a.w, b.x + b.w) - x, h: Math.max(a.y + a.h, b.y + b.h) - y };
}
