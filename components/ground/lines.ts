// Finds the way of one track across the grid: straight on where it can, else with one turn in a gutter, else through a gap between
// two rows, else round a frame. Tracks to different places never lie on each other in a gutter while there is room beside.
import type { Point } from "@/components/ui/track";
import { trackY, WAGON_H } from "./geometry";
import { createObstacles, type Obstacle } from "./obstacles";
import { searchWay } from "./search-way";

export type From = { point: Point; own: string };
/** `gutters`: where the track may turn before it arrives, the best first. */
export type To = { point: Point; own: string; gutters: readonly number[] };
/** From one height to another, both included. */
export type Span = { top: number; bottom: number };
/** What the search for a way looked at: it finds the same again for as long as nothing of this has changed. */
export type Asked = { x0: number; y0: number; x1: number; y1: number; uprights: Map<number, Span>; isRound: boolean };

type Upright = Span & { to: string; from: string };

/** Behind a wagon, where a track turns that does not run on to its target's gutter. */
const TURN_OFF = [22, 34, 46, 8, 12, 4] as const;
/** The gap above a row: between its wagons and the tracks of the row before. */
const GAP = WAGON_H + 10;
const ROW = trackY(1);
/** Gaps that are tried above and below each end. */
const GAPS_NEAR = 16;
const ROUND_GAPS = 6;
const ROUND_SIDES = 10;
/** Rows above and below both ends that the last search looks at: more than the highest frame has. */
const FAR = 24;

/** `sides`: beside the frames, where a track may go round one. */
export function createLines(obstacles: readonly Obstacle[], sides: readonly number[] = []) {
  const { isUprightOpen, isLevelOpen } = createObstacles(obstacles);
  const uprights = new Map<number, Upright[]>();
  let asked = nothing();

  function isOpen([ax, ay]: Point, [bx, by]: Point, own: string | null, other: string | null = null): boolean {
    const [left, right] = ax < bx ? [ax, bx] : [bx, ax];
    const [top, bottom] = ay < by ? [ay, by] : [by, ay];
    if (left < asked.x0) asked.x0 = left;
    if (right > asked.x1) asked.x1 = right;
    if (top < asked.y0) asked.y0 = top;
    if (bottom > asked.y1) asked.y1 = bottom;
    return left === right ? isUprightOpen(left, top, bottom, own, other) : isLevelOpen(top, left, right, own, other);
  }

  function isAlone(x: number, a: number, b: number, from: From, to: To): boolean {
    const [top, bottom] = [Math.min(a, b), Math.max(a, b)];
    widen(asked.uprights, x, { top, bottom });
    return (uprights.get(x) ?? []).every(
      (other) => other.bottom < top || other.top > bottom || other.to === to.own || other.from === from.own,
    );
  }

  /** The parts of a way, each asked for once: most of them are shared by many ways. */
  function partsOf(from: From, to: To, mayShare: boolean) {
    const [[x, y], [endX, endY]] = [from.point, to.point];
    const isFree = (at: number, a: number, b: number, own: string | null): boolean =>
      isOpen([at, a], [at, b], own) && (mayShare || isAlone(at, a, b, from, to));
    const outs = TURN_OFF.map((off) => x + off).filter((at) => isOpen([x, y], [at, y], from.own));
    const ins = to.gutters.filter((at) => isOpen([at, endY], [endX, endY], to.own));
    return {
      isFree,
      /** From the source to a gap: where it turns off. */
      out: lazily((gap) => outs.find((at) => isFree(at, y, gap, null))),
      /** From a gap to the target: by which gutter. */
      back: lazily((gap) => ins.find((at) => isFree(at, gap, endY, null))),
      outs,
      ins,
    };
  }

  function find(from: From, to: To, mayShare: boolean): Point[] | undefined {
    const [[x, y], [endX, endY]] = [from.point, to.point];
    if (y === endY && isOpen(from.point, [endX, y], from.own, to.own)) return [from.point, to.point];
    const { isFree, out, back, outs, ins } = partsOf(from, to, mayShare);
    for (const at of ins)
      if (isOpen([x, y], [at, y], from.own) && isFree(at, y, endY, null))
        return [from.point, [at, y], [at, endY], to.point];
    for (const at of outs)
      if (isFree(at, y, endY, null) && isOpen([at, endY], [endX, endY], to.own))
        return [from.point, [at, y], [at, endY], to.point];
    const gaps = gapsNear(y, endY);
    for (const gap of gaps) {
      const [off, gutter] = [out(gap), back(gap)];
      if (off !== undefined && gutter !== undefined && isOpen([off, gap], [gutter, gap], null))
        return [from.point, [off, y], [off, gap], [gutter, gap], [gutter, endY], to.point];
    }
    return round();

    /** Shut in between two frames: round one of them. */
    function round(): Point[] | undefined {
      asked.isRound = true;
      const near = [...sides].sort((a, b) => Math.abs(a - endX) - Math.abs(b - endX)).slice(0, ROUND_SIDES);
      for (const leave of gapsNear(y, y).slice(0, ROUND_GAPS)) {
        const off = out(leave);
        if (off === undefined) continue;
        for (const side of near) {
          if (!isOpen([off, leave], [side, leave], null)) continue;
          for (const come of gapsNear(endY, endY).slice(0, ROUND_GAPS)) {
            const gutter = back(come);
            if (gutter === undefined || !isFree(side, leave, come, null)) continue;
            if (isOpen([side, come], [gutter, come], null))
              return [
                from.point,
                [off, y],
                [off, leave],
                [side, leave],
                [side, come],
                [gutter, come],
                [gutter, endY],
                to.point,
              ];
          }
        }
      }
      return undefined;
    }
  }

  /** Any way at all, on other tracks too. */
  function search(from: From, to: To): Point[] | undefined {
    asked.isRound = true;
    const [[, y], [, endY]] = [from.point, to.point];
    const { outs, ins } = partsOf(from, to, true);
    const [top, bottom] = [Math.min(y, endY), Math.max(y, endY)].map((at) => Math.round(at / ROW));
    const ys: number[] = [];
    for (let row = (top ?? 0) - FAR; row <= (bottom ?? 0) + FAR; row++) ys.push(trackY(row) - GAP);
    const way = searchWay(
      outs.map((at) => [at, y]),
      ins.map((at) => [at, endY]),
      { xs: [...outs, ...ins, ...sides], ys, isOpen: (a, b) => isOpen(a, b, null) },
    );
    return way ? [from.point, ...way, to.point] : undefined;
  }

  /** The next tracks keep clear of it. */
  function keep(points: readonly Point[], from: From, to: To): void {
    for (const { x, top, bottom } of uprightsOf(points)) {
      const list = uprights.get(x) ?? [];
      list.push({ top, bottom, to: to.own, from: from.own });
      uprights.set(x, list);
    }
  }

  return {
    keep,
    /** Answers the corners of the track, both ends included, and what they depend on. */
    lead(from: From, to: To): { points: Point[]; asked: Asked } {
      asked = nothing();
      // Rather on another track than through a wagon.
      const found = find(from, to, false) ?? find(from, to, true) ?? search(from, to);
      // Where nothing is open it crosses something rather than not being drawn.
      const [gutter = to.point[0]] = to.gutters;
      const points = found ?? [from.point, [gutter, from.point[1]], [gutter, to.point[1]], to.point];
      keep(points, from, to);
      return { points, asked };
    },
  };
}

