// The yard of another moment: the places of now, without what was not there yet. Nothing moves while one goes back and forth.
import type { Block } from "@/components/ground/block";
import { berthBox, frameBox } from "@/components/ground/geometry";
import { ghostsOf } from "@/components/ground/ghosts";
import { noWays } from "@/components/ground/known-ways";
import type { Place } from "@/components/ground/plan";
import { routeStops } from "@/components/ground/route-stops";
import { laneKey, type Route } from "@/components/ground/route-tracks";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { createSpatial } from "@/components/ground/spatial";
import type { Picture, TurnFrame } from "@/server/contract/frame";
import type { LivePicture } from "../live/live-picture";
import { type BatchViews, batchViews } from "../plan/batch-view";
import { type FoldViews, foldViews } from "../plan/fold-view";
import type { Topology, YardModel } from "../plan/yard-model";
import { turnsOf } from "../plan/yard-turns";

export function createThenModel(base: YardModel, live: LivePicture): YardModel {
  let seen: { picture: Picture; topology: Topology } | undefined;
  let turns: readonly TurnFrame[] = [];
  let topology: Topology | undefined;
  let names = "";
  let batches: { of: Picture; views: BatchViews } | undefined;
  let folds: FoldViews = new Map();
  let foldsOf: { topology: Topology; turns: readonly TurnFrame[]; batches: BatchViews } | undefined;

  function sync(): Topology {
    const picture = live.getPicture();
    const all = base.getTopology();
    if (topology && seen?.picture === picture && seen.topology === all) return topology;
    turns = turnsOf(picture, all.scope);
    const now = [...picture.turn.keys(), ...picture.batch.keys(), ...picture.plan_run.keys()].join(" ");
    if (!topology || seen?.topology !== all || now !== names) topology = topologyAt(all, picture, turns);
    names = now;
    seen = { picture, topology: all };
    return topology;
  }

  function batchesNow(): BatchViews {
    const of = live.getPicture();
    if (batches?.of !== of) batches = { of, views: batchViews(of, batches?.views ?? new Map()) };
    return batches.views;
  }

  return {
    getTopology: sync,
    getTurns() {
      sync();
      return turns;
    },
    getBatches: batchesNow,
    getFolds() {
      const now = { topology: sync(), turns, batches: batchesNow() };
      const isSame = foldsOf?.topology === now.topology && foldsOf.turns === turns && foldsOf.batches === now.batches;
      if (!isSame) folds = foldViews(now, folds);
      foldsOf = now;
      return folds;
    },
    subscribe(listener) {
      const stops = [live.subscribe(listener), base.subscribe(listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
    retidy: base.retidy,
  };
}

/** Its bounds are those of now, so that the view stays where it is. */
function topologyAt(all: Topology, picture: Picture, turns: readonly TurnFrame[]): Topology {
  const { turn, batch, plan_run } = picture;
  const blocks = new Map<string, Block>();
  const heldIn = new Set(turns.map(({ agent_turn_id: id }) => all.held.get(id)));
  for (const [id, block] of all.blocks)
    if (batch.has(id) || (block.is_folded && heldIn.has(id)))
      blocks.set(id, {
        ...block,
        turns: block.turns.map((one) => (one !== undefined && turn.has(one) ? one : undefined)),
      });
  const plans = new Map([...all.plans].filter(([id]) => plan_run.has(id)));
  const stops = new Map<string, SeatedStop>();
  for (const [id, stop] of all.stops)
    if (plans.has(stop.plan_run_id)) stops.set(id, isHeld(stop, picture) ? stop : { ...stop, holder: null });
  const places = new Map<string, Place>();
  for (const [id, place] of all.places) if (turn.has(id)) places.set(id, place);
  for (const ghost of ghostsOf(stops, (id) => plans.get(id)?.parent)) places.set(ghost.id, ghost);
  const routes = new Map<string, Route>();
  for (const route of all.routes.values()) {
    const own = route.stop === undefined ? routeAt(route, all, { places, blocks }) : null;
    if (own) routes.set(own.target, own);
  }
  for (const route of routeStops({ places, blocks, plans, stops }, noWays()).toReversed())
    routes.set(route.target, route);
  return {
    ...all,
    order: turns.map(({ agent_turn_id }) => agent_turn_id),
    links: new Map([...all.links].filter(([id]) => turn.has(id))),
    places,
    blocks,
    stops,
    plans,
    routes,
    wagons: createSpatial(places.values(), berthBox),
    frames: createSpatial(blocks.values(), (block) => (block.is_folded ? berthBox(block) : frameBox(block))),
    drawnForks: createSpatial(
      [...stops.values()].filter(({ kind, holder }) => kind === "fork" && holder === null),
      frameBox,
    ),
    tracks: createSpatial(routes.values(), (r) => ({ x: r.x0, y: r.y0, w: r.x1 - r.x0, h: r.y1 - r.y0 })),
  };
}

const isHeld = ({ holder }: SeatedStop, { turn, batch }: Picture): boolean =>
  holder !== null && (turn.has(holder) || batch.has(holder));

/** The track of a branch that has no turn yet leads to its lane; null = it led nowhere then. */
function routeAt(route: Route, all: Topology, { places, blocks }: Pick<Topology, "places" | "blocks">): Route | null {
  if (!places.has(route.source) && !blocks.has(route.source)) return null;
  if (places.has(route.target) || blocks.has(route.target)) return route;
  const place = all.places.get(route.target);
  const block = place?.block;
  if (place === undefined) return isLaneOf(route.target, blocks) ? route : null;
  if (!block || !blocks.has(block.id)) return null;
  const lane = block.turns.indexOf(route.target);
  return lane < 0 ? null : { ...route, target: laneKey(block.id, lane) };
}

const isLaneOf = (target: string, blocks: ReadonlyMap<string, Block>): boolean =>
  blocks.has(target.slice(0, target.lastIndexOf(" ")));
