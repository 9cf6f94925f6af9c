// What is drawn of the tracks in view: a handful of paths, one for each way a track can look, whatever the number of turns.
import { type Point, track } from "@/components/ui/track";
import type { EdgeFrame, TurnFrame } from "@/server/contract/frame";
import { isEnded } from "@/server/contract/turn";
import { endedWithoutDeliverable, neverReturns } from "../turn-words";
import { type BatchView, isOfPlan, type Lane } from "./batch-view";
import type { Block } from "./block";
import { berthBox, CHAMFER, GATE_W, gateX, joinX, laneBerth, returnBox, trackY } from "./geometry";
import type { Place } from "./plan";
import { beside, type Route } from "./route-tracks";

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
};

/** Past the wagon, to its buffer stop. */
const SIDING = 18;
const STUMP = 9;
/** How far beside the question its answer runs back. */
const ANSWER = 7;

export function drawTracks(view: TracksInView): TrackDrawing {
  const { routes, places, turnOf, edgeOf, blocks = [] } = view;
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
  for (const { points, target } of routes) {
    const turn = turnOf(target);
    const isReserved = turn ? turn.status === "queued" : !folded.has(target);
    const look = isReserved ? "reserved" : edgeOf(target)?.is_inferred ? "inferred" : "travelled";
    drawing[look] += track(points, CHAMFER);
    const end = points.at(-1);
    if (end && !isReserved) drawing.chevrons += chevronAt(end);
    if (turn?.primitive === "ask_expert") drawAnswer(drawing, points, turn);
  }
  for (const place of places) {
    const turn = turnOf(place.id);
    if (!turn || place.col === 0) continue;
    const box = berthBox(place);
    const [end, y] = [box.x + box.w, trackY(place.row)];
    const isReserved = turn.status === "queued";
    const look = isReserved ? "reserved" : turn.status === "running" ? "occupied" : "travelled";
    drawing[look] += `M${box.x} ${y}H${end}`;
    // Where a lane ends is drawn with its frame.
    if (place.block) continue;
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
  return drawing;
}

/** Before the wagon that stands at the point. */
export const chevronAt = ([x, y]: Point): string => `M${x - 13} ${y - 4}l4 4l-4 4`;

/** Where the mark of a question stands: left of the trunk, over the track that leads to the expert. */
export const askMarkAt = (points: readonly Point[]): Point => {
  const [x, y] = points.at(-1) ?? [0, 0];
  return [x - 80, y - 25];
};

const buffer = (x: number, y: number): string => `M${x} ${y - 7}V${y + 7}M${x + 5} ${y - 4}V${y + 4}`;

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
function drawFrame(drawing: TrackDrawing, block: Block, { batchOf, rowOf }: TracksInView): void {
  const view = batchOf?.(block.id);
  if (!view) return;
  const hasJoined = view.batch.status !== "running" && view.batch.status !== "canceled";
  const [into, out, join] = [gateX(block) - GATE_W / 2, gateX(block) + GATE_W / 2, joinX(block)];
  const berth = returnBox(block, rowOf?.(block.parent) ?? block.row);
  const home = berth.y + berth.h;
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
    if (isOfPlan(view)) continue;
    const back: Point[] = [
      [out, y],
      [join, y],
      [join, home],
      [berth.x, home],
    ];
    drawing[hasJoined && look === "travelled" ? "travelled" : "reserved"] += track(
      y === home ? [[out, y] as const, [berth.x, home] as const] : back,
      CHAMFER,
    );
  }
  if (isOfPlan(view)) return;
  drawing[hasJoined ? "travelled" : "reserved"] += `M${berth.x} ${home}H${berth.x + berth.w}`;
  if (hasJoined) drawing.chevrons += chevronAt([berth.x, home]);
}

function laneLook({ turn, status }: Lane): "travelled" | "reserved" | "red" {
  if (turn) return !isEnded(turn.status) ? "reserved" : endedWithoutDeliverable(turn) ? "red" : "travelled";
  return status === "failed" || status === "timeout" || status === "canceled" ? "red" : "reserved";
}
