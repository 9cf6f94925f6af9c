// Where each turn stands. Turns are placed one after the other, each from what stands already, and a placed turn never
// moves: the picture a person has learned stays true while a run grows, and two windows that saw the same turns agree.
import type { Berth } from "./geometry";

export type Placing = {
  id: string;
  /** Who called it; null for the first turn of a run. A caller that is not placed counts as none. */
  parent: string | null;
  is_human: boolean;
  /** Follows its caller without having been delegated by it: a conversation read out of an import. */
  is_inferred: boolean;
};

export type Place = Berth & {
  id: string;
  parent: string | null;
  children: string[];
  is_inferred: boolean;
  /** Lowest row and last column of everything that hangs on it. */
  bottom: number;
  right: number;
  /** How many columns its fan has begun. */
  fans: number;
};

export type Plan = {
  readonly places: ReadonlyMap<string, Place>;
  /** Places what is not placed yet, in the given order; answers how many that were. */
  add: (turns: readonly Placing[]) => number;
  /** Rows between two runs start below this. */
  bottom: () => number;
};

/** A fan of leaves goes on in the next column after so many rows: 130 turns in one could only be read at 6 %. */
export const FAN_ROWS = 12;
/** A fan whose turns call others does so later, and each of its columns is this much longer than the one before. */
const BRANCHING_ROWS = 24;
const BRANCHING_MORE = 12;
/** A conversation turns back like a line of text after so many, or a chain of ten is a strip nobody can read. */
export const CHAIN_COLUMNS = 3;
const CHAIN_ROWS = 2;
const RUN_GAP_ROWS = 2;

export function createPlan(seed: readonly Place[] = []): Plan {
  const places = new Map<string, Place>();
  const taken = createColumns();
  let bottom = -RUN_GAP_ROWS;
  for (const place of seed) settle({ ...place, children: [...place.children] });

  return {
    places,
    bottom: () => bottom,
    add(turns) {
      const before = places.size;
      for (const turn of turns) {
        if (places.has(turn.id)) continue;
        const parent = turn.parent === null ? undefined : places.get(turn.parent);
        const berth = parent ? besideParent(turn, parent) : belowEverything(turn);
        settle({
          ...berth,
          id: turn.id,
          parent: parent?.id ?? null,
          children: [],
          is_inferred: turn.is_inferred,
          bottom: berth.row,
          right: berth.col,
          fans: 0,
        });
        if (parent) hang(berth, turn.id, parent);
      }
      return places.size - before;
    },
  };

  function hang({ col, row }: Berth, id: string, parent: Place) {
    const first = places.get(parent.children[0] ?? "");
    if (!first || (row === first.row && col > first.col)) parent.fans++;
    parent.children.push(id);
    let above: Place | undefined = parent;
    while (above && (above.bottom < row || above.right < col)) {
      above.bottom = Math.max(above.bottom, row);
      above.right = Math.max(above.right, col);
      above = places.get(above.parent ?? "");
    }
  }

  function settle(place: Place) {
    places.set(place.id, place);
    taken.take(place.col, place.row);
    // Under a launched turn stands what it was launched with.
    if (place.col === 1) taken.take(1, place.row + 1);
    bottom = Math.max(bottom, place.row);
  }

  function belowEverything(turn: Placing): Berth {
    return { col: turn.is_human ? 0 : 1, row: bottom + RUN_GAP_ROWS };
  }

  function besideParent(turn: Placing, parent: Place): Berth {
    const last = parent.children.at(-1);
    const sibling = last === undefined ? undefined : places.get(last);
    if (!sibling) return turn.is_inferred ? afterInChain(parent) : free(parent.col + 1, parent.row);
    const row = Math.max(sibling.row, sibling.bottom) + 1;
    return nextFanColumn(parent, row) ?? free(sibling.col, row);
  }

  function afterInChain(parent: Place): Berth {
    const start = chainStart(parent);
    if (parent.col + 1 < start + CHAIN_COLUMNS) return free(parent.col + 1, parent.row);
    return free(start, parent.row + CHAIN_ROWS);
  }

  /** The column its conversation began in. */
  function chainStart(place: Place): number {
    let least = Math.max(1, place.col);
    let at: Place | undefined = place;
    // One line back is far enough: every line begins in the same column.
    for (let i = 0; i <= CHAIN_COLUMNS && at?.is_inferred; i++) {
      at = at.parent === null ? undefined : places.get(at.parent);
      if (at && at.col > 0) least = Math.min(least, at.col);
    }
    return least;
  }

  /** Right of everything that hangs on the caller, so that no branch grows into the next column. */
  function nextFanColumn(parent: Place, row: number): Berth | undefined {
    const first = places.get(parent.children[0] ?? "");
    if (!first || row - first.row < FAN_ROWS) return undefined;
    const isFlat = parent.children.every((id) => places.get(id)?.children.length === 0);
    const rows = isFlat ? FAN_ROWS : BRANCHING_ROWS + BRANCHING_MORE * (parent.fans - 1);
    const col = parent.right + 1;
    return row - first.row < rows || taken.isTaken(col, first.row) ? undefined : { col, row: first.row };
  }

  function free(col: number, row: number): Berth {
    return { col, row: taken.nextFree(col, row) };
  }
}

/** Taken rows of each column; finding a free one stays quick however long the column is. */
function createColumns() {
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
    // Whoever asked here before goes straight to the end next time.
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
  };
}
