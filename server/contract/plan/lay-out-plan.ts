// Where the nodes of a plan stand on the yard's grid: column 0 is whoever launched it, a node stands right of all it waits for, and
// what follows a gate stands in the gate's own column. A place that was given is kept where it can be.
import { blockCells, blockShape, type Cells, middleLane } from "../lanes";
import { graphOf, type PlanGraph } from "./graph";
import type { Berth, Layout, Plan, PlanNode } from "./plan";
import { berthOf, isTaskPlace, nodeIdOf } from "./plan-words";
import { writtenTracks } from "./tracks";

/** Of a fork: its first lane. */
type Places = ReadonlyMap<string, Berth>;
type Laying = {
  plan: Pick<Plan, "nodes" | "result">;
  byId: ReadonlyMap<string, PlanNode>;
  sources: ReadonlyMap<string, readonly string[]>;
  cols: Places;
};

/** Every node of the plan by id. The same plan with these places given answers the same. */
export function layOutPlan(
  plan: Pick<Plan, "nodes" | "result">,
  given: Readonly<Record<string, Berth>> = {},
): Map<string, Berth> {
  const sources = sourcesOf(plan);
  const order = inOrder(plan, graphOf(plan), sources);
  const cols = columnsOf(order, sources, given);
  const ground = createGround(gateColumns(plan.nodes, cols));
  const asked = order.filter(({ id }) => Object.hasOwn(given, id));
  const others = order.filter(({ id }) => !Object.hasOwn(given, id));
  const laying = { plan, byId: new Map(plan.nodes.map((node) => [node.id, node])), sources, cols };
  for (const node of asked) {
    const first = berthOf(given, node.id)?.row ?? 0;
    ground.stand(node, colOf(cols, node), first + middleOf(node), behindOf(laying, node));
  }
  // An ask stands above the row of whoever reads it, so readers come first.
  for (const node of others.filter(({ kind }) => kind !== "ask"))
    ground.stand(node, colOf(cols, node), wantedRow(node, laying, ground.places), behindOf(laying, node));
  for (const node of others.filter(({ kind }) => kind === "ask"))
    ground.rise(node, colOf(cols, node), rowAboveReader(node, laying, ground.places), behindOf(laying, node));
  return new Map(plan.nodes.map(({ id }) => [id, ground.places.get(id) ?? { col: 1, row: 0 }]));
}

/** The layout with a place for every node; what it says of tasks and notes stays. */
export const laidOut = (plan: Pick<Plan, "nodes" | "result" | "layout">): Layout => ({
  ...plan.layout,
  places: { ...plan.layout.places, ...Object.fromEntries(layOutPlan(plan, plan.layout.places)) },
});

/** What stands in such a column stands a little further right, in line with what follows the gate. */
const gateColumns = (nodes: readonly PlanNode[], cols: Places): Set<number> =>
  new Set(
    nodes.flatMap((node) => {
      const at = cols.get(node.id);
      return node.kind === "fork" && at ? [gateColumn(at, node.tasks.length)] : [];
    }),
  );

/** A wagon that waits for a gate may stand in its column: where a caller would go on. */
export const gateColumn = (fork: Berth, tasks: number): number => fork.col + blockShape(tasks, false).cols;

/** As written: a node that is switched off still has its place. */
function sourcesOf({ nodes }: Pick<Plan, "nodes">): Map<string, string[]> {
  const known = new Set(nodes.map(({ id }) => id));
  return new Map(
    nodes.map((node, i) => [
      node.id,
      [...new Set(writtenTracks(node, i).map(({ from }) => from))].filter((from) => known.has(nodeIdOf(from))),
    ]),
  );
}

/** In starting order; those that are switched off after what they wait for. */
function inOrder(
  plan: Pick<Plan, "nodes">,
  graph: PlanGraph,
  sources: ReadonlyMap<string, readonly string[]>,
): PlanNode[] {
  const byId = new Map(plan.nodes.map((node) => [node.id, node]));
  const order = new Set<PlanNode>();
  const add = (node: PlanNode, above: ReadonlySet<string>): void => {
    if (order.has(node) || above.has(node.id)) return;
    const below = new Set([...above, node.id]);
    for (const from of sources.get(node.id) ?? []) {
      const source = byId.get(nodeIdOf(from));
      if (source) add(source, below);
    }
    order.add(node);
  };
  for (const node of [...graph.nodes, ...plan.nodes]) add(node, new Set());
  return [...order];
}

/**
 * What stands in a gate's column reaches into the next one, where a frame would begin early: such a fork moves one column on, and all
 * that follows it.
 */
function columnsOf(
  order: readonly PlanNode[],
  sources: ReadonlyMap<string, readonly string[]>,
  given: Readonly<Record<string, Berth>>,
): Map<string, Berth> {
  const moved = new Set<string>();
  for (;;) {
    const cols = columnsWith(order, sources, given, moved);
    const gates = gateColumns(order, cols);
    const used = new Set(order.flatMap((node) => (node.kind === "fork" ? [] : [colOf(cols, node)])));
    const cramped = order.filter((node) => {
      const before = colOf(cols, node) - 1;
      return node.kind === "fork" && !moved.has(node.id) && gates.has(before) && used.has(before);
    });
    if (cramped.length === 0) return cols;
    for (const { id } of cramped) moved.add(id);
  }
}

