"use client";

// One node of a plan as it stands now: its frame, its part of the plan's graph, and what is said of it.
import { useSyncExternalStore } from "react";
import type { PlanNodeFrame } from "@/server/contract/frame";
import type { PlanGraphView } from "@/server/contract/plan/plan-sheet";
import { planGraphsOf } from "./plan/plan-graphs";
import { nodesOfPlan, stepWords } from "./plan/plan-steps";
import { useBatches, usePlanNodes, useYard } from "./yard-context";

export type Step = { node: PlanNodeFrame; graph: PlanGraphView["nodes"][number]; words: string };

/** `id`: that of its frame. Undefined where there is no such node, or its plan is not read yet. */
export function useStep(id: string): Step | undefined {
  const { live } = useYard();
  const batches = useBatches();
  const plan_node = usePlanNodes();
  const store = planGraphsOf(live);
  const graphs = useSyncExternalStore(store.subscribe, store.get, store.get);
  const node = plan_node.get(id);
  const plan = node && graphs.get(node.plan_run_id);
  const graph = plan?.nodes.find((one) => one.node_id === node?.node_id);
  if (!node || !plan || !graph) return undefined;
  return {
    node,
    graph,
    words: stepWords(node, { graph: plan, nodes: nodesOfPlan(plan_node, node.plan_run_id), batches }),
  };
}

/** "Check the tables, waits for B1, 2 still out" */
export const spokenStep = ({ graph, node, words }: Step): string =>
  [graph.title, ...node.headcodes.slice(0, 1), words, graph.hold && node.status === "waiting" ? "then held" : ""]
    .filter(Boolean)
    .join(", ");
