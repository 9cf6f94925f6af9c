// Finds what lies in a part of the yard without looking at the rest of it.
import type { Box } from "./geometry";

export type Spatial<T> = {
  bounds: Box;
  isEmpty: boolean;
  query: (area: Box) => T[];
};

const CELL = 1024;
/** What spans more cells than this (the trunk of a long run) is looked at every time. */
const CELLS_MAX = 64;

export function createSpatial<T>(items: Iterable<T>, boxOf: (item: T) => Box): Spatial<T> {
  const cells = new Map<string, T[]>();
  const everywhere: T[] = [];
  const boxes = new Map<T, Box>();
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const item of items) {
    const box = boxOf(item);
    boxes.set(item, box);
    x0 = Math.min(x0, box.x);
    y0 = Math.min(y0, box.y);
    x1 = Math.max(x1, box.x + box.w);
    y1 = Math.max(y1, box.y + box.h);
    const keys = cellsOf(box);
    if (keys === null) everywhere.push(item);
    else
      for (const key of keys) {
        const cell = cells.get(key);
        if (cell) cell.push(item);
        else cells.set(key, [item]);
      }
  }
  const bounds = boxes.size === 0 ? { x: 0, y: 0, w: 0, h: 0 } : { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };

  return {
    bounds,
    isEmpty: boxes.size === 0,
    query(area) {
      const keys = cellsOf(area);
      const found = new Set(everywhere);
      if (keys === null) for (const item of boxes.keys()) found.add(item);
      else for (const key of keys) for (const item of cells.get(key) ?? []) found.add(item);
      return [...found].filter((item) => meets(boxes.get(item), area));
    },
  };
}

export const meets = (a: Box | undefined, b: Box): boolean =>
  a !== undefined && a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h;

function cellsOf({ x, y, w, h }: Box): string[] | null {
  const [left, right] = [Math.floor(x / CELL), Math.floor((x + w) / CELL)];
  const [top, bottom] = [Math.floor(y / CELL), Math.floor((y + h) / CELL)];
  if ((right - left + 1) * (bottom - top + 1) > CELLS_MAX) return null;
  const keys: string[] = [];
  for (let col = left; col <= right; col++) for (let row = top; row <= bottom; row++) keys.push(`${col} ${row}`);
  return keys;
}
