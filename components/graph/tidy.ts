// A fresh arrangement, asked for by a person: callers in the middle of their fans, nothing further apart than it must be.
// Linear in the number of turns: 10,000 are arranged faster than they could be posted to a worker.
import { createPlan, type Place, type Placing } from "./plan";

/** Answers places with the same ids; the anchor keeps its row, so what a person looks at stays under their eyes. */
export function tidy(turns: readonly Placing[], anchor: Place | undefined): Place[] {
  // A conversation is already laid out like lines of text; centring a line on its successor would tear it apart.
  const places = turns.some((turn) => turn.is_inferred) ? replayed(turns) : centred(turns);
  const anchored = anchor && places.find((place) => place.id === anchor.id);
  const shift = anchor && anchored ? anchor.row - anchored.row : 0;
  return places.map((place) => ({ ...place, row: place.row + shift, bottom: place.bottom + shift }));
}

type Node = {
  id: string;
  parent: Node | null;
  children: Node[];
  /** Relative to the parent's berth until the end. */
  col: number;
  row: number;
  /** Columns its fan was broken into. */
  fans: number;
  is_root_wagon: boolean;
  is_inferred: boolean;
};
type Span = { top: number; bottom: number };
/** First and last row taken in each column, relative to the node's own berth. */
type Outline = Map<number, Span>;

const RUN_GAP_ROWS = 2;
/** Higher than this a fan is broken into columns of a block about half as wide again as it is high. */
const FAN_ROWS = 12;
const BRANCHING_ROWS = 24;
/** A column is this many times as wide as a row is high, over the shape of a screen. */
const COLUMN_OVER_ROW = 328 / 82 / 1.5;

function replayed(turns: readonly Placing[]): Place[] {
  const plan = createPlan();
  plan.add(turns);
  return [...plan.places.values()];
}

function centred(turns: readonly Placing[]): Place[] {
  const nodes = treeOf(turns);
  const outlines = new Map<Node, Outline>();
  // Turns come callers first, so backwards every child is done before its caller.
  for (const node of [...nodes].reverse()) outlines.set(node, arrange(node, outlines));
  let below = 0;
  for (const node of nodes) {
    if (node.parent) {
      node.col += node.parent.col;
      node.row += node.parent.row;
      continue;
    }
    const { top, bottom } = extent(outlines.get(node) ?? new Map());
    node.row = below - top;
    below += bottom - top + RUN_GAP_ROWS;
  }
  return placesOf(nodes);
}

function treeOf(turns: readonly Placing[]): Node[] {
  const byId = new Map<string, Node>();
  for (const turn of turns) {
    const parent = turn.parent === null ? null : (byId.get(turn.parent) ?? null);
    const node: Node = {
      id: turn.id,
      parent,
      children: [],
      col: parent ? 1 : turn.is_human ? 0 : 1,
      row: 0,
      fans: 0,
      is_root_wagon: parent ? parent.parent === null && parent.col === 0 : !turn.is_human,
      is_inferred: turn.is_inferred,
    };
    byId.set(turn.id, node);
    parent?.children.push(node);
  }
  return [...byId.values()];
}

/** Packs the children below each other as tightly as their outlines allow, and the node in front of their middle. */
function arrange(node: Node, outlines: Map<Node, Outline>): Outline {
  const children = node.children.map((child) => ({ child, outline: outlines.get(child) ?? new Map() }));
  const columns = broken(children);
  const outline: Outline = new Map();
  let col = 1;
  for (const column of columns) {
    const stacked = stack(column, col);
    for (const [at, span] of stacked) outline.set(at, span);
    col = Math.max(col, ...stacked.keys()) + 1;
  }
  node.fans = columns.length;
  const first = node.children[0];
  const last = node.children.at(-1);
  // Broken fans are fed from above, so their caller stands at their first row.
  const middle = columns.length === 1 && first && last ? Math.floor((first.row + last.row) / 2) : 0;
  for (const child of node.children) child.row -= middle;
  for (const [at, { top, bottom }] of outline) outline.set(at, { top: top - middle, bottom: bottom - middle });
  // Under a launched turn stands what it was launched with.
  outline.set(0, { top: 0, bottom: node.is_root_wagon ? 1 : 0 });
  return outline;
}

type Branch = { child: Node; outline: Outline };

function broken(children: readonly Branch[]): Branch[][] {
  if (children.length === 0) return [];
  const heights = children.map(({ outline }) => {
    const { top, bottom } = extent(outline);
    return bottom - top + 1;
  });
  const total = heights.reduce((sum, height) => sum + height, 0);
  const isFlat = children.every(({ child }) => child.children.length === 0);
  const least = isFlat ? FAN_ROWS : BRANCHING_ROWS;
  if (total <= least) return [[...children]];
  const width = Math.max(...children.map(({ outline }) => Math.max(...outline.keys()) + 1));
  const rows = Math.max(least, Math.ceil(Math.sqrt(total * width * COLUMN_OVER_ROW)));
  const columns: Branch[][] = [];
  let filled = Number.POSITIVE_INFINITY;
  for (const [i, branch] of children.entries()) {
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
  for (const { child, outline } of column) {
    child.col = col;
    child.row = roomBelow(merged, outline, col);
    for (const [at, { top, bottom }] of outline) {
      const before = merged.get(at + col);
      merged.set(at + col, { top: before?.top ?? top + child.row, bottom: bottom + child.row });
    }
  }
  // A first branch may rise above its own row; the column begins where the highest one does.
  const rise = Math.min(0, ...[...merged.values()].map((span) => span.top));
  for (const { child } of column) child.row -= rise;
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

function placesOf(nodes: readonly Node[]): Place[] {
  const places = new Map<string, Place>();
  for (const { id, parent, children, col, row, fans, is_inferred } of nodes)
    places.set(id, {
      id,
      parent: parent?.id ?? null,
      children: children.map((child) => child.id),
      col,
      row,
      is_inferred,
      bottom: row,
      right: col,
      fans,
    });
  for (const node of [...nodes].reverse()) {
    const place = places.get(node.id);
    const above = node.parent && places.get(node.parent.id);
    if (!place || !above) continue;
    above.bottom = Math.max(above.bottom, place.bottom);
    above.right = Math.max(above.right, place.right);
  }
  return [...places.values()];
}
