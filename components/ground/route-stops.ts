// How the tracks of a plan run: to each node from all it waits for, or from whoever launched the plan. They run where the yard's
// other tracks run, and around whatever stands between.
import type { Point } from "@/components/ui/track";
import { middleLane } from "@/server/contract/lanes";
import type { Block } from "./block";
import {
  type Box,
  berthBox,
  columnX,
  FRAME_PASS,
  frameBox,
  frameEnd,
  lanesEnd,
  leftOf,
  rightOf,
  TRUNK,
  trackY,
} from "./geometry";
import { createKnownLines, type FoundWays, type KnownLines, noWays } from "./known-ways";
import type { Obstacle } from "./obstacles";
import type { Place } from "./plan";
import { bounds, type Route, straightened } from "./route-tracks";
import type { SeatedPlan, SeatedStop } from "./seat-stops";
import { slotOf, type Way } from "./stop";

export type StopGround = {
  places: ReadonlyMap<string, Place>;
  blocks: ReadonlyMap<string, Block>;
  plans: ReadonlyMap<string, SeatedPlan>;
  stops: ReadonlyMap<string, SeatedStop>;
};

/** `lead_in`: from the wagon that stands for a fork, through its gate. `before`: what leads to the point and is drawn too. */
type Exit = { source: string; point: Point; own: string; lead_in?: Point[]; before?: Point[] };
type Standing = { ground: StopGround; lines: KnownLines; slots: ReadonlyMap<string, Place> };

export function routeStops(ground: StopGround, found: FoundWays = noWays()): Route[] {
  if (ground.stops.size === 0) return [];
  const slots = new Map(
    [...ground.places.values()].flatMap((place) => (place.slot ? [[place.slot, place] as const] : [])),
  );
  const obstacles = obstaclesOf(ground);
  const frames = obstacles.filter(({ is_frame }) => is_frame);
  const sides = new Set(frames.flatMap(({ box }) => [box.x - BESIDE / 2, box.x + box.w + BESIDE]));
  const standing = { ground, slots, lines: createKnownLines({ obstacles, sides: [...sides] }, found) };
  return [...ground.stops.values()].flatMap((stop) => routesTo(stop, standing));
}

/** Frames have room beside them on both sides. */
const BESIDE = 14;

/** The furthest of what it waits for first: that is where it is said to come from. */
function routesTo(stop: SeatedStop, standing: Standing): Route[] {
  const { ground, slots } = standing;
  const ways: (Way | null)[] = [...stop.waits_for];
  if (ways.length > 1) ways.sort((a, b) => reach(b, ground) - reach(a, ground));
  if (ways.length === 0) ways.push(null);
  const block = ground.blocks.get(stop.holder ?? "");
  const isWagon = stop.kind !== "fork" || block?.is_folded === true;
  return ways.flatMap((way, index): Route[] => {
    const exit = way ? exitOf(way, standing) : launcherOf(stop, ground);
    if (!exit) return [];
    const end: Point = isWagon
      ? [leftOf(stop), trackY(block?.row ?? stop.row)]
      : [columnX(stop.col) - FRAME_PASS, trackY(stop.row + middleLane(stop.rows))];
    const found = standing.lines.lead(exit, { point: end, own: stop.id, gutters: guttersOf(stop, end, isWagon) });
    const points = exit.before ? [...exit.before, ...found] : found;
    const isOne = isWagon || index > 0;
    const target = index > 0 ? `${stop.id} ${index}` : (slots.get(stop.id)?.id ?? block?.id ?? stop.id);
    const known = isOne && !exit.lead_in ? routeOf.get(points) : undefined;
    // The points are of one way between two stops; a turn may have come to either.
    if (known && known.source === exit.source && known.target === target && known.on === way?.on) return [known];
    const own = {
      source: exit.source,
      stop: stop.id,
      ...(way && { on: way.on, from: way.task_index === undefined ? way.stop : `${way.stop}.${way.task_index}` }),
      ...(exit.lead_in && { lead_in: exit.lead_in }),
    };
    if (isOne) {
      const route = { ...own, target, points, ...bounds(points) };
      routeOf.set(points, route);
      return [route];
    }
    return Array.from({ length: stop.lanes }, (_, lane): Route => {
      const target = slots.get(slotOf(stop, lane))?.id ?? `${block?.id ?? stop.id} ${lane}`;
      const to = straightened([...points, ...throughThroat(stop, lane, end)]);
      return { ...own, target, points: to, ...bounds(to) };
    });
  });
}

/** The same track is the same object: nothing is measured or drawn again for it. */
const routeOf = new WeakMap<readonly Point[], Route>();

