// A person lets a node start or skips it, by its name in the plan. A node that is held has a request, and the request decides;
// one that still waits can be skipped before it is asked about.
import { KernelError } from "@/server/contract/errors";
import { decideRequest } from "../humans/decide-request";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { lockPlan } from "./lock-plan";
import { nodeIn, refuseEnded } from "./no-plan-run";
import { advanceAfter } from "./on-turns-ended";
import type { PlanRunKey } from "./plan-row";
import { moveNodes } from "./write-nodes";

export type DecideNode = PlanRunKey & { node_id: string; by: string };

/** not_found; conflict if it is not held. */
export async function releaseNode(kernel: Kernel, { node_id, by, ...key }: DecideNode): Promise<void> {
  const request_id = await withUnit(kernel, async (unit) => {
    const standing = await lockPlan(unit, key);
    if (!standing) return refuseEnded(unit, key);
    const node = nodeIn(standing, node_id);
    if (node.status === "held" && node.request_id !== null) return node.request_id;
    throw new KernelError("conflict", `node: ${node_id} is ${node.status}; only a node that is held can be let start`, {
      path: "node",
    });
  });
  await decideRequest(kernel, { project_id: key.project_id, request_id, by, decision: { action: "approve" } });
}

/** not_found; conflict if it has started. */
export async function skipNode(
  kernel: Kernel,
  { node_id, by, reason, ...key }: DecideNode & { reason?: string },
): Promise<void> {
  const request_id = await withUnit(kernel, async (unit) => {
    const standing = await lockPlan(unit, key);
    if (!standing) return refuseEnded(unit, key);
    const node = nodeIn(standing, node_id);
    if (node.status === "held" && node.request_id !== null) return node.request_id;
    if (node.status !== "waiting")
      throw new KernelError(
        "conflict",
        `node: ${node_id} is ${node.status}; only a node that waits or is held can be skipped`,
        {
          path: "node",
        },
      );
    const said = `skipped by ${by}${reason ? `: ${reason}` : ""}`;
    await moveNodes(unit, standing.run, [{ node_id, status: "skipped", reason: said }]);
    await advanceAfter(unit, key);
    return null;
  });
  if (request_id === null) return;
  const decision = { action: "deny" as const, reason: reason || "not needed" };
  await decideRequest(kernel, { project_id: key.project_id, request_id, by, decision });
}
