// A person has a node tried again while its plan run runs: a new batch under the next try. Nodes that were skipped because of
// it wait again; those that ran stay as they ran.
import { KernelError } from "@/server/contract/errors";
import { followersToReopen } from "@/server/contract/plan/followers-to-reopen";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { lockPlan } from "./lock-plan";
import { nodeIn, refuseEnded } from "./no-plan-run";
import { advanceAfter } from "./on-turns-ended";
import type { PlanRunKey } from "./plan-row";
import { stateOf } from "./plan-state";
import { moveNodes } from "./write-nodes";

const isOpenToRetry = (status: string): boolean =>
  status === "skipped" || status === "failed" || status === "timeout" || status === "canceled";

/** not_found; conflict if the run has ended, or the node waits, runs or has delivered. */
export async function retryNode(kernel: Kernel, input: PlanRunKey & { node_id: string }): Promise<void> {
  await withUnit(kernel, async (unit) => {
    const standing = await lockPlan(unit, input);
    if (!standing) return refuseEnded(unit, input);
    const node = nodeIn(standing, input.node_id);
    if (!isOpenToRetry(node.status))
      throw new KernelError(
        "conflict",
        `node: ${node.node_id} is ${node.status}; nodes that failed, timed out, were canceled or skipped can be retried`,
        { path: "node" },
      );
    const reopened = followersToReopen(stateOf(standing), node.node_id);
    await moveNodes(unit, standing.run, [
      // What was never started keeps its try and its codes.
      {
        node_id: node.node_id,
        status: "waiting",
        try: node.try + (node.batch_id === null ? 0 : 1),
        starts: 0,
        is_released: true,
      },
      ...reopened.map((node_id) => ({ node_id, status: "waiting" as const, starts: 0 })),
    ]);
    await advanceAfter(unit, input);
  });
}
