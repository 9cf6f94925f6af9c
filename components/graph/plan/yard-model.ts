// The yard of one scope: which turns it shows, where they stand, how the tracks run. Recomputed only when a turn, an edge
// or a batch is new; that one of them changed its state moves nothing here.
import type { BatchFrame, Picture, TurnFrame } from "@/server/contract/frame";
import type { LivePicture } from "../live/live-picture";
import { type BatchViews, batchViews } from "./batch-view";
import type { Block } from "./block";
import { type Folds, foldedOf } from "./folds";
import { type Box, berthBox, frameBox, returnBox, union } from "./geometry";
import { createPlan, type Place, type Plan } from "./plan";
import { type Route, routeTracks } from "./route-tracks";
import { createSpatial, type Spatial } from "./spatial";
import { tidy } from "./tidy";
import { forksOf, type Link, linksOf, placingsOf, type Scope, turnsOf } from "./yard-turns";

export type Topology = {
  scope: Scope;
  /** Turns in the order they were made. */
  order: readonly string[];
  links: ReadonlyMap<string, Link>;
  places: ReadonlyMap<string, Place>;
  blocks: ReadonlyMap<string, Block>;
  /** By the turn, or folded batch, the track leads to. */
  routes: ReadonlyMap<string, Route>;
  wagons: Spatial<Place>;
  /** Batches: a frame each, or a wagon where one is folded. */
  frames: Spatial<Block>;
  tracks: Spatial<Route>;
  bounds: Box;
};

export type YardModel = {
  getTopology: () => Topology;
  /** The turns as they are now, in the order of the topology; those of folded batches too. */
  getTurns: () => readonly TurnFrame[];
  /** Batches of the whole picture, as they are now. */
  getBatches: () => BatchViews;
  subscribe: (listener: () => void) => () => void;
  /** Arranges everything anew around a turn that stays where it is. */
  retidy: (anchor: string | null) => void;
};

export function createYardModel(live: LivePicture, scope: Scope, folds: Folds = []): YardModel {
  let plan: Plan = createPlan();
  let turns: readonly TurnFrame[] = [];
  let forks: readonly BatchFrame[] = [];
  let listed = new Set<string>();
  let topology = drawn(scope, [], new Map(), plan);
  let seen: Pick<Picture, "turn" | "edge" | "batch"> | undefined;
  let batches: BatchViews = new Map();
  let batchesOf: Picture | undefined;
  const listeners = new Set<() => void>();

  function sync() {
    const picture = live.getPicture();
    if (seen && picture.turn === seen.turn && picture.edge === seen.edge && picture.batch === seen.batch) return;
    const hasNewEdges = picture.edge !== seen?.edge;
    if (picture.batch !== seen?.batch) forks = forksOf(picture, scope);
    seen = picture;
    turns = turnsOf(picture, scope);
    const links = hasNewEdges ? linksOf(picture, scope) : topology.links;
    const isSame = links.size === topology.links.size && turns.length + forks.length === listed.size;
    if (isSame && turns.every((turn) => listed.has(turn.agent_turn_id)) && forks.every((b) => listed.has(b.batch_id)))
      return;
    listed = new Set([...turns.map((turn) => turn.agent_turn_id), ...forks.map((batch) => batch.batch_id)]);
    const placings = placingsNow(links);
    plan.add(placings);
    topology = drawn(scope, turns, links, plan);
  }

  const placingsNow = (links: ReadonlyMap<string, Link>) =>
    placingsOf({ turns, links, forks, folded: foldedOf(forks, folds) });

  return {
    getTopology() {
      sync();
      return topology;
    },
    getTurns() {
      sync();
      return turns;
    },
    getBatches() {
      const picture = live.getPicture();
      const isSame =
        batchesOf?.turn === picture.turn &&
        batchesOf.batch === picture.batch &&
        batchesOf.batch_task === picture.batch_task;
      if (!isSame) batches = batchViews(picture, batches);
      batchesOf = picture;
      return batches;
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
      plan = createPlan(tidy(placingsNow(topology.links), kept));
      topology = drawn(scope, turns, topology.links, plan);
      for (const listener of listeners) listener();
    },
  };
}

function drawn(scope: Scope, turns: readonly TurnFrame[], links: ReadonlyMap<string, Link>, plan: Plan): Topology {
  const places = new Map(plan.places);
  const blocks = new Map(plan.blocks);
  const routes = routeTracks(places, blocks);
  const wagons = createSpatial(places.values(), berthBox);
  const frames = createSpatial(blocks.values(), (block) => blockBox(block, places));
  return {
    scope,
    order: turns.map((turn) => turn.agent_turn_id),
    links,
    places,
    blocks,
    routes: new Map(routes.map((route) => [route.target, route])),
    wagons,
    frames,
    tracks: createSpatial(routes, (r) => ({ x: r.x0, y: r.y0, w: r.x1 - r.x0, h: r.y1 - r.y0 })),
    bounds: blocks.size === 0 ? wagons.bounds : union(wagons.bounds, frames.bounds),
  };
}

/** With the berth behind it, where the caller goes on. */
function blockBox(block: Block, places: ReadonlyMap<string, Place>): Box {
  if (block.is_folded) return berthBox(block);
  return union(frameBox(block), returnBox(block, places.get(block.parent)?.row ?? block.row));
}
