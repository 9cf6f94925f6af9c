// Through which gutters and gaps the tracks run. A track is horizontal or vertical with a 45 degree chamfer, never crosses
// a wagon, and two trunks of one gutter never lie on each other.
import type { Point } from "@/components/ui/track";
import { blockCells } from "@/server/contract/lanes";
import { type Block, childColumn } from "./block";
import {
  type Berth,
  berthBox,
  columnX,
  FRAME_PASS,
  laneBerth,
  leftOf,
  rightOf,
  TRUNK,
  TRUNK_SLOT,
  trackY,
  WAGON_H,
} from "./geometry";
import type { Place } from "./plan";
import type { Way } from "./stop";

export type Route = {
  source: string;
  /** A turn, a lane that has none yet (`laneKey`), or a folded batch. */
  target: string;
  points: Point[];
  /** The node of a plan that it leads to, and on which end of its source that may start. */
  stop?: string;
  on?: Way["on"];
  /** The node that it waits for, or the slot of one task of it. */
  from?: string;
  /** Of a track from a fork: from one of its wagons to where the track begins. */
  lead_in?: Point[];
  /** What the track covers, for finding it again. */
  x0: number;
  y0: number;
  x1: number;
  y1: number;
};

const SLOTS_MAX = 3;
/** A gap between two rows has room for one track that passes by. */
const HEADER = WAGON_H + 10;
const TURN_BACK = 30;
/** In front of a launched turn there is little room; a line of speakers that comes back uses the person's column. */
const BEFORE_ROOT = 34;
/** What a branch calls leaves its lane behind the wagon and passes the gate in the gap below. */
const DIP = { x: 10, y: 10 };

/** One route for each placed turn that has a caller, for each lane that waits for its turn, and for each folded batch. */
export function routeTracks(
  places: ReadonlyMap<string, Place>,
  blocks: ReadonlyMap<string, Block> = new Map(),
): Route[] {
  const slots = trunkSlots(places, blocks);
  const routes: Route[] = [];
  const lead = (parent: Place, target: string, to: Berth, lane: Block | null, isBatch = lane !== null) => {
    const points = straightened(
      routePoints(parent, to, {
        isBatch,
        trunkAt: (col) => columnX(col) - (slots.get(`${parent.id} ${lane?.id ?? ""} ${col}`) ?? TRUNK),
        headerRow: lane ? lane.row - 1 : fanTop(parent, places, blocks),
        lane,
      }),
    );
    routes.push({ source: parent.id, target, points, ...bounds(points) });
  };
  for (const place of places.values()) {
    const parent = place.parent === null ? undefined : places.get(place.parent);
    // What stands at a node of a plan is reached from what the node waits for.
    if (parent && place.slot === undefined) lead(parent, place.id, place, place.block);
  }
  for (const block of blocks.values()) {
    const parent = places.get(block.parent);
    if (!parent || block.stop !== undefined) continue;
    if (block.is_folded) lead(parent, block.id, block, null, true);
    else
      for (let index = 0; index < block.lanes; index++)
        if (block.turns[index] === undefined) lead(parent, laneKey(block.id, index), laneBerth(block, index), block);
  }
  return routes;
}

/** The target of a lane that has no turn yet. */
export const laneKey = (batchId: string, index: number): string => `${batchId} ${index}`;

/** From the person or the person's first wagon to the selected one, as one line that runs under the wagons between. */
export function chainPoints(
  places: ReadonlyMap<string, Place>,
  routes: ReadonlyMap<string, Route>,
  id: string,
): Point[] {
  const legs: Point[][] = [];
  let place = places.get(id);
  for (let steps = 0; place && steps < 10_000; steps++) {
    const box = berthBox(place);
    const y = trackY(place.row);
    if (place.col > 0)
      legs.push([
        [box.x, y],
        [box.x + box.w, y],
      ]);
    const route = routes.get(place.id);
    if (!route) break;
    legs.push([...(route.lead_in ?? []), ...route.points]);
    place = places.get(route.source);
  }
  return straightened(legs.reverse().flat());
}

