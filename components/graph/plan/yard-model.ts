// The yard of one scope: which turns it shows, where they stand, how the tracks run. Recomputed only when a turn, an edge
// or a batch is new; that one of them changed its state moves nothing here.
import type { Block } from "@/components/ground/block";
import { CHAIN_COLUMNS, chainColumns } from "@/components/ground/conversation";
import { type Box, berthBox, frameBox, returnBox, union } from "@/components/ground/geometry";
import { ghostsOf } from "@/components/ground/ghosts";
import { type FoundWays, noWays } from "@/components/ground/known-ways";
import { createPlan, type Place, type Plan } from "@/components/ground/plan";
import { routeStops } from "@/components/ground/route-stops";
import { type Route, routeTracks } from "@/components/ground/route-tracks";
import type { PlanGround, SeatedPlan, SeatedStop } from "@/components/ground/seat-stops";
import { createSpatial, type Spatial } from "@/components/ground/spatial";
import { stopsOf } from "@/components/ground/stop";
import { tidy } from "@/components/ground/tidy";
import type { BatchFrame, Picture, PlanRunFrame, TurnFrame } from "@/server/contract/frame";
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import type { LivePicture } from "../live/live-picture";
import { type Alike, alikeHolding, alikeOf } from "./alike";
import { type BatchViews, batchViews } from "./batch-view";
import { type FoldViews, foldViews } from "./fold-view";
import { type Folds, foldedOf } from "./folds";
import { type PlanGraphs, planGraphsOf } from "./plan-graphs";
import { foldedStretches, longestOf, type Stretch, stretchesOf, stretchSize } from "./stretches";
import { forksOf, type Link, linksOf, placingsOf, planRunsOf, type Scope, turnsOf } from "./yard-turns";

export type Topology = {
  scope: Scope;
  /** Turns in the order they were made. */
  order: readonly string[];
  links: ReadonlyMap<string, Link>;
  /** Turns, and what will be turns of plans. */
  places: ReadonlyMap<string, Place>;
  /** Nodes of plans, by the id of their frame. */
  stops: ReadonlyMap<string, SeatedStop>;
  plans: ReadonlyMap<string, SeatedPlan>;
  blocks: ReadonlyMap<string, Block>;
  /** By turn that is not drawn: the folded batch, the folded calls alike or the turn that holds it. */
  held: ReadonlyMap<string, string>;
  /** All calls alike, folded or not. */
  alike: ReadonlyMap<string, Alike>;
  /** Stretches of long conversations, folded or not, by the turn that stands for each. */
  stretches: ReadonlyMap<string, Stretch>;
  /** By the turn, or folded batch, the track leads to: of several tracks to a node of a plan, that of the furthest. */
  routes: ReadonlyMap<string, Route>;
  wagons: Spatial<Place>;
  /** Batches: a frame each, or a wagon where one is folded. */
  frames: Spatial<Block>;
  /** Forks of plans that have not begun: a frame each. */
  drawnForks: Spatial<SeatedStop>;
  tracks: Spatial<Route>;
  bounds: Box;
};

export type YardModel = {
  getTopology: () => Topology;
  /** The turns as they are now, in the order of the topology; those of folded batches too. */
  getTurns: () => readonly TurnFrame[];
  /** Batches of the whole picture, as they are now. */
  getBatches: () => BatchViews;
  /** What is folded, as it is now. */
  getFolds: () => FoldViews;
  subscribe: (listener: () => void) => () => void;
  /** Arranges everything anew around a turn that stays where it is. */
  retidy: (anchor: string | null) => void;
};

