// A fresh arrangement, asked for by a person: callers in the middle of their fans, nothing further apart than it must be.
// Linear in the number of turns: 10,000 are arranged faster than they could be posted to a worker.
import { blockShape } from "@/server/contract/lanes";
import type { Block } from "./block";
import { laneBerth } from "./geometry";
import { createPlan, type Place, type Placing, type PlanSeed } from "./plan";
import { laneKey } from "./route-tracks";

/** Answers places with the same ids; the anchor keeps its row, so what a person looks at stays under their eyes. */
export function tidy(turns: readonly Placing[], anchor: { id: string; row: number } | undefined): PlanSeed {
  // A conversation is already laid out like lines of text; centring a line on its successor would tear it apart.
  const { places, blocks } = turns.some((turn) => turn.is_inferred) ? replayed(turns) : centred(turns);
  const anchored = anchor && places.find((place) => place.id === anchor.id);
  const shift = anchor && anchored ? anchor.row - anchored.row : 0;
  return {
    places: places.map((place) => ({ ...place, row: place.row + shift, bottom: place.bottom + shift })),
    blocks: blocks.map((block) => ({ ...block, row: block.row + shift })),
  };
}

type Node = {
  id: string;
  parent: Node | null;
  children: Node[];
  entries: Entry[];
  /** The batch it stands in; its berth is then that of its lane. */
  pen: Pen | null;
  lane: number;
  /** When the attempt was made, for a branch. */
  since: string | undefined;
  /** Relative to the parent's berth until the end. */
  col: number;
  row: number;
  /** Columns its fan was broken into. */
  fans: number;
  is_root_wagon: boolean;
  is_inferred: boolean;
};
/** A batch: its place is that of its first lane. */
type Pen = {
  id: string;
  parent: Node;
  lanes: number;
  rows: number;
  cols: number;
  is_folded: boolean;
  branches: Node[];
  /** In front of the first column stands the person, where a frame begins: what a person forks stands one further. */
  indent: number;
  col: number;
  row: number;
};
type Entry = Node | Pen;
type Span = { top: number; bottom: number };
/** First and last row taken in each column, relative to the entry's own berth. */
type Outline = Map<number, Span>;

const isPen = (entry: Entry): entry is Pen => "branches" in entry;

const RUN_GAP_ROWS = 2;
/** Higher than this a fan is broken into columns of a block about half as wide again as it is high. */
const FAN_ROWS = 12;
const BRANCHING_ROWS = 24;
/** A column is this many times as wide as a row is high, over the shape of a screen. */
const COLUMN_OVER_ROW = 328 / 82 / 1.5;

function replayed(turns: readonly Placing[]): PlanSeed {
  const plan = createPlan();
  plan.add(turns);
  return { places: [...plan.places.values()], blocks: [...plan.blocks.values()] };
}

function centred(turns: readonly Placing[]): PlanSeed {
  const { nodes, pens } = treeOf(turns);
  const outlines = new Map<Node, Outline>();
  // Turns come callers first, so backwards every child is done before its caller.
  for (const node of [...nodes].reverse()) outlines.set(node, arrange(node, outlines));
  let below = 0;
  for (const node of nodes) {
    if (node.parent) {
      const base = node.pen ?? node.parent;
      const lane = node.pen ? laneBerth({ ...node.pen, col: 0, row: 0 }, node.lane) : node;
      node.col = base.col + lane.col;
      node.row = base.row + lane.row;
    } else {
      const { top, bottom } = extent(outlines.get(node) ?? new Map());
      node.row = below - top;
      below += bottom - top + RUN_GAP_ROWS;
    }
    // Batches are no nodes of their own: their place is settled with their caller's, before their branches'.
    for (const entry of node.entries) {
      if (!isPen(entry)) continue;
      entry.col += node.col + entry.indent;
      entry.row += node.row;
    }
  }
  return seedOf(nodes, pens);
}

