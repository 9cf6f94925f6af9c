// A person has a node tried again while its plan run runs: a new batch under the next try. Nodes that were skipped because of
// it wait again; those that ran stay as they ran. Of a fork only the tasks that did not deliver run again.

import { KernelError } from "@/server/contract/errors";
import { followersToReopen } from "@/server/contract/plan/followers-to-reopen";
import { graphOf } from "@/server/contract/plan/graph";
import { isMet } from "@/server/contract/plan/node-end";
import type { Plan } from "@/server/contract/plan/plan";
import type { Replays } from "@/server/contract/plan/plan-run";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { lockPlan, type NodeStanding } from "./lock-plan";
import { nodeIn, refuseEnded } from "./no-plan-run";
import { advanceAfter } from "./on-turns-ended";
import type { PlanRunKey } from "./plan-row";
import { stateOf } from "./plan-state";
import { moveNodes } from "./write-nodes";

const isOpenToRetry = (status: string): boolean =>
  status === "skipped" || status === "failed" || status === "timeout" || status === "canceled";

/** Of a fork, the branches that delivered: they are entered as recorded, and only the others run again. */
function deliveredOf({ nodes }: Plan, { node_id, tasks }: NodeStanding): Replays | null {
  const fork = nodes.find(({ id }) => id === node_id);
  if (fork?.kind !== "fork") return null;
  const delivered = (tasks ?? []).flatMap(({ task_index, status, batch_task_id }) => {
    const id = fork.tasks[task_index]?.id;
    return id !== undefined && hasDelivered(status) ? [[id, batch_task_id] as const] : [];
  });
  return delivered.length === 0 ? null : { tasks: Object.fromEntries(delivered) };
}

const hasDelivered = (status: string): boolean => status === "success" || status === "partial";

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
    const state = stateOf(standing);
    const reopened = followersToReopen(state, node.node_id);
    // Asked for while what it waits for is over; else a person who must be asked is asked then.
    const tracks = graphOf(standing.plan).into.get(node.node_id) ?? [];
    const isReady = tracks.every((track) => isMet(state, track) === true);
    await moveNodes(unit, standing.run, [
      // What was never started keeps its try and its codes.
      {
        node_id: node.node_id,
        status: "waiting",
        try: node.try + (node.batch_id === null ? 0 : 1),
        starts: 0,
        is_released: isReady,
        // One that never started keeps what it was given to take as recorded.
        ...(node.batch_id !== null && { replays: deliveredOf(standing.plan, node) }),
      },
      ...reopened.map((node_id) => ({ node_id, status: "waiting" as const, starts: 0, is_released: false })),
    ]);
    await advanceAfter(unit, input);
  });
}