/** Its stretches that run upright. */
export function uprightsOf(points: readonly Point[]): (Span & { x: number })[] {
  return points.flatMap(([x, y], i) => {
    const before = points[i - 1];
    return !before || before[0] !== x || before[1] === y
      ? []
      : [{ x, top: Math.min(before[1], y), bottom: Math.max(before[1], y) }];
  });
}

const nothing = (): Asked => ({
  x0: Infinity,
  y0: Infinity,
  x1: -Infinity,
  y1: -Infinity,
  uprights: new Map(),
  isRound: false,
});

function widen(spans: Map<number, Span>, x: number, { top, bottom }: Span): void {
  const known = spans.get(x);
  if (!known) spans.set(x, { top, bottom });
  else {
    known.top = Math.min(known.top, top);
    known.bottom = Math.max(known.bottom, bottom);
  }
}

function lazily<T>(find: (gap: number) => T): (gap: number) => T {
  const known = new Map<number, T>();
  return (gap) => {
    const had = known.get(gap);
    if (had !== undefined || known.has(gap)) return had as T;
    const found = find(gap);
    known.set(gap, found);
    return found;
  };
}

/** The same for every drawing: what was sorted for one is not sorted again for the next. */
function gapsNear(y: number, endY: number): readonly number[] {
  let gapsOf = nearGaps.get(y);
  if (!gapsOf) {
    if (nearGaps.size > HEIGHTS_KEPT) nearGaps.clear();
    gapsOf = new Map();
    nearGaps.set(y, gapsOf);
  }
  const gaps = gapsOf.get(endY) ?? gapsBetween(y, endY);
  gapsOf.set(endY, gaps);
  return gaps;
}

const HEIGHTS_KEPT = 200;
const nearGaps = new Map<number, Map<number, readonly number[]>>();

/** Heights between two rows near either end, those nearest to both first. */
function gapsBetween(y: number, endY: number): number[] {
  const rows = new Set<number>();
  for (const end of [y, endY]) {
    const row = Math.round(end / ROW);
    for (let at = row - GAPS_NEAR; at <= row + GAPS_NEAR; at++) rows.add(at);
  }
  const far = (gap: number) => Math.abs(gap - y) + Math.abs(gap - endY);
  return [...rows].map((row) => trackY(row) - GAP).sort((a, b) => far(a) - far(b));
}
