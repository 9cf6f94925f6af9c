// The plan of a phone: one wagon a line, callers above those they called, each depth a trunk further right. Pure.
import { type Point, track } from "@/components/ui/track";
import type { Place } from "./plan";
import { straightened } from "./route-tracks";

export type PhoneRow = {
  id: string;
  /** Which trunk it hangs on: 0 for a person, 1 for what a person launched. */
  level: number;
  /** The row of its caller; -1 without one. */
  above: number;
  is_inferred: boolean;
};

export const PHONE_ROW = 56;
export const PHONE_HEAD = 52;
const TRUNK = 24;
const STEP = 20;
const CHAMFER = 10;
/** Deeper turns share the last trunk: a wagon needs its width for a name. */
const LEVEL_MAX = 5;

/** Callers first, siblings in order; every turn once. */
export function phoneRows(places: ReadonlyMap<string, Place>): PhoneRow[] {
  const rows: PhoneRow[] = [];
  const roots = [...places.values()].filter((place) => place.parent === null);
  const stack = roots.reverse().map((place) => ({ place, level: place.col === 0 ? 0 : 1, above: -1 }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { place, level, above } = next;
    const index = rows.push({ id: place.id, level, above, is_inferred: place.is_inferred }) - 1;
    for (const id of [...place.children].reverse()) {
      const child = places.get(id);
      // Who only speaks next stands on the same trunk: ten speakers are not ten levels deep.
      const deeper = child?.is_inferred && level > 0 ? level : Math.min(LEVEL_MAX, level + 1);
      if (child) stack.push({ place: child, level: deeper, above: index });
    }
  }
  return rows;
}

export const phoneTrackY = (index: number): number => PHONE_HEAD + index * PHONE_ROW;
export const phoneTrunkX = (level: number): number => TRUNK + STEP * Math.max(0, level - 1);
export const phoneWagonX = (level: number): number => phoneTrunkX(level) + 30;

/** From the caller's track down the trunk and along to `right`. */
export function phoneTrack(rows: readonly PhoneRow[], index: number, right: number): string {
  const row = rows[index];
  if (!row || row.level === 0) return "";
  return track([...leadIn(rows, index), [right, phoneTrackY(index)]], CHAMFER);
}

/** At the right end, where the track goes no further. */
export function phoneBuffer(index: number, right: number): string {
  const y = phoneTrackY(index);
  return `M${right + 2} ${y - 6}v12M${right + 7} ${y - 3.5}v7`;
}

/** The whole way from the person, as one line. */
export function phoneChain(rows: readonly PhoneRow[], index: number, right: number): string {
  const points: Point[] = [[right, phoneTrackY(index)]];
  for (let at = index; at >= 0; at = rows[at]?.above ?? -1) {
    if ((rows[at]?.level ?? 0) === 0) break;
    points.unshift(...leadIn(rows, at).slice((rows[at]?.above ?? -1) >= 0 ? 0 : 1));
  }
  return track(straightened(points), CHAMFER);
}

function leadIn(rows: readonly PhoneRow[], index: number): Point[] {
  const row = rows[index];
  if (!row) return [];
  const x = phoneTrunkX(row.level);
  const y = phoneTrackY(index);
  const caller = rows[row.above];
  if (!caller) return [[x, y]];
  const top = phoneTrackY(row.above);
  // Below a person the trunk begins at the mark; on the same trunk it goes straight down; else it leaves the caller's track.
  if (caller.level === 0 || caller.level === row.level)
    return [
      // On the same trunk the caller's own track has turned off a chamfer earlier.
      [x, caller.level === 0 ? top - 8 : top - CHAMFER],
      [x, y],
    ];
  return [
    [phoneTrunkX(caller.level) + 4, top],
    [x, top],
    [x, y],
  ];
}
