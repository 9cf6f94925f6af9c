// A plan on the yard's ground: the same places and tracks as its run will have, found by the same code. Pure.
import { type Box, berthBox } from "@/components/ground/geometry";
import { ghostsOf } from "@/components/ground/ghosts";
import type { FoundWays } from "@/components/ground/known-ways";
import { createPlan, type Place } from "@/components/ground/plan";
import { routeStops } from "@/components/ground/route-stops";
import type { Route } from "@/components/ground/route-tracks";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { createSpatial, type Spatial } from "@/components/ground/spatial";
import { stopId, stopsOf } from "@/components/ground/stop";
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

export function drawingOf(plan: Plan, found?: FoundWays): Drawing {
  const nodes = graphViewOf(plan, placesIn(plan));
  const ground = createPlan();
  const person = { id: PERSON, parent: null, is_human: true, is_inferred: false };
  const drawn = { id: DRAWN, parent: PERSON, is_human: false, is_inferred: false };
  const stopList = stopsOf({ plan_run_id: DRAWN, body_rev: 1, nodes });
  ground.add([person, { ...drawn, plan: { rev: 1, stops: stopList } }]);
  const ghosts = ghostsOf(ground.stops, () => PERSON);
  const all = new Map([...ground.places, ...ghosts.map((ghost) => [ghost.id, ghost] as const)]);
  const nameOf = namesOf(plan);
  const places = new Map([...all.values()].map((place) => [nameOf(place.id), { ...place, id: nameOf(place.id) }]));
  const stops = new Map([...ground.stops.values()].map((stop) => [stop.id.slice(DRAWN.length + 1), stop]));
  const routes = routeStops({ places: all, blocks: new Map(), plans: ground.plans, stops: ground.stops }, found).map(
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
