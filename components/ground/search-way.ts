// The last resort for a track that no short way is open for: every way along the gaps and gutters, those with the fewest turns first.
import type { Point } from "@/components/ui/track";

export type Ground = {
  /** Where it may run upright and level, those to be preferred first. */
  xs: readonly number[];
  ys: readonly number[];
  isOpen: (a: Point, b: Point) => boolean;
};
type Stretch = { x: number; y: number; before: Stretch | null };

/** From one of the points that the source leads to, to one of those that lead to the target; both run upright there. */
export function searchWay(
  starts: readonly Point[],
  ends: readonly Point[],
  { xs, ys, isOpen }: Ground,
): Point[] | null {
  const isEnd = (x: number, y: number) => ends.some(([endX, endY]) => endX === x && endY === y);
  const seen = new Set<string>();
  let turns: Stretch[] = starts.map(([x, y]) => ({ x, y, before: null }));
  for (let isUpright = true; turns.length > 0; isUpright = !isUpright) {
    const next: Stretch[] = [];
    for (const turn of turns) {
      const along = isUpright ? [...ys, ...ends.map(([, y]) => y)] : xs;
      for (const at of byDistance(along, isUpright ? turn.y : turn.x)) {
        const [x, y] = isUpright ? [turn.x, at] : [at, turn.y];
        const key = `${isUpright} ${x} ${y}`;
        if (seen.has(key) || !isOpen([turn.x, turn.y], [x, y])) continue;
        seen.add(key);
        const stretch = { x, y, before: turn };
        if (isUpright && isEnd(x, y)) return pointsOf(stretch);
        next.push(stretch);
      }
    }
    turns = next;
  }
  return null;
}

const byDistance = (all: readonly number[], from: number): number[] =>
  [...all].sort((a, b) => Math.abs(a - from) - Math.abs(b - from));

function pointsOf(last: Stretch): Point[] {
  const points: Point[] = [];
  for (let at: Stretch | null = last; at; at = at.before) points.unshift([at.x, at.y]);
  return points;
}
