// The rows of a plan run as the pure decision reads them.
import type { DecidePlan } from "@/server/contract/plan/decide-plan";
import type { NodeState } from "@/server/contract/plan/node-end";
import type { NodeStanding, PlanStanding } from "./lock-plan";

export function stateOf({ run, plan, nodes }: PlanStanding): Omit<DecidePlan, "limit"> {
  return {
    plan,
    nodes: new Map([...nodes].map(([id, node]) => [id, nodeState(node)])),
    is_overdue: run.is_overdue,
    is_stepped: run.is_stepped,
    now: run.now,
  };
}

/** A hold is decided by the request: approved = it may start, denied = it is skipped. */
function nodeState(node: NodeStanding): NodeState {
  const { request_status, request_by, request_reason } = node;
  const isPassed = node.is_released || (node.status === "held" && request_status === "approved");
  const isRefused = node.status === "held" && request_status === "denied";
  return {
    status: node.status,
    next_retry_at: node.next_retry_at,
    is_released: isPassed,
    passes_limit: isPassed && node.request_status === "approved" && node.is_limit_told,
    skipped_by: isRefused ? `${request_by ?? "a person"}${request_reason ? `: ${request_reason}` : ""}` : null,
    headcodes: node.headcodes,
    reason: node.reason,
    batch_status: node.batch_status,
    tasks: (node.tasks ?? []).map(({ status }) => status),
    ...(node.status === "replayed" &&
      node.batch_status !== null &&
      node.batch_status !== "running" && { replayed_as: node.batch_status }),
  };
}
