// The yard of one scope: which turns it shows, where they stand, how the tracks run. Recomputed only when a turn or an
// edge is new; that a turn changed its state moves nothing here.
import type { EdgeFrame, TurnFrame } from "@/server/contract/frame";
import { type Box, berthBox } from "./geometry";
import type { LivePicture } from "./live-picture";
import { createPlan, type Place, type Plan } from "./plan";
import { type Route, routeTracks } from "./route-tracks";
import { createSpatial, type Spatial } from "./spatial";
import { tidy } from "./tidy";
import { type Link, linksOf, placingsOf, type Scope, turnsOf } from "./yard-turns";

export type Topology = {
  scope: Scope;
  /** Turns in the order they were made. */
  order: readonly string[];
  links: ReadonlyMap<string, Link>;
  places: ReadonlyMap<string, Place>;
  /** By the turn the track leads to. */
  routes: ReadonlyMap<string, Route>;
  wagons: Spatial<Place>;
  tracks: Spatial<Route>;
  bounds: Box;
};

export type YardModel = {
  getTopology: () => Topology;
  /** The turns as they are now, in the order of the topology. */
  getTurns: () => readonly TurnFrame[];
  subscribe: (listener: () => void) => () => void;
  /** Arranges everything anew around a turn that stays where it is. */
  retidy: (anchor: string | null) => void;
};

export function createYardModel(live: LivePicture, scope: Scope): YardModel {
  let plan: Plan = createPlan();
  let turns: readonly TurnFrame[] = [];
  let topology = drawn(scope, [], new Map(), plan);
  let seenTurns: ReadonlyMap<string, TurnFrame> | undefined;
  let seenEdges: ReadonlyMap<string, EdgeFrame> | undefined;
  const listeners = new Set<() => void>();

  function sync() {
    const picture = live.getPicture();
    if (picture.turn === seenTurns && picture.edge === seenEdges) return;
    const hasNewEdges = picture.edge !== seenEdges;
    seenTurns = picture.turn;
    seenEdges = picture.edge;
    turns = turnsOf(picture, scope);
    const links = hasNewEdges ? linksOf(picture, scope) : topology.links;
    const isSame = links.size === topology.links.size && turns.length === topology.order.length;
    if (isSame && turns.every((turn) => plan.places.has(turn.agent_turn_id))) return;
    plan.add(placingsOf(turns, links));
    topology = drawn(scope, turns, links, plan);
  }

  return {
    getTopology() {
      sync();
      return topology;
    },
    getTurns() {
      sync();
      return turns;
    },
    subscribe(listener) {
      listeners.add(listener);
      const stop = live.subscribe(listener);
      return () => {
        listeners.delete(listener);
        stop();
      };
    },
    retidy(anchor) {
      sync();
      const kept = plan.places.get(anchor ?? topology.order[0] ?? "");
      plan = createPlan(tidy(placingsOf(turns, topology.links), kept));
      topology = drawn(scope, turns, topology.links, plan);
      for (const listener of listeners) listener();
    },
  };
}

function drawn(scope: Scope, turns: readonly TurnFrame[], links: ReadonlyMap<string, Link>, plan: Plan): Topology {
  const places = new Map(plan.places);
  const routes = routeTracks(places);
  const wagons = createSpatial(places.values(), berthBox);
  return {
    scope,
    order: turns.map((turn) => turn.agent_turn_id),
    links,
    places,
    routes: new Map(routes.map((route) => [route.target, route])),
    wagons,
    tracks: createSpatial(routes, (r) => ({ x: r.x0, y: r.y0, w: r.x1 - r.x0, h: r.y1 - r.y0 })),
    bounds: wagons.bounds,
  };
}