function treeOf(turns: readonly Placing[]): { nodes: Node[]; pens: Map<string, Pen> } {
  const byId = new Map<string, Node>();
  const pens = new Map<string, Pen>();
  const newest = new Map<string, string>();
  for (const { lane } of turns)
    if (lane && (newest.get(laneKey(lane.batch_id, lane.task_index)) ?? "") < lane.since)
      newest.set(laneKey(lane.batch_id, lane.task_index), lane.since);
  for (const turn of turns) {
    const parent = turn.parent === null ? null : (byId.get(turn.parent) ?? null);
    if (turn.batch) {
      if (!parent) continue;
      const { lanes, is_folded } = turn.batch;
      const shape = blockShape(lanes, is_folded);
      const indent = parent.parent === null && parent.col === 0 ? 1 : 0;
      const pen: Pen = { id: turn.id, parent, lanes, is_folded, ...shape, branches: [], indent, col: 1, row: 0 };
      pens.set(turn.id, pen);
      parent.entries.push(pen);
      continue;
    }
    const lane = turn.lane?.task_index ?? 0;
    const named = pens.get(turn.lane?.batch_id ?? "");
    const isTaken = named?.branches.some((branch) => branch.lane === lane);
    // A task that was tried again: its lane is the newest attempt's, and those before it stand where any other would.
    const isNewest = newest.get(laneKey(turn.lane?.batch_id ?? "", lane)) === turn.lane?.since;
    const pen = named && !named.is_folded && lane < named.lanes && isNewest && !isTaken ? named : null;
    const node: Node = {
      id: turn.id,
      parent,
      children: [],
      entries: [],
      pen,
      lane,
      since: turn.lane?.since,
      col: parent ? 1 : turn.is_human ? 0 : 1,
      row: 0,
      fans: 0,
      is_root_wagon: !pen && (parent ? parent.parent === null && parent.col === 0 : !turn.is_human),
      is_inferred: turn.is_inferred,
    };
    byId.set(turn.id, node);
    if (pen) pen.branches.push(node);
    else parent?.entries.push(node);
    parent?.children.push(node);
  }
  return { nodes: [...byId.values()], pens };
}

/** Packs what hangs on it below each other as tightly as the outlines allow, and the node in front of the middle. */
function arrange(node: Node, outlines: Map<Node, Outline>): Outline {
  const branches = node.entries.map((entry) => ({
    entry,
    outline: isPen(entry) ? penOutline(entry, outlines) : (outlines.get(entry) ?? new Map<number, Span>()),
  }));
  const columns = broken(branches);
  const outline: Outline = new Map();
  // What a branch calls stands behind its gate.
  let col = node.pen ? node.pen.cols + 1 - Math.floor(node.lane / node.pen.rows) : 1;
  for (const column of columns) {
    const stacked = stack(column, col);
    for (const [at, span] of stacked) outline.set(at, span);
    col = Math.max(col, ...stacked.keys()) + 1;
  }
  node.fans = columns.length;
  // Broken fans are fed from above, so their caller stands at their first row; so does a branch, which has its lane.
  const middle = columns.length === 1 && !node.pen ? middleOf(node.entries) : 0;
  for (const entry of node.entries) entry.row -= middle;
  for (const [at, { top, bottom }] of outline) outline.set(at, { top: top - middle, bottom: bottom - middle });
  // Under a launched turn stands what it was launched with.
  outline.set(0, { top: 0, bottom: node.is_root_wagon ? 1 : 0 });
  return outline;
}

/** The lane in the middle of its largest batch, or else of the whole fan. */
function middleOf(entries: readonly Entry[]): number {
  let largest: Pen | undefined;
  for (const entry of entries)
    if (isPen(entry) && !entry.is_folded && entry.lanes > (largest?.lanes ?? 0)) largest = entry;
  if (largest) return largest.row + Math.floor((largest.rows - 1) / 2);
  const [first, last] = [entries[0], entries.at(-1)];
  return first && last ? Math.floor((first.row + last.row) / 2) : 0;
}

/** The frame, and behind it what its branches called, each as high as it may stand without meeting the one above. */
function penOutline(pen: Pen, outlines: ReadonlyMap<Node, Outline>): Outline {
  const merged: Outline = new Map();
  const { indent } = pen;
  if (pen.is_folded) return merged.set(indent, { top: 0, bottom: 0 });
  for (let col = 0; col <= pen.cols; col++) merged.set(indent + col, { top: -1, bottom: pen.rows });
  const inRows = [...pen.branches].sort((a, b) => (a.lane % pen.rows) - (b.lane % pen.rows) || a.lane - b.lane);
  for (const branch of inRows) {
    const { col, row } = laneBerth({ ...pen, col: indent, row: 0 }, branch.lane);
    const below = [...(outlines.get(branch) ?? [])].filter(([at]) => at > 0);
    let down = 0;
    for (const [at, { top }] of below) {
      const taken = merged.get(at + col);
      if (taken) down = Math.max(down, taken.bottom + 1 - row - top);
    }
    for (const entry of branch.entries) entry.row += down;
    for (const [at, { top, bottom }] of below) {
      const known = merged.get(at + col);
      merged.set(at + col, {
        top: Math.min(known?.top ?? Number.POSITIVE_INFINITY, row + top + down),
        bottom: row + bottom + down,
      });
    }
  }
  return merged;
}

