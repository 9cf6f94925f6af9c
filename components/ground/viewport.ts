// Zoom, and what is drawn at which zoom. Layout never changes with it.
import type { Box } from "./geometry";

export type View = { x: number; y: number; zoom: number };
/** `top`: where what floats above the tracks ends, if it was measured. */
export type Size = { width: number; height: number; top?: number };
/** `steady`: all of it still, at a size that no longer shrinks. */
export type Detail = "full" | "steady" | "chip" | "block";

export const ZOOM_MIN = 0.02;
export const ZOOM_MAX = 2;
/** From here on two lines of text at their own size fit into what the zoom has left of a wagon. */
export const STEADY_FROM = 0.6;
const BLOCK_BELOW = 0.35;
/** Under this a first look would show blocks without names. */
const READABLE = 0.5;
/** Three columns at life size, with the buffer stop behind the last, just fit the canvas of a screen 1440 wide. */
const MARGIN = 20;
/** Where the figures end that float above. They take a second line for alarms, so the yard measures them. */
const FIGURES_END = 42;
/** Between the figures and the first track; under the last track nothing stands. */
const insets = { top: 12, bottom: 18 };

export function detailAt(zoom: number): Detail {
  // The buttons land on round numbers; floating point must not push 0.9 under its own line.
  const z = zoom + 1e-6;
  return z >= 0.9 ? "full" : z >= STEADY_FROM ? "steady" : z >= BLOCK_BELOW ? "chip" : "block";
}

/** The whole of it in the middle, never larger than life. */
export function fitted(bounds: Box, size: Size): View {
  const width = Math.max(1, size.width - 2 * MARGIN);
  const top = topOf(size);
  const height = Math.max(1, size.height - top - insets.bottom);
  const zoom = clamp(Math.min(width / Math.max(1, bounds.w), height / Math.max(1, bounds.h), 1));
  return {
    zoom,
    x: size.width / 2 - (bounds.x + bounds.w / 2) * zoom,
    y: top + (size.height - top - insets.bottom) / 2 - (bounds.y + bounds.h / 2) * zoom,
  };
}

/** From the upper left, so that what is still to come has room to the right and below without moving what is there. */
export function growing(bounds: Box, size: Size): View {
  const { zoom } = fitted(bounds, size);
  return { zoom, x: MARGIN - bounds.x * zoom, y: topOf(size) - bounds.y * zoom };
}

/** The whole of it if it can be read so; else its newest or its first part at a size that can. */
export function firstView(bounds: Box, size: Size, end: "first" | "newest"): View {
  const whole = fitted(bounds, size);
  if (whole.zoom >= BLOCK_BELOW) return whole;
  const zoom = READABLE;
  const x = MARGIN - bounds.x * zoom;
  if (end === "first") return { zoom, x, y: topOf(size) + 30 - bounds.y * zoom };
  return { zoom, x, y: size.height - MARGIN - (bounds.y + bounds.h) * zoom };
}

/** Under figures that now end further down: where the first track was in sight, it stays so. */
export function lowered(view: View, bounds: Box, before: number, after: number): View {
  const first = bounds.y * view.zoom + view.y;
  return first >= before && first < after ? { ...view, y: view.y + after - before } : view;
}

/** In the middle, close enough to read. */
export function focused(box: Box, size: Size, zoom: number): View {
  const near = Math.max(zoom, 0.9);
  return {
    zoom: near,
    x: size.width / 2 - (box.x + box.w / 2) * near,
    y: size.height / 2 - (box.y + box.h / 2) * near,
  };
}

/** So much of the screen stays free around what is brought into view. */
const REVEAL = 64;

/** Moved as little as brings it into view with some room around it; into the middle if it is a screen away. */
export function revealed(box: Box, size: Size, view: View): View {
  const x = stepInto(box.x * view.zoom + view.x, box.w * view.zoom, size.width);
  const y = stepInto(box.y * view.zoom + view.y, box.h * view.zoom, size.height);
  return x === 0 && y === 0 ? view : { ...view, x: view.x + x, y: view.y + y };
}

function stepInto(from: number, length: number, room: number): number {
  const to = from + length;
  if (from >= 0 && to <= room) return 0;
  if (to < -room || from > 2 * room || length + 2 * REVEAL > room) return room / 2 - (from + to) / 2;
  return from < 0 ? REVEAL - from : room - REVEAL - to;
}

/** All of it on the screen, no larger than it is; the same view if it is there, or could only be shown as blocks without names. */
export function withAll(box: Box, size: Size, view: View): View {
  if (holds(freeBox(view, size), box)) return view;
  const whole = fitted(box, size);
  if (whole.zoom < BLOCK_BELOW) return view;
  if (whole.zoom <= view.zoom) return whole;
  const { zoom } = view;
  const middle = topOf(size) + (size.height - topOf(size) - insets.bottom) / 2;
  return { zoom, x: size.width / 2 - (box.x + box.w / 2) * zoom, y: middle - (box.y + box.h / 2) * zoom };
}

/** Zooms around the middle of the screen. */
export function zoomed(view: View, size: Size, zoom: number): View {
  const next = clamp(zoom);
  const [cx, cy] = [size.width / 2, size.height / 2];
  const ratio = next / view.zoom;
  return { zoom: next, x: cx - (cx - view.x) * ratio, y: cy - (cy - view.y) * ratio };
}

/** The part of the yard that is on the screen. */
export const seenBox = ({ x, y, zoom }: View, { width, height }: Size): Box => ({
  x: -x / zoom,
  y: -y / zoom,
  w: width / zoom,
  h: height / zoom,
});

/** What is on the screen and not behind the figures. */
export function freeBox(view: View, size: Size): Box {
  const seen = seenBox(view, size);
  const hidden = (size.top ?? 0) / view.zoom;
  return { ...seen, y: seen.y + hidden, h: seen.h - hidden };
}

/** Slightly more than is visible, in steps of so many pixels: panning within a step redraws nothing. */
export function drawnBox(view: View, size: Size, pixels = 256): Box {
  const step = pixels / 2 ** Math.floor(Math.log2(view.zoom));
  const seen = seenBox(view, size);
  const x = Math.floor(seen.x / step - 0.5) * step;
  const y = Math.floor(seen.y / step - 0.5) * step;
  return {
    x,
    y,
    w: Math.ceil((seen.x + seen.w - x) / step + 0.5) * step,
    h: Math.ceil((seen.y + seen.h - y) / step + 0.5) * step,
  };
}

export const holds = (seen: Box, bounds: Box): boolean =>
  seen.x <= bounds.x &&
  seen.y <= bounds.y &&
  seen.x + seen.w >= bounds.x + bounds.w &&
  seen.y + seen.h >= bounds.y + bounds.h;

const topOf = ({ top = FIGURES_END }: Size): number => top + insets.top;

const clamp = (zoom: number): number => Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom));
