// What is drawn of the tracks in view: a handful of paths, one for each way a track can look, whatever the number of turns.
import type { Block } from "@/components/ground/block";
import {
  berthBox,
  CHAMFER,
  frameEnd,
  GATE_W,
  gateX,
  joinX,
  type Lanes,
  laneBerth,
  returnBox,
  trackY,
} from "@/components/ground/geometry";
import type { Place } from "@/components/ground/plan";
import { beside, type Route } from "@/components/ground/route-tracks";
import type { SeatedStop } from "@/components/ground/seat-stops";
import { buffer, chevronAt } from "@/components/ground/signs";
import { type Point, track } from "@/components/ui/track";
import type { EdgeFrame, PlanNodeFrame, TurnFrame } from "@/server/contract/frame";
import { middleLane } from "@/server/contract/lanes";
import { isEnded } from "@/server/contract/turn";
import { endedWithoutDeliverable, neverReturns } from "../turn-words";
import { type BatchView, isOfPlan, type Lane } from "./batch-view";
import { hasBegun } from "./plan-steps";

export type TrackDrawing = {
  /** A box was delivered along it. */
  travelled: string;
  /** Known, not travelled yet. */
  reserved: string;
  /** A turn is running on it. */
  occupied: string;
  /** Read out of an import, not declared. */
  inferred: string;
  chevrons: string;
  /** Never returns to the caller. */
  buffers: string;
  /** The same, not reached yet. */
  reservedBuffers: string;
  /** Ended without a deliverable. */
  redBuffers: string;
};

export type TracksInView = {
  routes: readonly Route[];
  places: readonly Place[];
  turnOf: (id: string) => TurnFrame | undefined;
  edgeOf: (target: string) => EdgeFrame | undefined;
  blocks?: readonly Block[];
  batchOf?: (batchId: string) => BatchView | undefined;
  /** The row a turn stands in. */
  rowOf?: (id: string) => number | undefined;
  /** Nodes of plans, and how they stand. */
  stops?: ReadonlyMap<string, SeatedStop>;
  nodeOf?: (stopId: string) => PlanNodeFrame | undefined;
  /** Forks of plans that have not begun. */
  drawnForks?: readonly SeatedStop[];
};

/** Past the wagon, to its buffer stop. */
const SIDING = 18;
const STUMP = 9;
/** How far beside the question its answer runs back. */
const ANSWER = 7;

export function drawTracks(view: TracksInView): TrackDrawing {
  const { routes, places, turnOf, edgeOf, blocks = [], stops = new Map(), nodeOf, drawnForks = [] } = view;
  const drawing = {
    travelled: "",
    reserved: "",
    occupied: "",
    inferred: "",
    chevrons: "",
    buffers: "",
    reservedBuffers: "",
    redBuffers: "",
  };
  const folded = new Set(blocks.filter((block) => block.is_folded).map((block) => block.id));
  for (const { points, target, stop } of routes) {
    const turn = turnOf(target);
    const isReserved =
      stop !== undefined && !hasBegun(nodeOf?.(stop))
        ? true
        : turn
          ? turn.status === "queued"
          : stop === undefined && !folded.has(target);
    const look = isReserved ? "reserved" : edgeOf(target)?.is_inferred ? "inferred" : "travelled";
    drawing[look] += track(points, CHAMFER);
    const end = points.at(-1);
    if (end && !isReserved) drawing.chevrons += chevronAt(end);
    if (stop === undefined && turn?.primitive === "ask_expert") drawAnswer(drawing, points, turn);
  }
  for (const place of places) {
    const turn = turnOf(place.id);
    if ((!turn && !place.is_ghost) || place.col === 0) continue;
    const box = berthBox(place);
    const [end, y] = [box.x + box.w, trackY(place.row)];
    const stop = stops.get(place.stop ?? "");
    const isReserved = turn ? turn.status === "queued" : !hasBegun(nodeOf?.(stop?.id ?? ""));
    const look = isReserved ? "reserved" : turn?.status === "running" ? "occupied" : "travelled";
    drawing[look] += `M${box.x} ${y}H${end}`;
    // Where a lane ends is drawn with its frame.
    if (place.block || (place.is_ghost && stop?.kind === "fork")) continue;
    if (!turn) {
      if (stop?.is_followed) continue;
      drawing[look] += `M${end} ${y}H${end + SIDING}`;
      drawing[isReserved ? "reservedBuffers" : "buffers"] += buffer(end + SIDING + 2, y);
      continue;
    }
    if (stop?.is_followed && place.slot !== undefined && !endedWithoutDeliverable(turn)) continue;
    if (endedWithoutDeliverable(turn)) {
      drawing.travelled += `M${end} ${y}H${end + STUMP}`;
      drawing.redBuffers += buffer(end + STUMP, y);
    } else if (place.children.length === 0 && neverReturns(turn)) {
      const hasEnded = isEnded(turn.status);
      drawing[hasEnded ? "travelled" : "reserved"] += `M${end} ${y}H${end + SIDING}`;
      drawing[hasEnded ? "buffers" : "reservedBuffers"] += buffer(end + SIDING + 2, y);
    }
  }
  for (const block of blocks) if (!block.is_folded) drawFrame(drawing, block, view);
  for (const fork of drawnForks) drawDrawnFork(drawing, fork);
  return drawing;
}

