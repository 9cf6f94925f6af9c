// Finds what lies in a part of the yard without looking at the rest of it.
import type { Box } from "./geometry";

export type Spatial<T> = {
  bounds: Box;
  isEmpty: boolean;
  query: (area: Box) => T[];
  /** Whether all that lies there is so; the first that is not ends the search. */
  every: (area: Box, isSo: (item: T) => boolean) => boolean;
};

const CELL = 1024;
/** What spans more cells than this (the trunk of a long run) is looked at every time. */
const CELLS_MAX = 64;

/** `seen` is the number of the query that met it last, so that what lies in two cells is answered once. */
type Entry<T> = { item: T; box: Box; seen: number };

export function createSpatial<T>(items: Iterable<T>, boxOf: (item: T) => Box): Spatial<T> {
  const cells = new Map<number, Entry<T>[]>();
  const all: Entry<T>[] = [];
  const everywhere: Entry<T>[] = [];
  let queries = 0;
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const item of items) {
    const box = boxOf(item);
    const entry: Entry<T> = { item, box, seen: 0 };
    all.push(entry);
    x0 = Math.min(x0, box.x);
    y0 = Math.min(y0, box.y);
    x1 = Math.max(x1, box.x + box.w);
    y1 = Math.max(y1, box.y + box.h);
    const span = spanOf(box);
    if (span === null) everywhere.push(entry);
    else
      for (let col = span.left; col <= span.right; col++)
        for (let row = span.top; row <= span.bottom; row++) {
          const cell = cells.get(keyOf(col, row));
          if (cell) cell.push(entry);
          else cells.set(keyOf(col, row), [entry]);
        }
  }

  /** Visits what meets the area until the visitor answers false; false = it did. */
  function visit(area: Box, visitor: (item: T) => boolean): boolean {
    const query = ++queries;
    const look = (entries: readonly Entry<T>[]): boolean => {
      for (const entry of entries) {
        if (entry.seen === query || !meets(entry.box, area)) continue;
        entry.seen = query;
        if (!visitor(entry.item)) return false;
      }
      return true;
    };
    const span = spanOf(area);
    if (span === null) return look(all);
    if (!look(everywhere)) return false;
    for (let col = span.left; col <= span.right; col++)
      for (let row = span.top; row <= span.bottom; row++) {
        const cell = cells.get(keyOf(col, row));
        if (cell && !look(cell)) return false;
      }
    return true;
  }

  return {
    bounds: all.length === 0 ? { x: 0, y: 0, w: 0, h: 0 } : { x: x0, y: y0, w: x1 - x0, h: y1 - y0 },
    isEmpty: all.length === 0,
    every: visit,
    query(area) {
      const found: T[] = [];
      visit(area, (item) => found.push(item) > 0);
      return found;
    },
  };
}

export const meets = (a: Box | undefined, b: Box): boolean =>
  a !== undefined && a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h;

/** A number for each cell: rows and columns of a yard are far fewer. */
const keyOf = (col: number, row: number): number => col * 2 ** 24 + row;

function spanOf({ x, y, w, h }: Box) {
  const [left, right] = [Math.floor(x / CELL), Math.floor((x + w) / CELL)];
  const [top, bottom] = [Math.floor(y / CELL), Math.floor((y + h) / CELL)];
  return (right - left + 1) * (bottom - top + 1) > CELLS_MAX ? null : { left, right, top, bottom };
}