/** From before the frame to a lane of it: along the trunk of its own column. */
function throughThroat(stop: SeatedStop, lane: number, [, y]: Point): Point[] {
  const col = stop.col + Math.floor(lane / stop.rows);
  const end: Point = [columnX(col), trackY(stop.row + (lane % stop.rows))];
  const trunk = columnX(stop.col) - TRUNK;
  return end[1] === y ? [end] : [[trunk, y], [trunk, end[1]], end];
}

/** Where the tracks into it come together, from the nearest place for them to the furthest. */
function guttersOf(stop: SeatedStop, [x]: Point, isWagon: boolean): number[] {
  if (!isWagon) return [x];
  if (stop.is_behind) return [x - 18, x - 26];
  if (stop.col === 1) return [x - 14];
  return [x - TRUNK, x - TRUNK - 12, x - TRUNK - 24, x - FRAME_PASS];
}

function exitOf(way: Way, { ground, slots }: Standing): Exit | null {
  const from = ground.stops.get(way.stop);
  if (!from) return null;
  const block = ground.blocks.get(from.holder ?? "");
  if (from.kind !== "fork" || block?.is_folded) {
    const place = slots.get(from.id);
    const at = block ?? from;
    return {
      source: place?.id ?? block?.id ?? from.id,
      point: [rightOf({ ...from, row: at.row }), trackY(at.row)],
      own: from.id,
    };
  }
  if (way.task_index !== undefined && way.task_index >= 0) {
    // It leaves its lane behind the wagon and passes the gate in the gap below.
    const [col, row] = [from.col + Math.floor(way.task_index / from.rows), from.row + (way.task_index % from.rows)];
    const x = rightOf({ col, row }) + DIP;
    const y = trackY(row) + DIP;
    const point: Point = [frameEnd(from), y];
    const before: Point[] = [
      [x - DIP, trackY(row)],
      [x, trackY(row)],
      [x, y],
    ];
    return { source: slots.get(slotOf(from, way.task_index))?.id ?? from.id, point, own: from.id, before };
  }
  const middle = middleLane(from.rows);
  const y = trackY(from.row + middle);
  const lead_in: Point[] = [[lanesEnd(from), y]];
  const lane = middle + (from.cols - 1) * from.rows;
  const through = lane < from.lanes ? lane : middle;
  return {
    source: slots.get(slotOf(from, through))?.id ?? from.id,
    point: [frameEnd(from), y],
    own: from.id,
    lead_in,
  };
}

function launcherOf(stop: SeatedStop, { places, plans }: StopGround): Exit | null {
  const place = places.get(plans.get(stop.plan_run_id)?.parent ?? "");
  if (!place) return null;
  const [x, y] = [rightOf(place), trackY(place.row)];
  if (!place.block && !place.left) return { source: place.id, point: [x, y], own: place.id };
  return {
    source: place.id,
    point: [x + DIP, y + DIP],
    own: place.id,
    before: [
      [x, y],
      [x + DIP, y],
    ],
  };
}

/** As in route-tracks.ts: how a track leaves a lane. */
const DIP = 10;

const reach = (way: Way | null, { stops }: StopGround): number => {
  const from = stops.get(way?.stop ?? "");
  return from ? from.col + (from.kind === "fork" ? from.cols : 0) : -1;
};

/** What no track runs through: wagons with a little air, and frames. */
function obstaclesOf({ places, blocks, stops }: StopGround): (Obstacle & { is_frame: boolean })[] {
  const frames = [
    ...[...blocks.values()].filter(({ is_folded }) => !is_folded),
    ...[...stops.values()].filter(({ kind, holder }) => kind === "fork" && holder === null),
  ];
  return [
    ...[...places.values()].map(obstacleOf),
    ...frames.map((frame) => ({
      own: "stop" in frame && frame.stop !== undefined ? frame.stop : frame.id,
      box: wider(frameBox(frame), 3),
      is_frame: true,
    })),
  ];
}

/** A place that did not move is the same obstacle. Those of a run that goes on are moved where they are, and have none kept. */
function obstacleOf(place: Place): Obstacle & { is_frame: boolean } {
  const known = place.is_ghost ? obstacleAt.get(place) : undefined;
  if (known) return known;
  const own = place.block?.stop ?? place.stop ?? place.id;
  const obstacle = { own, box: wider(berthBox(place), 5), is_frame: false };
  if (place.is_ghost) obstacleAt.set(place, obstacle);
  return obstacle;
}

const obstacleAt = new WeakMap<Place, Obstacle & { is_frame: boolean }>();

const wider = ({ x, y, w, h }: Box, by: number): Box => ({ x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by });