export function createYardModel(live: LivePicture, scope: Scope, folds: Folds = []): YardModel {
  let plan: Plan = createPlan();
  let turns: readonly TurnFrame[] = [];
  let forks: readonly BatchFrame[] = [];
  let runs: readonly PlanRunFrame[] = [];
  let listed = new Set<string>();
  const ways: FoundWays = noWays();
  let topology = drawn(scope, [], new Map(), { plan, ways, held: new Map(), alike: new Map(), stretches: new Map() });
  const graphStore = planGraphsOf(live);
  let graphs: PlanGraphs | undefined;
  let undrawn: ReadonlySet<string> = new Set();
  let seen: Pick<Picture, "turn" | "edge" | "batch" | "plan_run"> | undefined;
  let batches: BatchViews = new Map();
  let batchesOf: Picture | undefined;
  let shape = { stretch: 0, line: CHAIN_COLUMNS };
  let views: FoldViews = new Map();
  let viewsOf: { topology: Topology; turns: readonly TurnFrame[]; batches: BatchViews } | undefined;
  const listeners = new Set<() => void>();

  function sync() {
    const picture = live.getPicture();
    const isSeen =
      seen &&
      picture.turn === seen.turn &&
      picture.edge === seen.edge &&
      picture.batch === seen.batch &&
      picture.plan_run === seen.plan_run;
    if (isSeen && graphs === graphStore.get()) return;
    const hasNewEdges = picture.edge !== seen?.edge;
    if (picture.batch !== seen?.batch) forks = forksOf(picture, scope);
    if (picture.plan_run !== seen?.plan_run) runs = planRunsOf(picture, scope);
    seen = picture;
    graphs = graphStore.get();
    turns = turnsOf(picture, scope);
    const links = hasNewEdges ? linksOf(picture, scope) : topology.links;
    const names = [
      ...turns.map((turn) => turn.agent_turn_id),
      ...forks.map((batch) => batch.batch_id),
      ...runs.map(({ plan_run_id }) => `${plan_run_id} ${revOf(plan_run_id)}`),
    ];
    const isSame = links.size === topology.links.size && names.length === listed.size;
    if (isSame && names.every((name) => listed.has(name))) return;
    listed = new Set(names);
    // Drawn like others while it could not be read, its turns stand elsewhere than its nodes.
    const isKnownNow = runs.some(({ plan_run_id: id }) => undrawn.has(id) && graphs?.get(id));
    if (isKnownNow) plan = createPlan();
    undrawn = new Set(runs.flatMap(({ plan_run_id: id }) => (graphs?.get(id) === null ? id : [])));
    const { placings, ...folded } = placingsNow(links);
    plan.add(placings);
    topology = drawn(scope, turns, links, { plan, ways, ...folded });
  }

  const revOf = (id: string): string => {
    const graph = graphs?.get(id);
    return graph ? `${graph.body_rev}` : `${graph}`;
  };

  const placingsNow = (links: ReadonlyMap<string, Link>) => {
    const batchOf = (id: string) => live.getPicture().batch.get(id);
    const alike = alikeOf({ turns, links, batchOf });
    // Settled with the first turns that are drawn: a conversation that grows keeps its lines and its stretches.
    if (plan.places.size === 0) shape = shapeOf(turns, links);
    const stretches = stretchesOf(turns, links, shape.stretch);
    const placings = placingsOf({
      turns,
      links,
      forks,
      folded: foldedOf(forks, folds),
      shut: new Set(folds),
      alike: alikeHolding(alike, folds, (id) => plan.places.has(id)),
      stretches: foldedStretches(stretches, folds),
      line: shape.line,
      plans: runs,
      groundOf: (id) => groundOf(graphs?.get(id)),
      batchOf,
    });
    return { ...placings, alike, stretches };
  };

  function batchesNow(): BatchViews {
    const picture = live.getPicture();
    const isSame =
      batchesOf?.turn === picture.turn &&
      batchesOf.batch === picture.batch &&
      batchesOf.batch_task === picture.batch_task;
    if (!isSame) batches = batchViews(picture, batches);
    batchesOf = picture;
    return batches;
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
    getBatches: batchesNow,
    getFolds() {
      sync();
      const now = { topology, turns, batches: batchesNow() };
      const isSame = viewsOf?.topology === topology && viewsOf.turns === turns && viewsOf.batches === now.batches;
      if (!isSame) views = foldViews(now, views);
      viewsOf = now;
      return views;
    },
    subscribe(listener) {
      listeners.add(listener);
      const stops = [live.subscribe(listener), graphStore.subscribe(listener)];
      return () => {
        listeners.delete(listener);
        for (const stop of stops) stop();
      };
    },
    retidy(anchor) {
      sync();
      const kept = plan.places.get(anchor ?? topology.order[0] ?? "");
      // Asked for anew, nothing needs to stay where it is: calls alike that were drawn one by one fold too.
      plan = createPlan();
      const { placings, ...folded } = placingsNow(topology.links);
      // A plan keeps the places it was drawn with, so what is around it is placed as it came.
      if (runs.length > 0) plan.add(placings);
      else plan = createPlan(tidy(placings, kept));
      topology = drawn(scope, turns, topology.links, { plan, ways, ...folded });
      for (const listener of listeners) listener();
    },
  };
}