function columnsWith(
  order: readonly PlanNode[],
  sources: ReadonlyMap<string, readonly string[]>,
  given: Readonly<Record<string, Berth>>,
  moved: ReadonlySet<string>,
): Map<string, Berth> {
  const cols = new Map<string, Berth>();
  const byId = new Map(order.map((node) => [node.id, node]));
  for (const node of order) {
    // In front of the first column stands the person, where a frame begins.
    let col = node.kind === "fork" ? 2 : 1;
    for (const from of sources.get(node.id) ?? []) {
      const [source, at] = [byId.get(nodeIdOf(from)), cols.get(nodeIdOf(from))];
      if (!source || !at) continue;
      const gate = source.kind === "fork" ? gateColumn(at, source.tasks.length) : at.col;
      const isBehind = source.kind === "fork" && node.kind !== "fork" && !isTaskPlace(from);
      col = Math.max(col, isBehind ? gate : gate + 1);
    }
    const asked = berthOf(given, node.id)?.col ?? 0;
    cols.set(node.id, { col: Math.max(col + (moved.has(node.id) && asked <= col ? 1 : 0), asked), row: 0 });
  }
  return cols;
}

/** From its first row to that in which its track goes straight through. */
const middleOf = (node: PlanNode): number =>
  node.kind === "fork" ? middleLane(blockShape(node.tasks.length, false).rows) : 0;

const colOf = (cols: Places, { id }: PlanNode): number => cols.get(id)?.col ?? 1;

/** The fork whose gate it stands behind. */
function behindOf({ byId, sources, cols }: Laying, node: PlanNode): string | null {
  if (node.kind === "fork") return null;
  for (const from of sources.get(node.id) ?? []) {
    const [source, at] = [byId.get(from), cols.get(from)];
    if (source?.kind === "fork" && at && gateColumn(at, source.tasks.length) === colOf(cols, node)) return from;
  }
  return null;
}

/** Straight behind the furthest node that it waits for. */
function wantedRow(node: PlanNode, { byId, sources, cols }: Laying, places: Places): number {
  let [furthest, row] = [-1, 0];
  for (const from of sources.get(node.id) ?? []) {
    const id = nodeIdOf(from);
    const [source, at] = [byId.get(id), places.get(id)];
    const col = cols.get(id)?.col ?? 0;
    if (!source || !at || col <= furthest) continue;
    furthest = col;
    row = at.row + middleOf(source);
  }
  return row;
}

function rowAboveReader(node: PlanNode, laying: Laying, places: Places): number {
  const rows = laying.plan.nodes.flatMap((reader) => {
    return laying.sources.get(reader.id)?.includes(node.id) ? (places.get(reader.id)?.row ?? []) : [];
  });
  return Math.min(...(rows.length === 0 ? [wantedRow(node, laying, places)] : rows)) - 1;
}

/** A number for each cell: no row is as far away. */
const cellAt = (col: number, row: number): number => col * 2 ** 24 + row;

/** Which cells are taken, and by what that a wagon behind its gate may stand beside. */
function createGround(gates: ReadonlySet<number>) {
  const places = new Map<string, Berth>();
  const taken = new Map<number, string>();
  /** Where something stands in a gate's column, and where a frame begins: neither may stand before the other. */
  const [reaching, begun] = [new Set<number>(), new Set<number>()];
  const isFree = ({ left, right, top, bottom }: Cells, behind: string | null): boolean => {
    for (let col = left; col <= right; col++)
      for (let row = top; row <= bottom; row++) {
        const holder = taken.get(cellAt(col, row));
        if (holder !== undefined && (behind === null || holder !== `gate ${behind}`)) return false;
      }
    return true;
  };
  const cellsOf = (node: PlanNode, col: number, row: number): Cells & { first: number } => {
    if (node.kind !== "fork") return { left: col, right: col, top: row, bottom: row, first: row };
    const shape = blockShape(node.tasks.length, false);
    const first = row - middleOf(node);
    return { ...blockCells({ col, row: first, ...shape, is_folded: false }), first };
  };
  const take = (node: PlanNode, col: number, cells: Cells & { first: number }): void => {
    for (let at = cells.left; at <= cells.right; at++)
      for (let row = cells.top; row <= cells.bottom; row++)
        taken.set(cellAt(at, row), node.kind === "fork" && at === cells.right ? `gate ${node.id}` : node.id);
    places.set(node.id, { col, row: cells.first });
  };
  const isClear = (node: PlanNode, { left, top, bottom }: Cells): boolean => {
    if (node.kind !== "fork") return !gates.has(left) || !begun.has(cellAt(left + 1, top));
    for (let row = top; row <= bottom; row++) if (reaching.has(cellAt(left - 1, row))) return false;
    return true;
  };
  const settle = (node: PlanNode, col: number, row: number, step: 1 | -1, behind: string | null): void => {
    let at = row;
    let cells = cellsOf(node, col, at);
    while (!isFree(cells, behind) || !isClear(node, cells)) {
      at += step;
      cells = cellsOf(node, col, at);
    }
    take(node, col, cells);
    if (node.kind !== "fork" && gates.has(col)) reaching.add(cellAt(col, at));
    if (node.kind === "fork") for (let own = cells.top; own <= cells.bottom; own++) begun.add(cellAt(col, own));
  };
  return {
    places,
    /** In the wanted row, else the first free one below. The row of a fork is that of its middle lane. */
    stand: (node: PlanNode, col: number, row: number, behind: string | null) => settle(node, col, row, 1, behind),
    /** The same upwards. */
    rise: (node: PlanNode, col: number, row: number, behind: string | null) => settle(node, col, row, -1, behind),
  };
}
