// What is being dragged over the ground, and what letting go would do. Pure.
import { type Box, berthBox, columnX, trackY } from "@/components/ground/geometry";
import { applyOps } from "@/server/contract/plan/apply-op";
import type { Berth, Load, Plan } from "@/server/contract/plan/plan";
import { isTaskPlace, nodeIdOf } from "@/server/contract/plan/plan-words";
import type { Change } from "../draft/drawing-store";
import { adding, addingTask, type Carried, coupling, loading, type Made, named, splicing } from "../draft/edits";
import { fromElsewhere, rewiring, toElsewhere, unlinking } from "../draft/relinking";
import { type Drawing, type DrawnRoute, PERSON } from "../drawing/drawing";
import { drawnFrame } from "../drawing/frame-foot";
import type { Link } from "../drawing/links";
import type { Gap } from "../drawing/rank";
import type { Wire } from "../drawing/wires";

export type XY = { x: number; y: number };
/** What lies on the shelf and can be drawn: somebody to work, or something to be read. */
export type Item = { words: string; made: Made } | { words: string; load: Load };

export type Drag =
  | { kind: "couple"; from: string; at: XY; carried: Carried; over: Over; refusals: ReadonlyMap<string, string> }
  /** `gap`: where in the load of the wagon under it what is read would be put. */
  | { kind: "item"; item: Item; at: XY; over: Over; gap: Gap | null }
  | { kind: "move"; places: readonly string[]; start: XY; at: XY; over: Over; isCopy: boolean }
  /** An end of a track or of a wire; `end` is the one that is moved. */
  | { kind: "link"; link: Linked; end: "from" | "to"; at: XY; over: Over; refusals: ReadonlyMap<string, string> }
  | { kind: "marquee"; start: XY; at: XY };
export type Linked = Exclude<Link, { kind: "crate" }>;

/** What lies under the pointer. */
export type Over =
  | { kind: "wagon"; place: string }
  | { kind: "frame"; fork: string }
  | { kind: "track"; route: DrawnRoute }
  | { kind: "berth"; berth: Berth };

/** How near the pointer must be to a track to mean it. */
const NEAR = 12;

export function overAt(drawing: Drawing, { x, y }: XY, except: ReadonlySet<string> = new Set()): Over {
  const [wagon] = drawing.wagons
    .query({ x, y, w: 0, h: 0 })
    .filter(({ id }) => id !== PERSON && !except.has(id) && !id.endsWith("."));
  if (wagon) return { kind: "wagon", place: wagon.id };
  for (const [id, stop] of drawing.stops)
    if (stop.kind === "fork" && !except.has(id) && holds(drawnFrame(stop), { x, y }))
      return { kind: "frame", fork: id };
  const near = trackAt(drawing, { x, y }, except);
  if (near) return { kind: "track", route: near };
  return { kind: "berth", berth: berthAt({ x, y }) };
}

export function trackAt(drawing: Drawing, at: XY, except: ReadonlySet<string> = new Set(), near = NEAR) {
  return drawing.tracks
    .query({ x: at.x - near, y: at.y - near, w: 2 * near, h: 2 * near })
    .find((route) => !except.has(route.to) && !except.has(route.from ?? "") && isNear(route, at, near));
}

/** The wire under a point, if one is: wires are thin, and lie over nothing else. */
export function wireAt(wires: readonly Wire[], at: XY): Wire | null {
  return wires.find((wire) => isNear(wire, at, WIRE_NEAR)) ?? null;
}
const WIRE_NEAR = 6;

/** Which end of a way a point is nearer to. */
export function endAt(points: readonly (readonly [number, number])[], { x, y }: XY): "from" | "to" {
  const far = ([px, py]: readonly [number, number] = [x, y]) => Math.hypot(px - x, py - y);
  return far(points[0]) < far(points.at(-1)) ? "from" : "to";
}

const holds = ({ x, y, w, h }: Box, at: XY): boolean => at.x >= x && at.x <= x + w && at.y >= y && at.y <= y + h;

function isNear({ points }: Pick<DrawnRoute, "points">, { x, y }: XY, near = NEAR): boolean {
  return points.some(([toX, toY], i) => {
    const [fromX, fromY] = points[i - 1] ?? [toX, toY];
    return (
      x >= Math.min(fromX, toX) - near &&
      x <= Math.max(fromX, toX) + near &&
      y >= Math.min(fromY, toY) - near &&
      y <= Math.max(fromY, toY) + near
    );
  });
}

/** The berth that a point lies in, from the first column behind the person on. */
export function berthAt({ x, y }: XY): Berth {
  let col = 1;
  while (columnX(col + 1) <= x) col++;
  return { col, row: Math.ceil(y / trackY(1)) };
}

/** How many berths a wagon is moved by a drag from `start` to `at`. */
export function movedBy(start: XY, at: XY): Berth {
  const [from, to] = [berthAt(start), berthAt(at)];
  return { col: to.col - from.col, row: to.row - from.row };
}

/** What letting go does; a text = why it does nothing. */
export function dropOf(plan: Plan, drawing: Drawing, drag: Drag): Change | string | null {
  if (drag.kind === "marquee") return null;
  if (drag.kind === "couple") return dropCoupling(plan, drag);
  if (drag.kind === "link") return dropLink(plan, drag);
  if (drag.kind === "item")
    return "made" in drag.item ? dropMade(plan, drag.item.made, drag.over) : dropLoad(plan, drag.item, drag);
  return dropMove(plan, drawing, drag);
}