/** Where that line enters each wagon. */
export function chainEntries(places: ReadonlyMap<string, Place>, id: string): Point[] {
  const entries: Point[] = [];
  let place = places.get(id);
  for (let steps = 0; place && place.col > 0 && steps < 10_000; steps++) {
    entries.push([leftOf(place), trackY(place.row)]);
    place = places.get(place.parent ?? "");
  }
  return entries;
}

/** Points on one straight run are dropped: a chamfer is cut from runs, and half a run is half a chamfer. */
export function straightened(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (last && last[0] === point[0] && last[1] === point[1]) continue;
    const before = kept.at(-2);
    const isStraight =
      before &&
      last &&
      ((before[0] === last[0] && last[0] === point[0]) || (before[1] === last[1] && last[1] === point[1]));
    if (isStraight) kept.pop();
    kept.push(point);
  }
  return kept;
}

/** The same way a little to the right of it, for a track that runs back beside the one that leads there. */
export function beside(points: readonly Point[], by: number): Point[] {
  return points.map((point, i) => {
    const [before, after] = [points[i - 1], points[i + 1]];
    let [x, y] = point;
    for (const [from, to] of [
      [before, point],
      [point, after],
    ] as const) {
      if (!from || !to) continue;
      // Two runs meet at a corner, and each moves it across itself.
      if (from[1] === to[1]) y = point[1] + Math.sign(to[0] - from[0]) * by;
      else x = point[0] - Math.sign(to[1] - from[1]) * by;
    }
    return [x, y];
  });
}

type Lead = { trunkAt: (col: number) => number; headerRow: number; lane: Block | null; isBatch: boolean };

function routePoints(from: Place, to: Berth, { trunkAt, headerRow, lane, isBatch }: Lead): Point[] {
  const first = childColumn(from);
  const exit = exitOf(from);
  const start = exit.at(-1) ?? [0, 0];
  const end: Point = [columnX(to.col), trackY(to.row)];
  // Anything further along a lane is reached through the lane.
  const near = lane ? lane.col : to.col;
  // A person forks past the first column, which is free there.
  if (near === first || (isBatch && from.col === 0 && near === first + 1)) {
    if (to.row === from.row && exit.length === 1) return [start, end];
    const x = near === 1 ? columnX(1) - 14 : trunkAt(near);
    if (lane && !isBeside(from, lane)) return [...exit, ...throat(start, lane, x), [x, end[1]], end];
    return [...exit, [x, start[1]], [x, end[1]], end];
  }
  if (near > first) {
    const [x, far, y] = [trunkAt(first), trunkAt(near), trackY(headerRow) - HEADER];
    if (lane)
      return [
        ...exit,
        [x, start[1]],
        [x, y],
        ...throat([columnX(near) - FRAME_PASS, y], lane, far),
        [far, end[1]],
        end,
      ];
    return [...exit, [x, start[1]], [x, y], [far, y], [far, end[1]], end];
  }
  const y = end[1] - (to.row - from.row > 1 ? WAGON_H + 25 : HEADER);
  const [x, far] = [start[0] + TURN_BACK, columnX(to.col) - (to.col === 1 ? BEFORE_ROOT : TRUNK)];
  return [...exit, [x, start[1]], [x, y], [far, y], [far, end[1]], end];
}

const isBeside = (from: Berth, lane: Block): boolean => from.row >= lane.row && from.row < lane.row + lane.rows;

/** From above or below into a frame: beside it to its middle lane, never through its head. */
function throat(start: Point, lane: Block, trunk: number): Point[] {
  const y = trackY(lane.row + Math.floor((lane.rows - 1) / 2));
  const x = columnX(lane.col) - FRAME_PASS;
  return [
    [x, start[1]],
    [x, y],
    [trunk, y],
  ];
}

