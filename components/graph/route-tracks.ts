// Through which gutters and gaps the tracks run. A track is horizontal or vertical with a 45 degree chamfer, never crosses
// a wagon, and two trunks of one gutter never lie on each other.
import type { Point } from "@/components/ui/track";
import { type Berth, berthBox, columnW, columnX, TRUNK, TRUNK_SLOT, trackY, WAGON_H } from "./geometry";
import type { Place } from "./plan";

export type Route = {
  source: string;
  target: string;
  points: Point[];
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

/** One route for each placed turn that has a caller. */
export function routeTracks(places: ReadonlyMap<string, Place>): Route[] {
  const slots = trunkSlots(places);
  const routes: Route[] = [];
  for (const place of places.values()) {
    const parent = place.parent === null ? undefined : places.get(place.parent);
    if (!parent) continue;
    const points = routePoints(parent, place, {
      slotAt: (col) => slots.get(`${parent.id} ${col}`) ?? 0,
      headerRow: fanTop(parent, places),
    });
    routes.push({ source: parent.id, target: place.id, points, ...bounds(points) });
  }
  return routes;
}

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
    legs.push(route.points);
    place = places.get(route.source);
  }
  return straightened(legs.reverse().flat());
}

/** Where that line enters each wagon. */
export function chainEntries(places: ReadonlyMap<string, Place>, id: string): Point[] {
  const entries: Point[] = [];
  let place = places.get(id);
  for (let steps = 0; place && place.col > 0 && steps < 10_000; steps++) {
    entries.push([columnX(place.col), trackY(place.row)]);
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

type Lead = { slotAt: (col: number) => number; headerRow: number };

function routePoints(from: Place, to: Place, { slotAt, headerRow }: Lead): Point[] {
  const start: Point = [exitX(from), trackY(from.row)];
  const end: Point = [columnX(to.col), trackY(to.row)];
  const gutter = (col: number) => columnX(col) - TRUNK - slotAt(col) * TRUNK_SLOT;
  if (to.col === from.col + 1) {
    if (to.row === from.row) return [start, end];
    const x = to.col === 1 ? columnX(1) - 14 : gutter(to.col);
    return [start, [x, start[1]], [x, end[1]], end];
  }
  if (to.col > from.col) {
    const [x, far, y] = [gutter(from.col + 1), gutter(to.col), trackY(headerRow) - HEADER];
    return [start, [x, start[1]], [x, y], [far, y], [far, end[1]], end];
  }
  const y = end[1] - (to.row - from.row > 1 ? WAGON_H + 25 : HEADER);
  const [x, far] = [start[0] + TURN_BACK, columnX(to.col) - (to.col === 1 ? BEFORE_ROOT : TRUNK)];
  return [start, [x, start[1]], [x, y], [far, y], [far, end[1]], end];
}

const exitX = (berth: Berth): number => columnX(berth.col) + columnW(berth.col);

/** The row under the gap that feeds the further columns of a wide fan. */
const fanTop = (parent: Place, places: ReadonlyMap<string, Place>): number =>
  places.get(parent.children[0] ?? "")?.row ?? parent.row;

type Trunk = { parent: string; top: number; bottom: number };

/** For each caller and gutter: how far left its trunk stands, so that trunks side by side stay apart. */
function trunkSlots(places: ReadonlyMap<string, Place>): Map<string, number> {
  const gutters = new Map<number, Trunk[]>();
  for (const parent of places.values()) for (const [col, trunk] of trunksOf(parent, places)) push(gutters, col, trunk);
  const slots = new Map<string, number>();
  for (const [col, trunks] of gutters) {
    trunks.sort((a, b) => a.top - b.top);
    const ends: number[] = [];
    for (const { parent, top, bottom } of trunks) {
      let slot = ends.findIndex((end) => end < top);
      if (slot < 0) slot = ends.length < SLOTS_MAX ? ends.length : SLOTS_MAX - 1;
      ends[slot] = Math.max(bottom, ends[slot] ?? Number.NEGATIVE_INFINITY);
      slots.set(`${parent} ${col}`, slot);
    }
  }
  return slots;
}

function trunksOf(parent: Place, places: ReadonlyMap<string, Place>): Map<number, Trunk> {
  const trunks = new Map<number, Trunk>();
  for (const id of parent.children) {
    const child = places.get(id);
    if (!child || child.col <= parent.col) continue;
    const isFar = child.col > parent.col + 1;
    const near = isFar ? fanTop(parent, places) - 0.5 : child.row;
    if (near !== parent.row)
      widen(trunks, parent.col + 1, parent.id, Math.min(near, parent.row), Math.max(near, parent.row));
    if (isFar) widen(trunks, child.col, parent.id, fanTop(parent, places) - 0.5, child.row);
  }
  return trunks;
}

function widen(trunks: Map<number, Trunk>, col: number, parent: string, top: number, bottom: number): void {
  const known = trunks.get(col);
  trunks.set(col, {
    parent,
    top: Math.min(top, known?.top ?? top),
    bottom: Math.max(bottom, known?.bottom ?? bottom),
  });
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function bounds(points: readonly Point[]): Pick<Route, "x0" | "y0" | "x1" | "y1"> {
  const xs = points.map((p) => p[0]);
  const ys = points.map((p) => p[1]);
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}