/** Lines of a conversation as long as make a block of the shape of a screen of it. */
function shapeOf(turns: readonly TurnFrame[], links: ReadonlyMap<string, Link>): { stretch: number; line: number } {
  const longest = longestOf(turns, links);
  const stretch = stretchSize(longest);
  return { stretch, line: chainColumns(stretch === 0 ? longest : Math.ceil(longest / stretch)) };
}

/** The same ground for the same graph. */
function groundOf(graph: PlanGraphView | null | undefined): PlanGround | null | undefined {
  if (!graph) return graph;
  const ground = grounds.get(graph) ?? { rev: graph.body_rev, stops: stopsOf(graph) };
  grounds.set(graph, ground);
  return ground;
}

const grounds = new WeakMap<PlanGraphView, PlanGround>();

function drawn(
  scope: Scope,
  turns: readonly TurnFrame[],
  links: ReadonlyMap<string, Link>,
  { plan, ways, ...folded }: { plan: Plan; ways: FoundWays } & Pick<Topology, "held" | "alike" | "stretches">,
): Topology {
  const ghosts = ghostsOf(plan.stops, (id) => plan.plans.get(id)?.parent);
  const places = new Map([...plan.places, ...ghosts.map((place) => [place.id, place] as const)]);
  const blocks = new Map(plan.blocks);
  const stops = new Map(plan.stops);
  const routes = [...routeTracks(places, blocks), ...routeStops({ places, blocks, plans: plan.plans, stops }, ways)];
  const wagons = createSpatial(places.values(), berthBox);
  const frames = createSpatial(blocks.values(), (block) => blockBox(block, places));
  const drawnForks = createSpatial(
    [...stops.values()].filter(({ kind, holder }) => kind === "fork" && holder === null),
    frameBox,
  );
  const hulls = [wagons.bounds, ...(blocks.size === 0 ? [] : [frames.bounds])];
  return {
    scope,
    order: turns.map((turn) => turn.agent_turn_id),
    links,
    places,
    blocks,
    ...folded,
    stops,
    plans: new Map(plan.plans),
    // Of several the last named stays, which is the first.
    routes: new Map(routes.toReversed().map((route) => [route.target, route])),
    wagons,
    frames,
    tracks: createSpatial(routes, (r) => ({ x: r.x0, y: r.y0, w: r.x1 - r.x0, h: r.y1 - r.y0 })),
    drawnForks,
    bounds: (drawnForks.isEmpty ? hulls : [...hulls, drawnForks.bounds]).reduce(union),
  };
}

/** With the berth behind it, where the caller goes on. */
function blockBox(block: Block, places: ReadonlyMap<string, Place>): Box {
  if (block.is_folded) return berthBox(block);
  if (block.stop !== undefined) return frameBox(block);
  return union(frameBox(block), returnBox(block, places.get(block.parent)?.row ?? block.row));
}
