// The place of a batch: its lanes, reserved as one when it says how many tasks it has, so that nothing moves when they come.
import type { Lanes } from "./geometry";

export type Block = Lanes & {
  /** The batch. */
  id: string;
  /** The turn that forked. */
  parent: string;
  /** A folded batch is one wagon without frame and gate; what it holds is not drawn. */
  is_folded: boolean;
  /** Turns by task index; a hole where a task has no turn. */
  turns: (string | undefined)[];
};

/** More lanes than this stand in several columns: 64 in one could only be read at 11 %. */
const LANE_ROWS = 12;
/** A column is this many times as wide as a row is high, over the shape of a screen. */
const COLUMN_OVER_ROW = 328 / 82 / 1.5;

export function blockShape(lanes: number, isFolded: boolean): { rows: number; cols: number } {
  if (isFolded || lanes <= 1) return { rows: 1, cols: 1 };
  const rows = lanes <= LANE_ROWS ? lanes : Math.max(LANE_ROWS, Math.ceil(Math.sqrt(lanes * COLUMN_OVER_ROW)));
  return { rows, cols: Math.ceil(lanes / rows) };
}

/** The cells that nothing else may stand in: lanes and gate column, a row for the head, a row for the foot. */
export function blockCells({ col, row, rows, cols, is_folded }: Omit<Block, "turns" | "id" | "parent" | "lanes">): {
  left: number;
  right: number;
  top: number;
  bottom: number;
} {
  if (is_folded) return { left: col, right: col, top: row, bottom: row };
  return { left: col, right: col + cols, top: row - 1, bottom: row + rows };
}

/** Where the children of a turn begin: behind the gate for what stands in a lane, or stood there. */
export function childColumn({ col, block, left }: { col: number; block: Block | null; left: Block | null }): number {
  const batch = block ?? left;
  return batch ? batch.col + batch.cols + 1 : col + 1;
}
