// How the lanes of the context flow run: to the next column as a bundle in which none crosses another, everything else by the gap
// above the wagon it leads to. Gutters and gaps are free, so no lane passes through a wagon. Pure.
import { type Box, WAGON_H } from "@/components/ground/geometry";
import { straightened } from "@/components/ground/route-tracks";
import type { Point } from "@/components/ui/track";

export type LaneEnds = { from: string; to: string };
export type LaneRoute = { points: Point[]; label: Point };

const PITCH = 11;
/** Room in a gutter between two columns, clear of the wagons. */
const CLEAR = 10;
/** Two columns side by side are not further apart than a gutter and what the frame of a batch adds. */
const NEAR = 190;
const GAP = 5;

export function laneRoutes(ends: readonly LaneEnds[], boxOf: (id: string) => Box | undefined): LaneRoute[] {
  const boxes = ends.map(({ from, to }) => [boxOf(from), boxOf(to)] as const);
  const bundles = new Map<string, number[]>();
  const arrived = new Map<string, number>();
  const routes = new Map<number, Point[]>();
  for (const [at, [from, to]] of boxes.entries()) {
    if (!from || !to) continue;
    const ahead = to.x - (from.x + from.w);
    if (ahead >= 2 * CLEAR && ahead <= NEAR) {
      const key = `${ends[at]?.from} ${to.x}`;
      bundles.set(key, [...(bundles.get(key) ?? []), at]);
      continue;
    }
    const nth = arrived.get(ends[at]?.to ?? "") ?? 0;
    arrived.set(ends[at]?.to ?? "", nth + 1);
    routes.set(at, byTheGap(from, to, nth));
  }
  for (const members of bundles.values()) bundle(members, boxes, routes);
  return ends.map((_, at) => {
    const points = straightened(routes.get(at) ?? []);
    return { points, label: middleOf(points) };
  });
}

type Pair = readonly [Box | undefined, Box | undefined];

/** The uppermost leaves on top and turns up first, the lowest leaves at the bottom and turns down first. */
function bundle(members: readonly number[], boxes: readonly Pair[], routes: Map<number, Point[]>): void {
  const sorted = members
    .flatMap((at) => {
      const [from, to] = boxes[at] ?? [];
      return from && to ? [{ at, from, to }] : [];
    })
    .sort((a, b) => a.to.y - b.to.y);
  const pitch = Math.min(PITCH, (WAGON_H - 14) / Math.max(1, sorted.length - 1));
  for (const [i, { at, from, to }] of sorted.entries()) {
    const y = middle(from) + (i - (sorted.length - 1) / 2) * Math.min(pitch, (from.h - 6) / Math.max(1, sorted.length));
    const end = middle(to);
    const above = sorted.filter((one) => middle(one.to) < middle(from)).length;
    const order = end < middle(from) ? i : sorted.length - 1 - i;
    const most = Math.max(1, Math.max(above, sorted.length - above) - 1);
    const left = from.x + from.w;
    const room = to.x - left - 2 * CLEAR;
    const x = left + CLEAR + order * Math.min(PITCH, room / most);
    const straight = Math.abs(end - y) < 1;
    routes.set(
      at,
      straight
        ? [
            [left, end],
            [to.x, end],
          ]
        : [
            [left, y],
            [x, y],
            [x, end],
            [to.x, end],
          ],
    );
  }
}

function byTheGap(from: Box, to: Box, nth: number): Point[] {
  const slot = nth % 4;
  const left = from.x + from.w;
  const out = left + CLEAR + slot * GAP;
  const back = to.x - CLEAR - slot * GAP;
  const y = to.y - 4 - slot * 3;
  const end = to.y + Math.min(to.h - 6, 8 + (nth % 8) * GAP);
  const start = middle(from);
  return [
    [left, start],
    [out, start],
    [out, y],
    [back, y],
    [back, end],
    [to.x, end],
  ];
}

const middle = ({ y, h }: Box): number => y + h / 2;

/** Of its longest run: there is room for words. */
function middleOf(points: readonly Point[]): Point {
  let best: { length: number; at: Point } = { length: -1, at: points[0] ?? [0, 0] };
  for (const [i, [x, y]] of points.entries()) {
    const next = points[i + 1];
    if (!next) break;
    const length = Math.hypot(next[0] - x, next[1] - y);
    if (length > best.length) best = { length, at: [(x + next[0]) / 2, (y + next[1]) / 2] };
  }
  return best.at;
}
