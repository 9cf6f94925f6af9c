// The far picture: a block a turn and a thin line a track, painted once and then only moved. With a node in the document
// for each turn, zooming out over 5,000 turns took longer than a second.
import { type Box, berthBox, frameBox, gateBox, laneBerth } from "@/components/ground/geometry";
import type { Size, View } from "@/components/ground/viewport";
import type { TurnFrame } from "@/server/contract/frame";
import type { BatchViews } from "../plan/batch-view";
import type { FoldViews } from "../plan/fold-view";
import type { Topology } from "../plan/yard-model";
import type { Paint } from "./use-paint";

export type OverviewInput = {
  topology: Topology;
  turnOf: (id: string) => TurnFrame | undefined;
  batches: BatchViews;
  folds: FoldViews;
  matches: ReadonlySet<string> | null;
  selectedId: string | null;
};

/** Half a screen on every side is painted too: panning within it costs no more than moving a picture. */
const OVERSCAN = 0.5;

export type Painted = { view: View; size: Size };

/** Paints, and answers for which view; `moveOverview` carries the picture on from there. */
export function paintOverview(
  canvas: HTMLCanvasElement,
  input: OverviewInput,
  view: View,
  size: Size,
  paint: Paint,
): Painted {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const [margin, top] = [size.width * OVERSCAN, size.height * OVERSCAN];
  const [width, height] = [size.width + 2 * margin, size.height + 2 * top];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser has no 2d canvas.");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const { zoom } = view;
  const toScreen = (x: number, y: number): [number, number] => [x * zoom + view.x + margin, y * zoom + view.y + top];
  const area: Box = {
    x: (-view.x - margin) / zoom,
    y: (-view.y - top) / zoom,
    w: width / zoom,
    h: height / zoom,
  };
  paintTracks(context, input.topology, area, toScreen, paint);
  paintBatches(context, input, area, { zoom, toScreen, paint });
  for (const place of input.topology.wagons.query(area)) {
    if (place.is_ghost) paintGhost(context, berthBox(place), place.id === input.selectedId, { zoom, toScreen, paint });
    const turn = input.turnOf(place.id);
    if (turn) paintBlock(context, turn, berthBox(place), { zoom, toScreen, paint, ...input });
  }
  context.globalAlpha = 1;
  moveOverview(canvas, { view, size }, view);
  return { view, size };
}

/** Moves what is painted to another view; false when it no longer covers the screen or has become coarse. */
export function moveOverview(canvas: HTMLCanvasElement, painted: Painted, view: View): boolean {
  const scale = view.zoom / painted.view.zoom;
  const { width, height } = painted.size;
  const [margin, top] = [width * OVERSCAN, height * OVERSCAN];
  const x = view.x - (painted.view.x + margin) * scale;
  const y = view.y - (painted.view.y + top) * scale;
  canvas.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  const isCovered =
    x <= 0 && y <= 0 && x + (width + 2 * margin) * scale >= width && y + (height + 2 * top) * scale >= height;
  return isCovered && scale > 0.75 && scale < 1.5;
}

type ToScreen = (x: number, y: number) => [number, number];

function paintTracks(
  context: CanvasRenderingContext2D,
  topology: Topology,
  area: Box,
  toScreen: ToScreen,
  paint: Paint,
) {
  context.strokeStyle = paint.rail;
  context.lineWidth = 1;
  context.globalAlpha = 0.7;
  context.beginPath();
  for (const { points } of topology.tracks.query(area))
    for (const [i, [x, y]] of points.entries()) {
      const [sx, sy] = toScreen(x, y);
      if (i === 0) context.moveTo(sx, sy);
      else context.lineTo(sx, sy);
    }
  context.stroke();
}

