// A node of a plan as the yard draws it: where it stands, before anything of it has started, and what it waits for. Pure.
import { blockCells, blockShape, type Cells } from "@/server/contract/lanes";
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import type { Lanes } from "./geometry";

type GraphNode = PlanGraphView["nodes"][number];

/** A track into a stop, from another one or from one task of a fork before its gate. */
export type Way = { stop: string; task_index?: number; on: GraphNode["waits_for"][number]["on"] };

export type Stop = Lanes & {
  /** plan_run_id.node_id: the id of its frame. */
  id: string;
  plan_run_id: string;
  kind: GraphNode["kind"];
  is_behind: boolean;
  waits_for: readonly Way[];
  /** Something waits for it. */
  is_followed: boolean;
};

export const stopId = (plan_run_id: string, node_id: string): string => `${plan_run_id}.${node_id}`;

/** What stands at a stop keeps this name, from before its turn to after it: for a task of a fork with its index. */
export const slotOf = (stop: Pick<Stop, "id" | "kind">, taskIndex: number | undefined): string =>
  stop.kind === "fork" ? `${stop.id}.${taskIndex ?? 0}` : stop.id;

/** In the order of the plan, on the plan's own grid: column 1 is the first behind whoever launched it. */
export function stopsOf({ plan_run_id, nodes }: PlanGraphView): Stop[] {
  const followed = new Set(nodes.flatMap(({ waits_for }) => waits_for.map(({ node_id }) => node_id)));
  const gates = new Set(
    nodes
      .filter(({ kind }) => kind === "fork")
      .map(({ berth, tasks }) => berth.col + blockShape(tasks.length, false).cols),
  );
  return nodes.map(({ node_id, kind, berth, tasks, waits_for }) => ({
    id: stopId(plan_run_id, node_id),
    plan_run_id,
    kind,
    ...berth,
    lanes: Math.max(1, tasks.length),
    ...blockShape(tasks.length, false),
    // In one line with what follows the gate, so that its track finds room beside.
    is_behind: kind !== "fork" && gates.has(berth.col),
    is_followed: followed.has(node_id),
    waits_for: waits_for.map(({ node_id: from, ...way }) => ({ stop: stopId(plan_run_id, from), ...way })),
  }));
}

/** The cells that nothing else may stand in. */
export const stopCells = ({ kind, col, row, rows, cols }: Stop): Cells =>
  kind === "fork"
    ? blockCells({ col, row, rows, cols, is_folded: false })
    : { left: col, right: col, top: row, bottom: row };
