// The shape of a batch on the yard's grid: its lanes in rows below each other, and the cells that nothing else may stand in. One
// definition for the yard, which draws batches, and for the kernel, which lays out plans before there are any.

/** More lanes than this stand in several columns: 64 in one could only be read at 11 %. */
const LANE_ROWS = 12;
/** A column is this many times as wide as a row is high, over the shape of a screen. */
const COLUMN_OVER_ROW = 328 / 82 / 1.5;

export function blockShape(lanes: number, isFolded: boolean): { rows: number; cols: number } {
  if (isFolded || lanes <= 1) return { rows: 1, cols: 1 };
  const rows = lanes <= LANE_ROWS ? lanes : Math.max(LANE_ROWS, Math.ceil(Math.sqrt(lanes * COLUMN_OVER_ROW)));
  return { rows, cols: Math.ceil(lanes / rows) };
}

/** Columns and rows, both ends included. */
export type Cells = { left: number; right: number; top: number; bottom: number };
export type LaneShape = { col: number; row: number; rows: number; cols: number; is_folded: boolean };

/** Lanes and gate column, a row for the head, a row for the foot. `col` and `row` are those of the first lane. */
export function blockCells({ col, row, rows, cols, is_folded }: LaneShape): Cells {
  if (is_folded) return { left: col, right: col, top: row, bottom: row };
  return { left: col, right: col + cols, top: row - 1, bottom: row + rows };
}

/** The row in which its track goes straight through, from the first lane's on. */
export const middleLane = (rows: number): number => Math.floor((rows - 1) / 2);
