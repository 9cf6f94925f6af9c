// Where each turn stands. Turns are placed one after the other, each from what stands already, and a placed turn never
// moves: the picture a person has learned stays true while a run grows, and two windows that saw the same turns agree.
// A batch takes its whole place at once, before its branches come.
import { blockCells, blockShape, middleLane } from "@/server/contract/lanes";
import { type Block, childColumn } from "./block";
import { createColumns } from "./columns";
import { CHAIN_COLUMNS, chainRows } from "./conversation";
import { type Berth, laneBerth } from "./geometry";
import { createStopYard, type PlanGround, type SeatedPlan, type SeatedStop } from "./seat-stops";
import { slotOf } from "./stop";

export type Placing = {
  id: string;
  /** Who called it; null for the first turn of a run. A caller that is not placed counts as none. */
  parent: string | null;
  is_human: boolean;
  /** Follows its caller without having been delegated by it: a conversation read out of an import. */
  is_inferred: boolean;
  /** Of a conversation: after so many columns it goes on in the next line. */
  line?: number;
  /** A branch: its batch, placed before, its place there, and when this attempt at its task was made. */
  lane?: { batch_id: string; task_index: number; since: string };
  /** This is a batch, not a turn. */
  batch?: { lanes: number; is_folded: boolean };
  /** The node of a plan that it is the turn or the batch of, and when this try was made. */
  stop?: { id: string; since: string };
  /** This is the run of a plan; its id is that of the run. */
  plan?: PlanGround;
};

export type Place = Berth & {
  id: string;
  parent: string | null;
  children: string[];
  /** What hangs on it one below the other: turns, and batches in place of their branches. */
  entries: string[];
  /** The batch it stands in. */
  block: Block | null;
  /** The batch it stood in until its task was tried again. What it called still hangs behind that batch's gate. */
  left: Block | null;
  /** When the attempt was made that it is. */
  since?: string;
  /** The node of a plan that it stands at, or stood at until it was tried again. */
  stop?: string;
  /** What it stands in of that node: nothing else has this name at a time. */
  slot?: string;
  /** The node has no turn yet, or will have none. */
  is_ghost?: true;
  is_inferred: boolean;
  /** Lowest row and last column of everything that hangs on it. */
  bottom: number;
  right: number;
  /** How many columns its fan has begun. */
  fans: number;
};

