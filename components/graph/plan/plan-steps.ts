// The plans of a run, step by step, from the picture alone: so they are as live, and as paused, as everything in the yard.
import type { Picture, PlanNodeFrame, PlanRunFrame } from "@/server/contract/frame";
import type { PlanNodeStatus } from "@/server/contract/plan/plan-run";
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import { isEnded } from "@/server/contract/turn";
import type { BatchViews } from "./batch-view";

export type PlanSteps = { run: PlanRunFrame; nodes: ReadonlyMap<string, PlanNodeFrame> };
type Plans = Pick<Picture, "plan_run" | "plan_node">;

/** Of one run, in the order of their launch. */
export function plansOf({ plan_run, plan_node }: Plans, root_turn_id: string): PlanSteps[] {
  const runs = [...plan_run.values()].filter((run) => run.root_turn_id === root_turn_id);
  if (runs.length === 0) return [];
  const plans = new Map(runs.sort(byLaunch).map((run) => [run.plan_run_id, { run, nodes: new Map() }]));
  for (const node of plan_node.values()) plans.get(node.plan_run_id)?.nodes.set(node.node_id, node);
  return [...plans.values()];
}

/** What a turn that launched a plan waits for: "Waiting for first-look, 1 of 3 steps over". */
export function awaitedPlanWords({ plan_run, plan_node }: Plans, agentTurnId: string): string | null {
  for (const run of plan_run.values()) {
    if (run.status !== "running" || run.parent_turn_id !== agentTurnId) continue;
    let [over, all] = [0, 0];
    for (const node of plan_node.values()) {
      if (node.plan_run_id !== run.plan_run_id) continue;
      all++;
      if (isOver(node.status)) over++;
    }
    return `Waiting for ${run.name || "its plan"}, ${over} of ${all} ${all === 1 ? "step" : "steps"} over`;
  }
  return null;
}

/** The nodes of one plan run, by node: the same map while none of them changes. */
export function nodesOfPlan(plan_node: Plans["plan_node"], planRunId: string): PlanSteps["nodes"] {
  let grouped = byPlan.get(plan_node);
  if (!grouped) {
    grouped = new Map();
    for (const node of plan_node.values()) {
      const nodes = grouped.get(node.plan_run_id) ?? new Map<string, PlanNodeFrame>();
      grouped.set(node.plan_run_id, nodes.set(node.node_id, node));
    }
    byPlan.set(plan_node, grouped);
  }
  return grouped.get(planRunId) ?? noNodes;
}

const byPlan = new WeakMap<object, Map<string, Map<string, PlanNodeFrame>>>();
const noNodes: PlanSteps["nodes"] = new Map();

type GraphNode = PlanGraphView["nodes"][number];
export type StepsAround = { graph: PlanGraphView; nodes: PlanSteps["nodes"]; batches: BatchViews };

/** "waits for B1, 2 still out" */
export function stepWords(node: PlanNodeFrame, around: StepsAround): string {
  const { status, reason } = node;
  if (status === "waiting")
    return node.next_retry_at === undefined ? waitWords(node, around) : "waits for its next start";
  if (status === "held") return reason?.includes("_max ") ? `held: ${reason}` : "held: a person must let it start";
  if (status === "replayed") return "takes a recorded result";
  if (status === "skipped" && reason !== undefined && !reason.startsWith("skipped")) return `skipped: ${reason}`;
  return reason ?? status;
}

/** Something of it was handed over, or recorded: a track into it is travelled. */
export const hasBegun = (node: PlanNodeFrame | undefined): boolean =>
  node !== undefined && (node.batch_id !== undefined || node.status === "replayed");

const isOver = (status: PlanNodeStatus): boolean => status !== "waiting" && status !== "held" && status !== "running";

function waitWords({ node_id }: PlanNodeFrame, around: StepsAround): string {
  const tracks = around.graph.nodes.find((one) => one.node_id === node_id)?.waits_for ?? [];
  const open = [...new Set(tracks.filter((track) => isOut(track, around)).map((track) => trackWords(track, around)))];
  const [first, ...others] = open;
  if (first === undefined) return "about to start";
  return others.length === 0 ? `waits for ${first}` : `waits for ${first} and ${others.length} more`;
}

type Track = GraphNode["waits_for"][number];

/** A task of a fork that still runs may have ended before its gate. */
function isOut({ node_id, task_index }: Track, { nodes, batches }: StepsAround): boolean {
  const node = nodes.get(node_id);
  if (node === undefined || isOver(node.status)) return false;
  if (task_index === undefined) return true;
  const turn = batches.get(node.batch_id ?? "")?.lanes[task_index]?.turn;
  return turn === undefined || !isEnded(turn.status);
}

function trackWords({ node_id, task_index, on }: Track, { graph, nodes, batches }: StepsAround): string {
  const source = graph.nodes.find((one) => one.node_id === node_id);
  const view = batches.get(nodes.get(node_id)?.batch_id ?? "");
  const title = source?.title ?? node_id;
  const end = ends[on];
  if (task_index !== undefined) return `task ${task_index + 1} of ${title}${end}`;
  if (source?.kind !== "fork" || view === undefined) return `${title}${end}`;
  const out = view.counts.out + view.counts.held;
  return `${view.name}${end}, ${out} still out`;
}

const ends: Record<Track["on"], string> = {
  delivered: "",
  success: " to succeed",
  failed: " to fail",
  ended: " to end",
};

const byLaunch = (a: PlanRunFrame, b: PlanRunFrame): number =>
  a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : a.plan_run_id < b.plan_run_id ? -1 : 1;