type Branch = { entry: Entry; outline: Outline };

function broken(branches: readonly Branch[]): Branch[][] {
  if (branches.length === 0) return [];
  const heights = branches.map(({ outline }) => {
    const { top, bottom } = extent(outline);
    return bottom - top + 1;
  });
  const total = heights.reduce((sum, height) => sum + height, 0);
  const isFlat = branches.every(({ entry }) => !isPen(entry) && entry.entries.length === 0);
  const least = isFlat ? FAN_ROWS : BRANCHING_ROWS;
  // A frame is high by itself, and what its caller called beside it belongs near it.
  if (total <= least || branches.some(({ entry }) => isPen(entry) && !entry.is_folded)) return [[...branches]];
  const width = Math.max(...branches.map(({ outline }) => Math.max(...outline.keys()) + 1));
  const rows = Math.max(least, Math.ceil(Math.sqrt(total * width * COLUMN_OVER_ROW)));
  const columns: Branch[][] = [];
  let filled = Number.POSITIVE_INFINITY;
  for (const [i, branch] of branches.entries()) {
    const height = heights[i] ?? 1;
    if (filled + height > rows) {
      columns.push([]);
      filled = 0;
    }
    columns.at(-1)?.push(branch);
    filled += height;
  }
  return columns;
}

/** One below the other from row 0 on; answers what they take, relative to their caller. */
function stack(column: readonly Branch[], col: number): Outline {
  const merged: Outline = new Map();
  for (const { entry, outline } of column) {
    entry.col = col;
    entry.row = roomBelow(merged, outline, col);
    for (const [at, { top, bottom }] of outline) {
      const before = merged.get(at + col);
      merged.set(at + col, { top: before?.top ?? top + entry.row, bottom: bottom + entry.row });
    }
  }
  // A first branch may rise above its own row; the column begins where the highest one does.
  const rise = Math.min(0, ...[...merged.values()].map((span) => span.top));
  for (const { entry } of column) entry.row -= rise;
  return new Map([...merged].map(([at, { top, bottom }]) => [at, { top: top - rise, bottom: bottom - rise }]));
}

function roomBelow(above: Outline, outline: Outline, col: number): number {
  let row = 0;
  for (const [at, { top }] of outline) {
    const taken = above.get(at + col);
    if (taken) row = Math.max(row, taken.bottom + 1 - top);
  }
  return row;
}

function extent(outline: Outline): Span {
  const spans = [...outline.values()];
  return { top: Math.min(...spans.map((span) => span.top)), bottom: Math.max(...spans.map((span) => span.bottom)) };
}

function seedOf(nodes: readonly Node[], pens: ReadonlyMap<string, Pen>): PlanSeed {
  const blocks = new Map<Pen, Block>();
  for (const pen of pens.values()) {
    const { id, parent, lanes, rows, cols, is_folded, col, row } = pen;
    blocks.set(pen, { id, parent: parent.id, lanes, rows, cols, is_folded, col, row, turns: [] });
  }
  const places = new Map<string, Place>();
  for (const { id, parent, pen, lane, since, children, entries, col, row, fans, is_inferred } of nodes) {
    const block = (pen && blocks.get(pen)) ?? null;
    if (block) block.turns[lane] = id;
    places.set(id, {
      id,
      parent: parent?.id ?? null,
      children: children.map((child) => child.id),
      entries: entries.map((entry) => entry.id),
      block,
      left: null,
      since,
      col,
      row,
      is_inferred,
      bottom: row,
      right: col,
      fans,
    });
  }
  for (const { parent, col, cols, row, rows, is_folded } of blocks.values()) {
    const place = places.get(parent);
    if (!place) continue;
    place.bottom = Math.max(place.bottom, is_folded ? row : row + rows);
    place.right = Math.max(place.right, is_folded ? col : col + cols);
  }
  for (const node of [...nodes].reverse()) {
    const place = places.get(node.id);
    const above = node.parent && places.get(node.parent.id);
    if (!place || !above) continue;
    above.bottom = Math.max(above.bottom, place.bottom);
    above.right = Math.max(above.right, place.right);
  }
  return { places: [...places.values()], blocks: [...blocks.values()] };
}
