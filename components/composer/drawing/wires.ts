// Crates stand below the plan, from left to right as what reads them does; a wire runs from each to what loads it, through gaps and
// gutters, never through a wagon or a gate. Pure.
import { type Box, berthBox, columnX, frameBox, gateBox, trackY, WAGON_H } from "@/components/ground/geometry";
import { searchWay } from "@/components/ground/search-way";
import { createSpatial } from "@/components/ground/spatial";
import type { Point } from "@/components/ui/track";
import type { Plan } from "@/server/contract/plan/plan";
import { seatInRows } from "./crate-row";
import { type Drawing, PERSON } from "./drawing";
import { drawnFrame } from "./frame-foot";
import { type Crate, cratesOf } from "./loads";

export type DrawnCrate = Crate & { box: Box };
/** `points` from the crate to under what loads it; `width` of the bracket under the stretch that it is. */
export type Wire = { crate: string; to: string; points: Point[]; width: number };
/** The stretch of a wagon's consist that a crate is, as shares of its width. */
export type Stretch = { from: number; to: number };

/** An input has a short name, a card is known by how it begins. */
const CRATE_W: Record<Crate["kind"], number> = { input: 164, box: 232, card: 256 };
const CRATE_H = 44;
const GAP = 20;
const ROW = CRATE_H + 30;
/** Also below a plan of one wagon. */
const CRATES_ABREAST = 4;
/** A wire leaves a crate this far from its ends. */
const EDGE = 18;
/** From the lowest wagon or frame to the first row of crates. */
const BELOW = 64;
/** How far under the track a wire ends. */
const UNDER = 9;
/** Between a wagon and the trunk on its left, or the gate on its right. */
const BESIDE = 14;
/** The gap under a row, between its track and the wagons of the next. */
const BENEATH = (trackY(1) - WAGON_H) / 2 + 4;

export function cratesAt(plan: Plan, drawing: Drawing): DrawnCrate[] {
  const floor = drawing.bounds.y + drawing.bounds.h + BELOW;
  const left = columnX(1);
  // Three hundred boxes in one row would be many times as wide as the plan.
  const right = Math.max(drawing.bounds.x + drawing.bounds.w, left + CRATES_ABREAST * (CRATE_W.card + GAP));
  const wanted = cratesOf(plan)
    .map((crate) => ({ crate, x: readerX(drawing, crate), w: CRATE_W[crate.kind] }))
    .sort((a, b) => a.x - b.x);
  const seats = seatInRows(wanted, { left, right, gap: GAP });
  return wanted.map(({ crate, w }, i) => {
    const { x, row } = seats[i] ?? { x: left, row: 0 };
    return { ...crate, box: { x, y: floor + row * ROW, w, h: CRATE_H } };
  });
}

/** Left of what reads it first; beneath the middle of a frame, since its tasks are wired from the left. */
function readerX(drawing: Drawing, { readers }: Crate): number {
  const reader = drawing.places.get(readers[0] ?? "");
  if (reader) return berthBox(reader).x;
  const stop = drawing.stops.get(readers[0] ?? "");
  if (!stop) return columnX(1);
  const { x, w } = frameBox(stop);
  return x + w / 2;
}

/**
 * `shown` picks whose wires are drawn; the others are not looked for. `seat` is the stretch of the consist that a wire ends under;
 * null = not known yet.
 */
