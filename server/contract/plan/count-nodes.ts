// How far a run of a plan has come, in figures: one count for the list, the page and the note of the turn that launched it. Counted
// apart, they told different figures of one run.
import type { BatchStatus } from "../batch";
import type { PlanNodeStatus } from "./plan-run";

export type CountedNode = {
  status: PlanNodeStatus;
  /** Of its batch, or of the one whose result it takes. */
  batch_status: BatchStatus | null;
};

export type NodeCounts = {
  node_count: number;
  /** Ended as success or partial, or took the result of a node that did. */
  delivered_count: number;
  /** Wait for a person. */
  held_count: number;
};

/** Of the nodes that the plan has: one that an edit took away is none. */
export function countNodes(nodes: readonly CountedNode[]): NodeCounts {
  return {
    node_count: nodes.length,
    delivered_count: nodes.filter(hasDelivered).length,
    held_count: nodes.filter(({ status }) => status === "held").length,
  };
}

function hasDelivered({ status, batch_status }: CountedNode): boolean {
  const end = status === "replayed" ? batch_status : status;
  return end === "success" || end === "partial";
}