function exitOf(from: Place): Point[] {
  const [x, y] = [rightOf(from), trackY(from.row)];
  if (!from.block && !from.left) return [[x, y]];
  return [
    [x, y],
    [x + DIP.x, y],
    [x + DIP.x, y + DIP.y],
  ];
}

/** The row under the gap that feeds the further columns of a wide fan. */
function fanTop(parent: Place, places: ReadonlyMap<string, Place>, blocks: ReadonlyMap<string, Block>): number {
  const first = parent.entries[0] ?? "";
  const block = blocks.get(first);
  return places.get(first)?.row ?? (block ? blockCells(block).top : parent.row);
}

type Trunk = { key: string; top: number; bottom: number };
type Trunks = Map<number, Trunk>;

/** For each caller and gutter: how far left of the wagons its trunk stands, so that trunks side by side stay apart. */
function trunkSlots(places: ReadonlyMap<string, Place>, blocks: ReadonlyMap<string, Block>): Map<string, number> {
  const gutters = new Map<number, Trunk[]>();
  for (const parent of places.values())
    for (const [col, trunk] of trunksOf(parent, places, blocks)) push(gutters, col, trunk);
  const frames = new Map<number, Block[]>();
  const offsets = new Map<string, number>();
  for (const block of blocks.values())
    if (!block.is_folded)
      // A frame covers the gutters of all its columns, and that of its gate.
      for (let col = block.col; col <= block.col + block.cols; col++) push(frames, col, block);
  for (const [col, trunks] of gutters) {
    trunks.sort((a, b) => a.top - b.top);
    const ends: number[] = [];
    for (const { key, top, bottom } of trunks) {
      if (frames.get(col)?.some((block) => top < block.row + block.rows && bottom > block.row - 1.5)) {
        offsets.set(`${key} ${col}`, FRAME_PASS);
        continue;
      }
      let slot = ends.findIndex((end) => end < top);
      if (slot < 0) slot = ends.length < SLOTS_MAX ? ends.length : SLOTS_MAX - 1;
      ends[slot] = Math.max(bottom, ends[slot] ?? Number.NEGATIVE_INFINITY);
      offsets.set(`${key} ${col}`, TRUNK + slot * TRUNK_SLOT);
    }
  }
  return offsets;
}

/** Lanes have the trunk of their frame, which nobody else's may cross; this is about all others. */
function trunksOf(parent: Place, places: ReadonlyMap<string, Place>, blocks: ReadonlyMap<string, Block>): Trunks {
  const trunks: Trunks = new Map();
  const key = `${parent.id} `;
  const first = childColumn(parent);
  const from = parent.block || parent.left ? parent.row + 0.12 : parent.row;
  for (const id of parent.entries) {
    const block = blocks.get(id);
    if (block && !block.is_folded) continue;
    const child = block ?? places.get(id);
    if (!child || child.col <= parent.col) continue;
    const isFar = child.col > first;
    const near = isFar ? fanTop(parent, places, blocks) - 0.5 : child.row;
    if (near !== from) widen(trunks, first, key, Math.min(near, from), Math.max(near, from));
    if (isFar) widen(trunks, child.col, key, fanTop(parent, places, blocks) - 0.5, child.row);
  }
  return trunks;
}

function widen(trunks: Trunks, col: number, key: string, top: number, bottom: number): void {
  const known = trunks.get(col);
  trunks.set(col, {
    key,
    top: Math.min(top, known?.top ?? top),
    bottom: Math.max(bottom, known?.bottom ?? bottom),
  });
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

export function bounds(points: readonly Point[]): Pick<Route, "x0" | "y0" | "x1" | "y1"> {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const [x, y] of points) {
    if (x < box.x0) box.x0 = x;
    if (x > box.x1) box.x1 = x;
    if (y < box.y0) box.y0 = y;
    if (y > box.y1) box.y1 = y;
  }
  return box;
}
