// Finds the way of one track across the grid: straight on where it can, else with one turn in a gutter, else through a gap between
// two rows. Tracks to different places never lie on each other in a gutter while there is room beside.
import type { Point } from "@/components/ui/track";
import { type Box, trackY, WAGON_H } from "./geometry";

export type From = { point: Point; own: string };
/** `gutters`: where the track may turn before it arrives, the best first. */
export type To = { point: Point; own: string; gutters: readonly number[] };
export type Lines = ReturnType<typeof createLines>;

type Obstacle = { own: string; box: Box };
type Upright = { top: number; bottom: number; to: string; from: string };

/** Behind a wagon, where a track turns that does not run on to its target's gutter. */
const TURN_OFF = [22, 34, 46, 8, 12, 4] as const;
/** The gap above a row: between its wagons and the tracks of the row before. */
const GAP = WAGON_H + 10;
const ROW = trackY(1);
const GAPS_MAX = 400;
const ROUND_GAPS = 10;

/** `sides`: beside the frames, where a track may go round one. */
export function createLines(query: (area: Box) => readonly Obstacle[], sides: readonly number[] = []) {
  const uprights = new Map<number, Upright[]>();

  const isOpen = (a: Point, b: Point, owns: readonly string[]): boolean => {
    const area = {
      x: Math.min(a[0], b[0]),
      y: Math.min(a[1], b[1]),
      w: Math.abs(a[0] - b[0]),
      h: Math.abs(a[1] - b[1]),
    };
    return query(area).every(({ own }) => owns.includes(own));
  };

  const isAlone = (x: number, a: number, b: number, to: To, from: From): boolean => {
    const [top, bottom] = [Math.min(a, b), Math.max(a, b)];
    return (uprights.get(x) ?? []).every(
      (other) => other.bottom < top || other.top > bottom || other.to === to.own || other.from === from.own,
    );
  };

  const isClear = (points: readonly Point[], from: From, to: To, mayShare: boolean): boolean =>
    points.every((point, i) => {
      const before = points[i - 1];
      if (!before) return true;
      // Its own ends stand at the ends of the line.
      const owns = [...(i === 1 ? [from.own] : []), ...(i === points.length - 1 ? [to.own] : [])];
      if (!isOpen(before, point, owns)) return false;
      return (
        mayShare || before[0] !== point[0] || before[1] === point[1] || isAlone(point[0], before[1], point[1], to, from)
      );
    });

  function* waysOf(from: From, to: To): Generator<Point[]> {
    const [[x, y], [endX, endY]] = [from.point, to.point];
    if (y === endY) yield [from.point, to.point];
    for (const gutter of to.gutters) yield [from.point, [gutter, y], [gutter, endY], to.point];
    for (const off of TURN_OFF) yield [from.point, [x + off, y], [x + off, endY], to.point];
    for (const gap of gapsNear(y, endY))
      for (const gutter of to.gutters)
        for (const off of TURN_OFF)
          yield [from.point, [x + off, y], [x + off, gap], [gutter, gap], [gutter, endY], [endX, endY]];
    // Shut in between two frames: round one of them.
    for (const side of sides)
      for (const out of gapsNear(y, y).slice(0, ROUND_GAPS))
        for (const back of gapsNear(endY, endY).slice(0, ROUND_GAPS))
          for (const gutter of to.gutters)
            for (const off of TURN_OFF)
              yield [
                from.point,
                [x + off, y],
                [x + off, out],
                [side, out],
                [side, back],
                [gutter, back],
                [gutter, endY],
                to.point,
              ];
  }

  function firstClear(from: From, to: To, mayShare: boolean): Point[] | undefined {
    for (const way of waysOf(from, to)) if (isClear(way, from, to, mayShare)) return way;
    return undefined;
  }

  return {
    /** Answers the corners of the track, both ends included. */
    lead(from: From, to: To): Point[] {
      // Rather on another track than through a wagon.
      const found = firstClear(from, to, false) ?? firstClear(from, to, true);
      // Where nothing is open it crosses something rather than not being drawn.
      const [gutter = to.point[0]] = to.gutters;
      const points = found ?? [from.point, [gutter, from.point[1]], [gutter, to.point[1]], to.point];
      for (const [i, point] of points.entries()) {
        const before = points[i - 1];
        if (!before || before[0] !== point[0] || before[1] === point[1]) continue;
        const list = uprights.get(point[0]) ?? [];
        list.push({
          top: Math.min(before[1], point[1]),
          bottom: Math.max(before[1], point[1]),
          to: to.own,
          from: from.own,
        });
        uprights.set(point[0], list);
      }
      return points;
    },
  };
}

/** Heights between two rows, those nearest to both ends first. */
function gapsNear(y: number, endY: number): number[] {
  const [first, last] = [Math.floor(Math.min(y, endY) / ROW), Math.ceil(Math.max(y, endY) / ROW)];
  const gaps: number[] = [];
  for (let row = first - 16; row <= last + 16 && gaps.length < GAPS_MAX; row++) gaps.push(trackY(row) - GAP);
  const far = (gap: number) => Math.abs(gap - y) + Math.abs(gap - endY);
  return gaps.sort((a, b) => far(a) - far(b));
}
