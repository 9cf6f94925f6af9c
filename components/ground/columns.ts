// Which berths are taken.
import type { Cells } from "@/server/contract/lanes";

export type Columns = ReturnType<typeof createColumns>;

/** Taken rows of each column; finding a free one stays quick however long the column is. */
export function createColumns() {
  const columns = new Map<number, Map<number, number>>();
  const column = (col: number) => {
    let rows = columns.get(col);
    if (!rows) {
      rows = new Map();
      columns.set(col, rows);
    }
    return rows;
  };
  function nextFree(col: number, row: number): number {
    const skip = column(col);
    let end = row;
    for (let next = skip.get(end); next !== undefined; next = skip.get(end)) end = next;
    // The next lookup from here goes straight to the end.
    for (let at = row; at < end; ) {
      const next = skip.get(at) ?? end;
      skip.set(at, end);
      at = next;
    }
    return end;
  }
  return {
    nextFree,
    isTaken: (col: number, row: number) => column(col).has(row),
    take(col: number, row: number) {
      column(col).set(row, row + 1);
    },
    takeAll({ left, right, top, bottom }: Cells) {
      for (let col = left; col <= right; col++) for (let row = top; row <= bottom; row++) column(col).set(row, row + 1);
    },
    /** The lowest taken row of the area; null when all of it is free. */
    blocked({ left, right, top, bottom }: Cells): number | null {
      for (let row = bottom; row >= top; row--)
        for (let col = left; col <= right; col++) if (column(col).has(row)) return row;
      return null;
    },
  };
}