export type Plan = {
  readonly places: ReadonlyMap<string, Place>;
  readonly blocks: ReadonlyMap<string, Block>;
  readonly plans: ReadonlyMap<string, SeatedPlan>;
  readonly stops: ReadonlyMap<string, SeatedStop>;
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
const RUN_GAP_ROWS = 2;

/** What hangs on a turn: another, or a whole batch. */
type Entry = { col: number; top: number; bottom: number; isLeaf: boolean };

export type PlanSeed = { places: readonly Place[]; blocks: readonly Block[] };

export function createPlan(seed: PlanSeed = { places: [], blocks: [] }): Plan {
  const places = new Map<string, Place>();
  const blocks = new Map<string, Block>();
  const taken = createColumns();
  const yard = createStopYard(taken);
  /** By the first turn of a run: the row that nothing of the run may rise above. */
  const ceilings = new Map<string, number>();
  let bottom = -RUN_GAP_ROWS;
  const seedRoots = seed.places.filter((place) => place.parent === null);
  for (const { id, row } of seedRoots) ceilings.set(id, seedRoots.length > 1 ? row : Number.NEGATIVE_INFINITY);
  for (const block of seed.blocks) settleBlock({ ...block, turns: [...block.turns] });
  for (const place of seed.places)
    settle({
      ...place,
      children: [...place.children],
      entries: [...place.entries],
      block: blocks.get(place.block?.id ?? "") ?? null,
      left: blocks.get(place.left?.id ?? "") ?? null,
    });

  return {
    places,
    blocks,
    plans: yard.plans,
    stops: yard.stops,
    bottom: () => bottom,
    add(turns) {
      const before = places.size + blocks.size;
      for (const turn of turns) {
        if (places.has(turn.id) || blocks.has(turn.id)) continue;
        const parent = turn.parent === null ? undefined : places.get(turn.parent);
        if (turn.plan) {
          if (parent) seat(turn.id, turn.plan, parent);
        } else if (turn.batch) {
          if (parent && !reserveAtStop(turn, turn.batch, parent)) reserve(turn.id, turn.batch, parent);
        } else if (!parent || !standAtStop(turn, parent)) place(turn, parent);
      }
      return places.size + blocks.size - before;
    },
  };

  function place(turn: Placing, parent: Place | undefined) {
    const block = parent && laneOf(turn);
    const before = block && places.get(block.turns[turn.lane?.task_index ?? 0] ?? "");
    if (!parent) ceilings.set(turn.id, places.size === 0 ? Number.NEGATIVE_INFINITY : bottom + 1);
    const berth = block
      ? laneBerth(block, turn.lane?.task_index ?? 0)
      : parent
        ? besideParent(turn, parent)
        : belowEverything(turn);
    settle({
      ...placed(turn.id, parent, berth),
      block: block ?? null,
      since: turn.lane?.since,
      is_inferred: turn.is_inferred,
      ...(block?.stop && { stop: block.stop, slot: slotOf({ id: block.stop, kind: "fork" }, turn.lane?.task_index) }),
    });
    if (block) block.turns[turn.lane?.task_index ?? 0] = turn.id;
    if (!parent) return;
    if (!block) enter(berth, turn.id, parent);
    parent.children.push(turn.id);
    widen(parent, berth.row, berth.col);
    if (before && block) giveWay(before, block, parent);
  }

  /**
   * The lane is the newest attempt's. One that stands there and is no older (a list that was read from its end, an import that
   * counts twice) keeps it, and the turn stands where any other would.
   */
  function laneOf({ lane }: Placing): Block | undefined {
    const block = lane && blocks.get(lane.batch_id);
    if (!block || block.is_folded || lane.task_index >= block.lanes) return undefined;
    const holder = places.get(block.turns[lane.task_index] ?? "");
    return holder === undefined || (holder.since ?? "") < lane.since ? block : undefined;
  }

  /**
   * Its task is tried again, and the new attempt has its lane: of all wagons this one alone moves, below what its caller has.
   * The row is free as far as the gate, for under it runs the track to what it called, which stays where it is.
   */
  function giveWay(place: Place, block: Block, parent: Place) {
    const { col } = block;
    const right = col + block.cols;
    let row = Math.max(lastEntry(parent)?.bottom ?? block.row, blockCells(block).bottom) + 1;
    for (let at = taken.blocked({ left: col, right, top: row, bottom: row }); at !== null; ) {
      row = at + 1;
      at = taken.blocked({ left: col, right, top: row, bottom: row });
    }
    for (let at = col; at <= right; at++) taken.take(at, row);
    Object.assign(place, { col, row, block: null, left: block, slot: undefined, bottom: Math.max(place.bottom, row) });
    bottom = Math.max(bottom, row);
    enter({ col, row }, place.id, parent);
    widen(parent, row, right);
  }

  /** The middle lane straight behind the caller if it is the first thing there, else all of it below what is there. */
  function reserve(id: string, { lanes, is_folded }: NonNullable<Placing["batch"]>, parent: Place) {
    const { rows, cols } = blockShape(lanes, is_folded);
    const last = lastEntry(parent);
    // In front of the first column stands the person, where a frame begins.
    const col = Math.max(2, last?.col ?? childColumn(parent));
    const head = is_folded ? 0 : 1;
    const wanted = last
      ? last.bottom + 1 + head
      : Math.max(parent.row - Math.floor((rows - 1) / 2), ceilingOf(parent) + head);
    const size = { col, rows, cols, is_folded };
    const block = { ...size, id, parent: parent.id, lanes, row: wanted, turns: [] };
    for (let isFree = false; !isFree; ) {
      const cells = blockCells(block);
      const next = taken.blocked(cells);
      isFree = next === null;
      if (next !== null) block.row += next + 1 - cells.top;
    }
    settleBlock(block);
    const cells = blockCells(block);
    enter({ col, row: cells.top }, id, parent);
    widen(parent, cells.bottom, cells.right);
  }

  /** All nodes of a plan at once: beside whoever launched it if it is the first thing there, else below what is there. */
  function seat(id: string, ground: PlanGround, parent: Place) {
    if (ground.stops.length === 0) return;
    const isNew = !yard.plans.has(id);
    const last = lastEntry(parent);
    const at = { col: childColumn(parent), row: parent.row, ceiling: last ? last.bottom + 1 : ceilingOf(parent) };
    const cells = isNew ? yard.seat(id, parent.id, ground, at) : yard.reseat(id, ground);
    if (!cells) return;
    bottom = Math.max(bottom, cells.bottom);
    if (isNew) enter({ col: cells.left, row: cells.top }, id, parent);
    widen(parent, cells.bottom, cells.right);
  }

  /** A wagon of a plan stands where it was drawn; an earlier try makes way for it, and one that comes late stands below. */
  function standAtStop(turn: Placing, parent: Place): boolean {
    const stop = yard.stops.get(turn.stop?.id ?? "");
    if (!stop || stop.kind === "fork" || !turn.stop) return false;
    const held = yard.hold(stop.id, turn.id, turn.stop.since);
    const row = held ? stop.row : taken.nextFree(stop.col, stop.row);
    settle({
      ...placed(turn.id, parent, { col: stop.col, row, ...(held && stop.is_behind && { is_behind: true }) }),
      stop: stop.id,
      ...(held && { slot: slotOf(stop, undefined) }),
    });
    parent.children.push(turn.id);
    const before = places.get(held?.before ?? "");
    if (before) {
      const below = taken.nextFree(stop.col, stop.row);
      taken.take(stop.col, below);
      Object.assign(before, {
        row: below,
        is_behind: undefined,
        slot: undefined,
        bottom: Math.max(before.bottom, below),
      });
      widen(parent, below, stop.col);
    }
    widen(parent, row, stop.col);
    return true;
  }

  /** The batch of a plan's fork stands where the fork was drawn; that of an earlier try moves below it, with all its lanes. */
  function reserveAtStop(
    { id, stop: at }: Placing,
    { lanes, is_folded }: NonNullable<Placing["batch"]>,
    parent: Place,
  ) {
    const stop = yard.stops.get(at?.id ?? "");
    if (stop?.kind !== "fork" || !at || stop.lanes !== lanes) return false;
    const held = yard.hold(stop.id, id, at.since);
    if (!held) return false;
    const before = blocks.get(held.before ?? "");
    if (before) moveBelow(before, parent);
    const { col, row, rows, cols } = stop;
    const shape = is_folded ? { row: row + middleLane(rows), rows: 1, cols: 1 } : { row, rows, cols };
    blocks.set(id, { ...shape, col, lanes, id, parent: parent.id, is_folded, turns: [], stop: stop.id });
    return true;
  }

  function moveBelow(block: Block, parent: Place) {
    let cells = blockCells(block);
    for (let next = taken.blocked(cells); next !== null; next = taken.blocked(cells)) {
      const down = next + 1 - cells.top;
      cells = { ...cells, top: cells.top + down, bottom: cells.bottom + down };
    }
    const moved = { ...block, row: block.row + cells.top - blockCells(block).top };
    settleBlock(moved);
    for (const [index, id] of moved.turns.entries()) {
      const place = places.get(id ?? "");
      if (place?.block === block) Object.assign(place, { ...laneBerth(moved, index), block: moved, slot: undefined });
    }
    widen(parent, cells.bottom, cells.right);
  }

  function ceilingOf(place: Place): number {
    let at = place;
    for (let above = places.get(at.parent ?? ""); above; above = places.get(at.parent ?? "")) at = above;
    return ceilings.get(at.id) ?? at.row;
  }

  function settleBlock(block: Block) {
    blocks.set(block.id, block);
    const cells = blockCells(block);
    taken.takeAll(cells);
    bottom = Math.max(bottom, cells.bottom);
  }

  function enter({ col, row }: Berth, id: string, parent: Place) {
    const first = entryOf(parent.entries[0]);
    if (!first || (row === first.top && col > first.col)) parent.fans++;
    parent.entries.push(id);
  }

  function widen(parent: Place, row: number, col: number) {
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
    const isFirst = !place.is_inferred || (places.get(place.parent ?? "")?.col ?? 0) === 0;
    if (place.col === 1 && place.stop === undefined && isFirst) taken.take(1, place.row + 1);
    bottom = Math.max(bottom, place.row);
  }

  function belowEverything(turn: Placing): Berth {
    return { col: turn.is_human ? 0 : 1, row: bottom + RUN_GAP_ROWS };
  }

  function besideParent(turn: Placing, parent: Place): Berth {
    const last = lastEntry(parent);
    if (!last) return turn.is_inferred ? afterInChain(parent, turn.line) : free(childColumn(parent), parent.row);
    const row = last.bottom + 1;
    return nextFanColumn(parent, row) ?? free(last.col, row);
  }

  function lastEntry(parent: Place): Entry | undefined {
    return entryOf(parent.entries.at(-1));
  }

  function entryOf(id: string | undefined): Entry | undefined {
    const turn = places.get(id ?? "");
    if (turn)
      return {
        col: turn.col,
        top: turn.row,
        bottom: Math.max(turn.row, turn.bottom),
        isLeaf: turn.entries.length === 0,
      };
    const plan = yard.plans.get(id ?? "");
    if (plan) {
      const { left: col, top, bottom: end } = plan.cells;
      return { col, top, bottom: Math.max(end, deepestOf(id ?? "")), isLeaf: false };
    }
    const block = blocks.get(id ?? "");
    if (!block) return undefined;
    const cells = blockCells(block);
    let deepest = cells.bottom;
    for (const branch of block.turns) deepest = Math.max(deepest, places.get(branch ?? "")?.bottom ?? deepest);
    return { col: block.col, top: cells.top, bottom: deepest, isLeaf: block.is_folded };
  }

  /** Of a plan: the lowest row of what its turns have called. */
  function deepestOf(plan: string): number {
    let row = Number.NEGATIVE_INFINITY;
    for (const place of places.values())
      if (place.stop !== undefined && yard.stops.get(place.stop)?.plan_run_id === plan)
        row = Math.max(row, place.bottom);
    return row;
  }

  function afterInChain(parent: Place, line = CHAIN_COLUMNS): Berth {
    const start = chainStart(parent, line);
    if (parent.col + 1 < start + line) return free(parent.col + 1, parent.row);
    return free(start, parent.row + chainRows(line));
  }

  /** The column its conversation began in. */
  function chainStart(place: Place, line: number): number {
    let least = Math.max(1, place.col);
    let at: Place | undefined = place;
    // One line back is far enough: every line begins in the same column.
    for (let i = 0; i <= line && at?.is_inferred; i++) {
      at = at.parent === null ? undefined : places.get(at.parent);
      if (at && at.col > 0) least = Math.min(least, at.col);
    }
    return least;
  }

  /** Right of everything that hangs on the caller, so that no branch grows into the next column. */
  function nextFanColumn(parent: Place, row: number): Berth | undefined {
    const first = entryOf(parent.entries[0]);
    if (!first || row - first.top < FAN_ROWS) return undefined;
    // A frame is high by itself; what is called beside it goes on below it.
    if (parent.entries.some((id) => blocks.get(id)?.is_folded === false || yard.plans.has(id))) return undefined;
    const isFlat = parent.entries.every((id) => entryOf(id)?.isLeaf);
    const rows = isFlat ? FAN_ROWS : BRANCHING_ROWS + BRANCHING_MORE * (parent.fans - 1);
    const col = parent.right + 1;
    return row - first.top < rows || taken.isTaken(col, first.top) ? undefined : { col, row: first.top };
  }

  function free(col: number, row: number): Berth {
    return { col, row: taken.nextFree(col, row) };
  }
}

/** Nothing hangs on it yet. */
const placed = (id: string, parent: Place | undefined, berth: Berth): Place => ({
  ...berth,
  id,
  parent: parent?.id ?? null,
  children: [],
  entries: [],
  block: null,
  left: null,
  is_inferred: false,
  bottom: berth.row,
  right: berth.col,
  fans: 0,
});
