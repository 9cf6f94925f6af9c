// What stands along one upright or level line, found once for each line: a search for ways asks about the same gutters and gaps
// thousands of times.
import type { Box } from "./geometry";

export type Obstacle = { own: string; box: Box };
/** What stands across a line, from where to where along it. */
type Stretch = { from: number; to: number; own: string };

/** Much wider or higher than what stands there, so that most of it lies in one strip. */
const STRIP = 512;

export function createObstacles(all: readonly Obstacle[]) {
  const uprights = createLinesOf(all, ({ box }) => [box.x, box.x + box.w, box.y, box.y + box.h]);
  const levels = createLinesOf(all, ({ box }) => [box.y, box.y + box.h, box.x, box.x + box.w]);
  return {
    /** Whether nothing but what is of these two stands on an upright line. */
    isUprightOpen: (x: number, top: number, bottom: number, own: string | null, other: string | null): boolean =>
      isOpen(uprights(x), top, bottom, own, other),
    isLevelOpen: (y: number, left: number, right: number, own: string | null, other: string | null): boolean =>
      isOpen(levels(y), left, right, own, other),
  };
}

/** Across the lines from, to; along them from, to. */
type Extent = readonly [number, number, number, number];

function createLinesOf(all: readonly Obstacle[], extentOf: (one: Obstacle) => Extent) {
  const strips = new Map<number, (Stretch & { first: number; last: number })[]>();
  for (const one of all) {
    const [first, last, from, to] = extentOf(one);
    for (let at = Math.floor(first / STRIP); at <= Math.floor(last / STRIP); at++) {
      const strip = strips.get(at);
      const stretch = { from, to, own: one.own, first, last };
      if (strip) strip.push(stretch);
      else strips.set(at, [stretch]);
    }
  }
  const lines = new Map<number, readonly Stretch[]>();
  return (at: number): readonly Stretch[] => {
    const known = lines.get(at);
    if (known) return known;
    const strip = strips.get(Math.floor(at / STRIP)) ?? [];
    const line = strip.filter(({ first, last }) => first <= at && at <= last).sort((a, b) => a.from - b.from);
    lines.set(at, line);
    return line;
  };
}

/** What only touches its end stands in its way too. */
function isOpen(line: readonly Stretch[], a: number, b: number, own: string | null, other: string | null): boolean {
  for (const stretch of line) {
    if (stretch.from > b) return true;
    if (stretch.to >= a && stretch.own !== own && stretch.own !== other) return false;
  }
  return true;
}