function dropCoupling(
  plan: Plan,
  { from, carried, over, refusals }: Extract<Drag, { kind: "couple" }>,
): Change | string | null {
  const to = over.kind === "wagon" ? over.place : over.kind === "frame" ? over.fork : null;
  if (to === null) return null;
  const refusal = refusals.get(to) ?? refusals.get(nodeIdOf(to));
  if (refusal !== undefined) return refusal;
  return doable(plan, coupling(plan, from, to, carried));
}

/** Over the person's side of a plan nothing is waited for: there, and on open ground, the link is taken away. */
function dropLink(plan: Plan, { link, end, over, refusals }: Extract<Drag, { kind: "link" }>): Change | string | null {
  const to = over.kind === "wagon" ? over.place : over.kind === "frame" ? over.fork : null;
  if (to === null) return unlinking(plan, link);
  const refusal = refusals.get(to) ?? refusals.get(nodeIdOf(to));
  if (refusal !== undefined) return refusal;
  if (link.kind === "wire") return to === link.to ? null : doable(plan, rewiring(plan, link, to));
  if (end === "from") return to === link.from ? null : doable(plan, fromElsewhere(plan, link, to));
  return nodeIdOf(to) === link.to ? null : doable(plan, toElsewhere(plan, link, to));
}

function dropMade(plan: Plan, made: Made, over: Over): Change | string {
  if (over.kind === "track") return doable(plan, splicing(plan, made, over.route));
  if (over.kind === "frame" || (over.kind === "wagon" && isTaskPlace(over.place)))
    return doable(plan, addingTask(plan, over.kind === "frame" ? over.fork : over.place, made));
  if (over.kind === "wagon") return doable(plan, adding(plan, made, { behind: over.place }));
  return doable(plan, adding(plan, made, { at: over.berth }));
}

function dropLoad(
  plan: Plan,
  item: { words: string; load: Load },
  { over, gap }: { over: Over; gap: Gap | null },
): Change | string {
  if (over.kind === "wagon") return doable(plan, loading(plan, over.place, item.load, gap?.index));
  if (over.kind === "frame") return doable(plan, loading(plan, over.fork, item.load));
  return `Drop ${item.words} on the wagon or the fork that is to read it.`;
}

function dropMove(
  plan: Plan,
  drawing: Drawing,
  { places, start, at, over }: Extract<Drag, { kind: "move" }>,
): Change | string | null {
  const by = movedBy(start, at);
  if (by.col === 0 && by.row === 0) return null;
  const [first] = places;
  if (first !== undefined && places.length === 1 && isTaskPlace(first))
    return movedTask(plan, drawing, first, at, over);
  const ids = [...new Set(places.map(nodeIdOf))];
  return moving(plan, drawing, ids, by);
}

/** By berths; nothing of it stands left of the first column. */
export function moving(plan: Plan, drawing: Drawing, ids: readonly string[], by: Berth): Change | null {
  const moved = ids.flatMap((id): [string, Berth][] => {
    const stop = drawing.stops.get(id);
    return stop ? [[id, { col: Math.max(1, stop.col + by.col), row: stop.row + by.row }]] : [];
  });
  if (moved.length === 0) return null;
  const label = moved.length === 1 ? `${named(plan, moved[0]?.[0] ?? "")} moved` : `${moved.length} moved`;
  return { label, ops: [{ op: "place", places: Object.fromEntries(moved) }] };
}

/** Within its frame: its place among the tasks. Out of it: it stays where it was, since a task lives in its fork. */
function movedTask(plan: Plan, drawing: Drawing, place: string, at: XY, over: Over): Change | string | null {
  const fork = nodeIdOf(place);
  const node = plan.nodes.find(({ id }) => id === fork);
  const stop = drawing.stops.get(fork);
  if (node?.kind !== "fork" || !stop) return null;
  const isInside =
    (over.kind === "frame" && over.fork === fork) || (over.kind === "wagon" && nodeIdOf(over.place) === fork);
  if (!isInside) return takenOut(plan, place, over.kind === "berth" ? over.berth : berthAt(at));
  const berth = berthAt(at);
  const index = (berth.col - stop.col) * stop.rows + (berth.row - stop.row);
  const to = Math.min(node.tasks.length - 1, Math.max(0, index));
  return { label: `${named(plan, place)} is task ${to + 1}`, ops: [{ op: "move_task", task: place, at: to }] };
}

/** A task becomes a wagon of its own, with what it was given. */
function takenOut(plan: Plan, place: string, at: Berth): Change | string {
  const fork = plan.nodes.find(({ id }) => id === nodeIdOf(place));
  const task = fork?.kind === "fork" ? fork.tasks.find(({ id }) => `${fork.id}.${id}` === place) : undefined;
  if (!task || fork?.kind !== "fork") return "It is no task of a fork.";
  const taken = new Set(plan.nodes.map(({ id }) => id));
  let id = task.id;
  for (let n = 2; taken.has(id); n++) id = `${task.id}-${n}`;
  const wagon = { ...task, kind: "wagon" as const, id, after: [...fork.after], load: [...fork.load, ...task.load] };
  return doable(plan, {
    label: `${named(plan, place)} is a wagon of its own`,
    ops: [
      { op: "remove_node", node: place },
      { op: "add_node", node: wagon },
      { op: "place", places: { [id]: at } },
    ],
    select: [id],
  });
}

/** The change, or why the plan would refuse it. */
function doable(plan: Plan, change: Change): Change | string {
  const done = applyOps(plan, change.ops);
  return "refusal" in done ? done.refusal.message : change;
}

export const boxOf = (drawing: Drawing, place: string): Box | null => {
  const at = drawing.places.get(place);
  if (at) return berthBox(at);
  const stop = drawing.stops.get(place);
  return stop ? drawnFrame(stop) : null;
};
