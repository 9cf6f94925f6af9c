// Signs on the tracks: arrows, buffer stops, and the words beside a track. Pure.
import type { Point } from "@/components/ui/track";
import type { After } from "@/server/contract/plan/plan";

/** Before the wagon that stands at the point. */
export const chevronAt = ([x, y]: Point): string => `M${x - 13} ${y - 4}l4 4l-4 4`;

/** The end of a track that leads on to nothing. */
export const buffer = (x: number, y: number): string => `M${x} ${y - 7}V${y + 7}M${x + 5} ${y - 4}V${y + 4}`;

/** Over a track that is taken on another end than a delivered one. */
export const wayWords: Record<After["on"], string> = {
  delivered: "if delivered",
  success: "if it succeeds",
  failed: "if it fails",
  ended: "however it ends",
};

export type WaySpot = { x: number; y: number; anchor: "middle" | "end" };
/** Shorter than this no words fit over it. */
const LEVEL_MIN = 90;

/** Over a level part of a track, or else left of an upright one, so that it is read beside the track it belongs to. */
export function wayWordsAt(points: readonly Point[]): WaySpot | null {
  let [level, upright]: [number, number] = [LEVEL_MIN, 0];
  let [over, beside]: [WaySpot | null, WaySpot | null] = [null, null];
  for (const [i, [x, y]] of points.entries()) {
    const [fromX, fromY] = points[i - 1] ?? [x, y];
    if (fromY === y && x - fromX > level) {
      level = x - fromX;
      over = { x: fromX + level / 2, y: y - 6, anchor: "middle" };
    } else if (fromX === x && Math.abs(y - fromY) > upright) {
      upright = Math.abs(y - fromY);
      beside = { x: x - 6, y: (y + fromY) / 2 + 4, anchor: "end" };
    }
  }
  return over ?? beside;
}
