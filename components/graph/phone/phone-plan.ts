// The plan of a phone: one wagon a line, callers above those they called, each depth a trunk further right. A batch has a
// line for its head, then one for each of its lanes, then one for its foot. Pure.
import type { Block } from "@/components/ground/block";
import type { Place } from "@/components/ground/plan";
import { straightened } from "@/components/ground/route-tracks";
import type { SeatedPlan, SeatedStop } from "@/components/ground/seat-stops";
import { type Point, track } from "@/components/ui/track";

export type PhoneRow = {
  /** A turn, or a batch for head, lane without turn, and folded batch; for what a plan has not started its node, and its lane's slot. */
  id: string;
  kind: "turn" | "head" | "lane" | "folded" | "drawn" | "ghost";
  /** Which trunk it hangs on: 0 for a person, 1 for what a person launched. */
  level: number;
  /** The row of its caller; -1 without one. */
  above: number;
  is_inferred: boolean;
  /** The batch it is a lane of, and which; for a fork of a plan that has not begun the id of its node. */
  lane: { batch_id: string; task_index: number } | null;
};

/** Nodes of plans, and which plan run stands under which turn. */
export type PhonePlans = { stops: ReadonlyMap<string, SeatedStop>; plans: ReadonlyMap<string, SeatedPlan> };
const noPlans: PhonePlans = { stops: new Map(), plans: new Map() };

/** From the row of the head to that of the last thing in it. */
export type PhoneFrame = { batch_id: string; head: number; last: number; level: number };

export const PHONE_ROW = 56;
export const PHONE_HEAD = 52;
const TRUNK = 24;
const STEP = 20;
const CHAMFER = 10;
/** Deeper turns share the last trunk: a wagon needs its width for a name. */
const LEVEL_MAX = 5;
/** The gate stands at the right end of the lanes, further in for a batch within a batch. */
export const PHONE_GATE = { w: 22, right: 20, step: 30 };

type Waiting = Omit<PhoneRow, "above"> & { above: number };

/** Callers first, siblings in order, lanes by their index; every turn once. */
export function phoneRows(
  places: ReadonlyMap<string, Place>,
  blocks: ReadonlyMap<string, Block> = new Map(),
  planned: PhonePlans = noPlans,
): PhoneRow[] {
  const rows: PhoneRow[] = [];
  const roots = [...places.values()].filter((place) => place.parent === null);
  const stack = roots.reverse().map(
    (place): Waiting => ({
      id: place.id,
      kind: "turn",
      level: place.col === 0 ? 0 : 1,
      above: -1,
      is_inferred: place.is_inferred,
      lane: null,
    }),
  );
  for (let next = stack.pop(); next; next = stack.pop()) {
    const index = rows.push(next) - 1;
    const { level } = next;
    if (next.kind === "drawn") {
      for (let at = (planned.stops.get(next.id)?.lanes ?? 0) - 1; at >= 0; at--)
        stack.push({
          id: `${next.id}.${at}`,
          kind: "ghost",
          level,
          above: next.above,
          is_inferred: false,
          lane: { batch_id: next.id, task_index: at },
        });
      continue;
    }
    if (next.kind === "head") {
      const block = blocks.get(next.id);
      for (let at = (block?.lanes ?? 0) - 1; at >= 0; at--) {
        const id = block?.turns[at];
        stack.push({
          id: id ?? next.id,
          kind: id === undefined ? "lane" : "turn",
          level,
          above: next.above,
          is_inferred: false,
          lane: { batch_id: next.id, task_index: at },
        });
      }
      continue;
    }
    const place = next.kind === "turn" ? places.get(next.id) : undefined;
    for (const id of [...(place?.entries ?? [])].reverse()) {
      if (planned.plans.has(id)) {
        for (const stop of [...planned.stops.values()].reverse())
          if (stop.plan_run_id === id) stack.push(rowOfStop(stop, blocks, { level, above: index }));
        continue;
      }
      const [child, block] = [places.get(id), blocks.get(id)];
      const isInferred = child?.is_inferred ?? false;
      // Who only speaks next stands on the same trunk: ten speakers are not ten levels deep.
      const deeper = isInferred && level > 0 ? level : Math.min(LEVEL_MAX, level + 1);
      const kind = child ? "turn" : block?.is_folded ? "folded" : "head";
      if (child || block) stack.push({ id, kind, level: deeper, above: index, is_inferred: isInferred, lane: null });
    }
  }
  return rows;
}

/** What stands at a node of a plan: its turn, its batch, or what is still to come. */
function rowOfStop(
  { id, kind, holder }: SeatedStop,
  blocks: ReadonlyMap<string, Block>,
  { level, above }: Pick<Waiting, "level" | "above">,
): Waiting {
  const own = { level: Math.min(LEVEL_MAX, level + 1), above, is_inferred: false, lane: null };
  if (holder === null) return { ...own, id, kind: kind === "fork" ? "drawn" : "ghost" };
  const block = blocks.get(holder);
  return { ...own, id: holder, kind: !block ? "turn" : block.is_folded ? "folded" : "head" };
}

/** Where each frame begins and ends. */
export function phoneFrames(rows: readonly PhoneRow[]): PhoneFrame[] {
  const frames = new Map<string, PhoneFrame>();
  const inside: (string | null)[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.kind === "head" || row.kind === "drawn")
      frames.set(row.id, { batch_id: row.id, head: index, last: index, level: row.level });
    // What a branch has called lies within its frame too.
    inside[index] = row.lane?.batch_id ?? inside[row.above] ?? null;
    for (let id = inside[index] ?? null; id !== null; ) {
      const frame = frames.get(id);
      if (!frame || frame.last >= index) break;
      frame.last = index;
      id = inside[rows[frame.head]?.above ?? -1] ?? null;
    }
  }
  return [...frames.values()];
}

/** How many frames a row lies in. */
export function phoneDepths(rows: readonly PhoneRow[], frames: readonly PhoneFrame[]): number[] {
  const depths = rows.map(() => 0);
  for (const { head, last } of frames) for (let at = head; at <= last; at++) depths[at] = (depths[at] ?? 0) + 1;
  return depths;
}

/** How far from the right edge a wagon ends: frames and gates stand there. */
export const phoneRight = (depth: number): number => (depth === 0 ? 14 : 60 + (depth - 1) * PHONE_GATE.step);

export const phoneTrackY = (index: number): number => PHONE_HEAD + index * PHONE_ROW;
export const phoneTrunkX = (level: number): number => TRUNK + STEP * Math.max(0, level - 1);
export const phoneWagonX = (level: number): number => phoneTrunkX(level) + 30;

/** From the caller's track down the trunk and along to `right`. A head has no track of its own. */
export function phoneTrack(rows: readonly PhoneRow[], index: number, right: number): string {
  const row = rows[index];
  if (!row || row.level === 0 || row.kind === "head" || row.kind === "drawn") return "";
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