/** Frames and gates as outlines, tasks without a turn as hollow blocks, a folded batch as one block in its own colour. */
function paintBatches(
  context: CanvasRenderingContext2D,
  { topology, batches, folds, matches, selectedId }: OverviewInput,
  area: Box,
  { zoom, toScreen, paint }: Pick<BlockInput, "zoom" | "toScreen" | "paint">,
): void {
  const outline = (box: Box) => {
    const [x, y] = toScreen(box.x, box.y);
    context.strokeRect(x, y, box.w * zoom, box.h * zoom);
  };
  context.lineWidth = 1;
  context.strokeStyle = paint.rail;
  for (const fork of topology.drawnForks.query(area)) {
    outline(frameBox(fork));
    outline(gateBox(fork));
  }
  for (const block of topology.frames.query(area)) {
    const fold = folds.get(block.id);
    if (fold && block.is_folded) {
      const own = berthBox(block);
      const [x, y] = toScreen(own.x, own.y);
      const isHolding = topology.held.get(selectedId ?? "") === block.id || selectedId === block.id;
      context.globalAlpha = matches !== null && !fold.turns.some((turn) => matches.has(turn.agent_turn_id)) ? 0.22 : 1;
      context.fillStyle = isHolding ? paint.lamp : paint.status[fold.worst];
      context.fillRect(x, y + own.h * zoom * 0.2, Math.max(2, own.w * zoom - 4), Math.max(2, own.h * zoom * 0.8));
      context.globalAlpha = 1;
      continue;
    }
    const view = batches.get(block.id);
    if (!view) continue;
    context.strokeStyle = paint.rail;
    outline(frameBox(block));
    const gate = gateBox(block);
    const [x, y] = toScreen(gate.x, gate.y);
    context.fillStyle = view.batch.status === "running" ? paint.rail : paint.status[view.batch.status];
    context.fillRect(x, y, Math.max(1.5, gate.w * zoom), gate.h * zoom);
    for (const lane of view.lanes) {
      if (lane.turn) continue;
      const box = berthBox(laneBerth(block, lane.index));
      outline({ ...box, y: box.y + box.h / 2, h: box.h / 2 });
    }
  }
}

/** What a plan has not started: hollow, on its track. */
function paintGhost(
  context: CanvasRenderingContext2D,
  box: Box,
  isSelected: boolean,
  { zoom, toScreen, paint }: Pick<BlockInput, "zoom" | "toScreen" | "paint">,
): void {
  const [x, bottom] = toScreen(box.x, box.y + box.h);
  const height = Math.max(2, Math.min(9, box.h * zoom * 0.5));
  context.lineWidth = 1;
  context.strokeStyle = isSelected ? paint.lamp : paint.rail;
  context.strokeRect(x, bottom - height, Math.max(2, box.w * zoom - 4), height);
}

type BlockInput = {
  zoom: number;
  toScreen: ToScreen;
  paint: Paint;
  matches: ReadonlySet<string> | null;
  selectedId: string | null;
};

/** A little shorter than the wagon, standing on its track; a failed one is crossed out, so that hue is not alone. */
function paintBlock(
  context: CanvasRenderingContext2D,
  turn: TurnFrame,
  box: Box,
  { zoom, toScreen, paint, matches, selectedId }: BlockInput,
): void {
  const isSelected = turn.agent_turn_id === selectedId;
  context.globalAlpha = matches !== null && !matches.has(turn.agent_turn_id) ? 0.22 : 1;
  if (turn.is_human) {
    const [x, y] = toScreen(box.x + box.w / 2, box.y + box.h / 2);
    context.fillStyle = paint.ink;
    context.beginPath();
    context.arc(x, y, Math.max(1.5, (box.w / 2) * zoom), 0, 2 * Math.PI);
    context.fill();
    return;
  }
  const [x, bottom] = toScreen(box.x, box.y + box.h);
  const width = Math.max(2, box.w * zoom - 4);
  const height = Math.max(1.25, Math.min(9, box.h * zoom * 0.5));
  context.fillStyle = isSelected ? paint.lamp : paint.status[turn.status];
  context.fillRect(x, bottom - height, width, height);
  if (turn.mark) {
    context.fillStyle = paint.warn;
    context.fillRect(x, bottom - height - 4, Math.max(3, width * 0.3), 2.5);
  }
  if (height < 5 || (turn.status !== "failed" && turn.status !== "timeout")) return;
  const [cx, cy, arm] = [x + width / 2, bottom - height / 2, height * 0.32];
  context.strokeStyle = paint.yard;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(cx - arm, cy - arm);
  context.lineTo(cx + arm, cy + arm);
  context.moveTo(cx + arm, cy - arm);
  context.lineTo(cx - arm, cy + arm);
  context.stroke();
}
