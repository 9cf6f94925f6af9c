// A way that was found before is not looked for again for as long as nothing has changed of what its search looked at: what stands in
// that part of the ground, and where the tracks before it run upright. So the answer is the one that a search of all ways would give.
import type { Point } from "@/components/ui/track";
import type { Box } from "./geometry";
import { type Asked, createLines, type From, type Span, type To, uprightsOf } from "./lines";
import type { Obstacle } from "./obstacles";
import { createSpatial, type Spatial } from "./spatial";

type Way = { key: string; points: Point[]; asked: Asked };
/** Of the last drawing of the same ground. It is written over by the next. */
export type FoundWays = { obstacles: ReadonlyMap<string, Box>; sides: string; ways: Way[] };
export type KnownLines = ReturnType<typeof createKnownLines>;

export const noWays = (): FoundWays => ({ obstacles: new Map(), sides: "", ways: [] });

type Ground = { obstacles: readonly Obstacle[]; sides: readonly number[] };

/** Ways are asked for in the order in which the last drawing asked for them, as far as they are the same. */
export function createKnownLines({ obstacles, sides }: Ground, found: FoundWays) {
  const now = new Map(obstacles.map((obstacle) => [keyOf(obstacle), obstacle.box]));
  const changed = changedBetween(found.obstacles, now);
  const before = found.ways;
  const rank = new Map(before.map(({ key }, i) => [key, i]));
  const isSameSides = found.sides === sides.join(" ");
  const ways: Way[] = [];
  Object.assign(found, { obstacles: now, sides: sides.join(" "), ways });
  const lines = createLines(obstacles, sides);
  const moved = new Map<number, Span[]>();
  const repeats = new Map<string, number>();
  let next = 0;

  function move(points: readonly Point[]): void {
    for (const { x, ...span } of uprightsOf(points)) {
      const list = moved.get(x);
      if (list) list.push(span);
      else moved.set(x, [span]);
    }
  }

  /** What the last drawing had here; what it had before and this one has not (yet) stands in nobody's way any more. */
  function knownAt(key: string): Way | undefined {
    const at = rank.get(key) ?? -1;
    if (at < next) return undefined;
    for (; next < at; next++) move(before[next]?.points ?? []);
    next = at + 1;
    return before[at];
  }

  function isStill({ asked }: Way): boolean {
    if (asked.isRound && !isSameSides) return false;
    const { x0, y0, x1, y1, uprights } = asked;
    if (!changed.every({ x: x0, y: y0, w: x1 - x0, h: y1 - y0 }, () => false)) return false;
    for (const [x, { top, bottom }] of uprights)
      if (moved.get(x)?.some((span) => span.bottom >= top && span.top <= bottom)) return false;
    return true;
  }

  return {
    lead(from: From, to: To): Point[] {
      const [[x, y], [endX, endY]] = [from.point, to.point];
      const way = `${from.own} ${x} ${y} ${to.own} ${endX} ${endY} ${to.gutters.join(" ")}`;
      // A node may wait twice for another: for its success and for its failure.
      const repeat = repeats.get(way) ?? 0;
      repeats.set(way, repeat + 1);
      const key = `${way} ${repeat}`;
      const known = knownAt(key);
      if (known && isStill(known)) {
        lines.keep(known.points, from, to);
        ways.push(known);
        return known.points;
      }
      const led = lines.lead(from, to);
      if (!known || !isSame(known.points, led.points)) {
        move(known?.points ?? []);
        move(led.points);
      }
      ways.push({ key, ...led });
      return led.points;
    },
  };
}

/** Most obstacles are those of the last drawing, and their names were made for that. */
function keyOf(obstacle: Obstacle): string {
  const known = keys.get(obstacle);
  if (known !== undefined) return known;
  const { own, box } = obstacle;
  const key = `${own} ${box.x} ${box.y} ${box.w} ${box.h}`;
  keys.set(obstacle, key);
  return key;
}

const keys = new WeakMap<Obstacle, string>();

function changedBetween(before: ReadonlyMap<string, Box>, now: ReadonlyMap<string, Box>): Spatial<Box> {
  const boxes: Box[] = [];
  for (const [key, box] of before) if (!now.has(key)) boxes.push(box);
  for (const [key, box] of now) if (!before.has(key)) boxes.push(box);
  return createSpatial(boxes, (box) => box);
}

const isSame = (a: readonly Point[], b: readonly Point[]): boolean =>
  a.length === b.length && a.every(([x, y], i) => x === b[i]?.[0] && y === b[i]?.[1]);