export function wiresOf(
  drawing: Drawing,
  crates: readonly DrawnCrate[],
  shown: (crate: DrawnCrate, reader: string) => boolean,
  seat: (crate: DrawnCrate, reader: string) => Stretch | null = () => null,
): Wire[] {
  const drawn = crates.flatMap((crate) =>
    crate.readers.filter((reader) => shown(crate, reader)).map((reader) => ({ crate, reader })),
  );
  // Of a large plan only those of the selection are drawn: mostly none.
  if (drawn.length === 0) return [];
  const obstacles = [
    ...[...drawing.places.values()].filter(({ id }) => id !== PERSON).map((place) => berthBox(place)),
    ...[...drawing.stops.values()].filter(({ kind }) => kind === "fork").map(gateBox),
    ...crates.map(({ box }) => box),
  ];
  const spatial = createSpatial(obstacles, (box) => box);
  const columns = new Set<number>();
  const rows = new Set<number>();
  for (const place of drawing.places.values()) {
    const { x, w } = berthBox(place);
    columns.add(x - BESIDE);
    columns.add(x + w + BESIDE);
    rows.add(trackY(place.row) + BENEATH);
  }
  const floors = new Set(crates.map(({ box }) => box.y - 16));
  const isOpen = (a: Point, b: Point): boolean =>
    spatial.every(
      {
        x: Math.min(a[0], b[0]) - 2,
        y: Math.min(a[1], b[1]) - 2,
        w: Math.abs(a[0] - b[0]) + 4,
        h: Math.abs(a[1] - b[1]) + 4,
      },
      () => false,
    );
  const seats = new Map<string, number>();
  return drawn.flatMap(({ crate, reader }): Wire[] => {
    const rank = seats.get(reader) ?? 0;
    seats.set(reader, rank + 1);
    const found = endOf(drawing, reader, rank, seat(crate, reader));
    if (!found) return [];
    const { end, width } = found;
    const { x, y, w } = crate.box;
    // Straight up where it can be; from one end of the crate to what stands further away.
    const start: Point = [Math.min(x + w - EDGE, Math.max(x + EDGE, end[0])), y - 4];
    const way =
      shortWay(start, end, [...columns], isOpen) ??
      searchWay([start], [end], {
        xs: [start[0], end[0], ...columns],
        ys: [...rows, ...floors],
        isOpen,
      }) ??
      ([start, [start[0], end[1]], end] as Point[]);
    return [{ crate: crate.id, to: reader, points: way, width }];
  });
}

/**
 * Out of the row of crates, along under the plan, up one gutter, and along to under its reader: nearly every wire can run so, and the
 * search of all ways takes a hundred times as long.
 */
function shortWay(
  start: Point,
  end: Point,
  columns: number[],
  isOpen: (a: Point, b: Point) => boolean,
): Point[] | null {
  const floor = start[1] - ABOVE;
  if (!isOpen(start, [start[0], floor])) return null;
  const near = columns.sort((a, b) => Math.abs(a - end[0]) - Math.abs(b - end[0])).slice(0, GUTTERS_MAX);
  for (const x of [end[0], ...near]) {
    if (!isOpen([x, floor], [x, end[1]])) continue;
    if (isOpen([start[0], floor], [x, floor]) && isOpen([x, end[1]], end))
      return [start, [start[0], floor], [x, floor], [x, end[1]], end];
  }
  return null;
}

const ABOVE = 12;
const GUTTERS_MAX = 12;

const BRACKET = 14;
/** What is thinner cannot be seen. */
const BRACKET_MIN = 4;

/** Under the very stretch that is loaded; where it is not known, under the front, one beside the other; of a frame at its lower edge. */
function endOf(
  drawing: Drawing,
  reader: string,
  rank: number,
  stretch: Stretch | null,
): { end: Point; width: number } | null {
  const place = drawing.places.get(reader);
  if (place) {
    const box = berthBox(place);
    const under = box.y + box.h + UNDER;
    if (!stretch) return { end: [box.x + 24 + (rank % 12) * 16, under], width: BRACKET };
    const width = Math.max(BRACKET_MIN, (stretch.to - stretch.from) * box.w);
    const middle = box.x + ((stretch.from + stretch.to) / 2) * box.w;
    return {
      end: [Math.round(Math.min(box.x + box.w - width / 2, Math.max(box.x + width / 2, middle))), under],
      width,
    };
  }
  const stop = drawing.stops.get(reader);
  if (!stop) return null;
  const box = drawnFrame(stop);
  return { end: [box.x + box.w / 2 + 24 + (rank % 12) * 16, box.y + box.h + 2], width: BRACKET };
}
