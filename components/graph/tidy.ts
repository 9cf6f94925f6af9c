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
  col: number;
  /** Relative to the parent's row until the end. */
  row: number;
  is_inferred: boolean;
};
/** First and last row taken in each column, relative to the node's own row. */
type Outline = Map<number, { top: number; bottom: number }>;

const RUN_GAP_ROWS = 2;

function replayed(turns: readonly Placing[]): Place[] {
  const plan = createPlan();
  plan.add(turns);
  return [...plan.places.values()];
}

function centred(turns: readonly Placing[]): Place[] {
  const nodes = treeOf(turns);
  const roots = nodes.filter((node) => node.parent === null);
  const outlines = new Map<Node, Outline>();
  // Turns come callers first, so backwards every child is done before its caller.
  for (const node of [...nodes].reverse()) outlines.set(node, arrange(node, outlines));
  let below = 0;
  for (const root of roots) {
    const rows = [...(outlines.get(root)?.values() ?? [])];
    const top = Math.min(...rows.map((r) => r.top));
    root.row = below - top;
    below += Math.max(...rows.map((r) => r.bottom)) - top + RUN_GAP_ROWS;
  }
  for (const node of nodes) if (node.parent) node.row += node.parent.row;
  return placesOf(nodes);
}

function treeOf(turns: readonly Placing[]): Node[] {
  const byId = new Map<string, Node>();
  for (const turn of turns) {
    const parent = turn.parent === null ? null : (byId.get(turn.parent) ?? null);
    const col = parent ? parent.col + 1 : turn.is_human ? 0 : 1;
    const node: Node = { id: turn.id, parent, children: [], col, row: 0, is_inferred: turn.is_inferred };
    byId.set(turn.id, node);
    parent?.children.push(node);
  }
  return [...byId.values()];
}

/** Packs the children of a node below each other as tightly as their outlines allow, and centres the node on them. */
function arrange(node: Node, outlines: Map<Node, Outline>): Outline {
  // Under a launched turn stands what it was launched with.
  const own = { top: 0, bottom: node.col === 1 ? 1 : 0 };
  const block = wrapped(node.children);
  if (block) return new Map([[node.col, own], ...block]);
  const merged: Outline = new Map();
  for (const child of node.children) {
    const outline = outlines.get(child) ?? new Map();
    child.row = roomBelow(merged, outline);
    for (const [col, { top, bottom }] of outline) {
      const before = merged.get(col);
      merged.set(col, { top: before?.top ?? top + child.row, bottom: bottom + child.row });
    }
  }
  const first = node.children[0];
  const last = node.children.at(-1);
  const middle = first && last ? Math.floor((first.row + last.row) / 2) : 0;
  for (const child of node.children) child.row -= middle;
  const outline: Outline = new Map([[node.col, own]]);
  for (const [col, { top, bottom }] of merged) outline.set(col, { top: top - middle, bottom: bottom - middle });
  return outline;
}

/** A wide fan of leaves becomes columns of a block about half as wide again as it is high. */
function wrapped(children: readonly Node[]): Outline | undefined {
  const first = children[0];
  if (!first || children.length <= FAN_MAX || children.some((child) => child.children.length > 0)) return undefined;
  const rows = Math.max(FAN_MAX, Math.ceil(Math.sqrt(children.length * COLUMN_OVER_ROW)));
  const start = first.col;
  for (const [i, child] of children.entries()) {
    child.col = start + Math.floor(i / rows);
    child.row = i % rows;
  }
  const columns = Math.ceil(children.length / rows);
  return new Map(Array.from({ length: columns }, (_, i) => [start + i, { top: 0, bottom: rows - 1 }]));
}

/** A column is this many times as wide as a row is high, over the shape of a screen. */
const COLUMN_OVER_ROW = 340 / 82 / 1.5;
const FAN_MAX = 12;

function roomBelow(above: Outline, outline: Outline): number {
  let row = 0;
  for (const [col, { top }] of outline) {
    const taken = above.get(col);
    if (taken) row = Math.max(row, taken.bottom + 1 - top);
  }
  return row;
}

function placesOf(nodes: readonly Node[]): Place[] {
  const places = new Map<string, Place>();
  for (const { id, parent, children, col, row, is_inferred } of nodes)
    places.set(id, {
      id,
      parent: parent?.id ?? null,
      children: children.map((child) => child.id),
      col,
      row,
      is_inferred,
      bottom: row,
    });
  for (const node of [...nodes].reverse()) {
    const place = places.get(node.id);
    const above = node.parent && places.get(node.parent.id);
    if (place && above) above.bottom = Math.max(above.bottom, place.bottom);
  }
  return [...places.values()];
}