/** Where the mark of a question stands: left of the trunk, over the track that leads to the expert. */
export const askMarkAt = (points: readonly Point[]): Point => {
  const [x, y] = points.at(-1) ?? [0, 0];
  return [x - 80, y - 25];
};

/** Two ways: the answer comes back beside the question. */
function drawAnswer(drawing: TrackDrawing, points: readonly Point[], turn: TurnFrame): void {
  if (endedWithoutDeliverable(turn)) return;
  const back = beside(points, ANSWER);
  const hasAnswered = isEnded(turn.status);
  drawing[hasAnswered ? "travelled" : "reserved"] += track(back, CHAMFER);
  const [x, y] = back[0] ?? [0, 0];
  if (hasAnswered) drawing.chevrons += `M${x + 10} ${y - 4}l-4 4l4 4`;
}

/** From the lanes into the gate, and from the gate back to where the caller goes on. */
function drawFrame(drawing: TrackDrawing, block: Block, { batchOf, rowOf, stops }: TracksInView): void {
  const view = batchOf?.(block.id);
  if (!view) return;
  const hasJoined = view.batch.status !== "running" && view.batch.status !== "canceled";
  const [into, out, join] = [gateX(block) - GATE_W / 2, gateX(block) + GATE_W / 2, joinX(block)];
  const goal = goalOf(block, rowOf);
  const home = goal[1];
  for (const lane of view.lanes) {
    const { col, row } = laneBerth(block, lane.index);
    const box = berthBox({ col, row });
    const [end, y] = [box.x + box.w, trackY(row)];
    if (!lane.turn) drawing.reserved += `M${box.x} ${y}H${end}`;
    const isLast = lane.index + block.rows >= block.lanes;
    const look = laneLook(lane);
    // Further wagons of the same lane are reached by the track that leads to them.
    if (!isLast) continue;
    if (look === "red") {
      drawing.travelled += `M${end} ${y}H${end + STUMP}`;
      drawing.redBuffers += buffer(end + STUMP, y);
    } else drawing[look] += `M${end} ${y}H${into}`;
    if (look === "travelled" && into - end >= 20 && col === block.col + block.cols - 1)
      drawing.chevrons += chevronAt([into + 3, y]);
    // Of a plan that is not drawn nothing is known of what follows.
    if (isOfPlan(view) && block.stop === undefined) continue;
    drawing[hasJoined && look === "travelled" ? "travelled" : "reserved"] += joined([out, y], join, goal);
  }
  if (block.stop !== undefined) drawEnd(drawing, block.stop, goal, hasJoined, stops);
  if (isOfPlan(view)) return;
  const { x, w } = returnBox(block, rowOf?.(block.parent) ?? block.row);
  drawing[hasJoined ? "travelled" : "reserved"] += `M${x} ${home}H${x + w}`;
  if (hasJoined) drawing.chevrons += chevronAt(goal);
}

/** Where the joined track leads: to the caller's place behind the frame, and in a plan out of the frame. */
function goalOf(block: Block, rowOf: TracksInView["rowOf"]): Point {
  if (block.stop !== undefined) return [frameEnd(block), trackY(block.row + middleLane(block.rows))];
  const berth = returnBox(block, rowOf?.(block.parent) ?? block.row);
  return [berth.x, berth.y + berth.h];
}

const joined = (from: Point, join: number, to: Point): string =>
  track(from[1] === to[1] ? [from, to] : [from, [join, from[1]], [join, to[1]], to], CHAMFER);

/** Lanes, gate and the way on of a fork that is drawn and has not begun. */
function drawDrawnFork(drawing: TrackDrawing, fork: SeatedStop): void {
  const [into, out, join] = [gateX(fork) - GATE_W / 2, gateX(fork) + GATE_W / 2, joinX(fork)];
  const goal: Point = [frameEnd(fork), trackY(fork.row + middleLane(fork.rows))];
  for (let lane = 0; lane < fork.lanes; lane++) {
    if (lane + fork.rows < fork.lanes) continue;
    const end = lanesEndOf(fork, lane);
    drawing.reserved += `M${end[0]} ${end[1]}H${into}${joined([out, end[1]], join, goal)}`;
  }
  if (!fork.is_followed) drawing.reservedBuffers += buffer(goal[0] + 2, goal[1]);
}

function lanesEndOf(lanes: Lanes, lane: number): Point {
  const { x, w } = berthBox(laneBerth(lanes, lane));
  return [x + w, trackY(laneBerth(lanes, lane).row)];
}

/** The last fork of a plan: nothing follows its gate. */
function drawEnd(
  drawing: TrackDrawing,
  stopId: string,
  [x, y]: Point,
  hasJoined: boolean,
  stops: TracksInView["stops"],
): void {
  if (stops?.get(stopId)?.is_followed !== false) return;
  drawing[hasJoined ? "buffers" : "reservedBuffers"] += buffer(x + 2, y);
}

function laneLook({ turn, status }: Lane): "travelled" | "reserved" | "red" {
  if (turn) return !isEnded(turn.status) ? "reserved" : endedWithoutDeliverable(turn) ? "red" : "travelled";
  return status === "failed" || status === "timeout" || status === "canceled" ? "red" : "reserved";
}
