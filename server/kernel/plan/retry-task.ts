// A person has one task of a fork tried again while the fork runs: the same agent with the same context, as in any batch. Once the
// fork is over, its node is retried, and with it all tasks that did not deliver.
import { KernelError } from "@/server/contract/errors";
import { retryBranch } from "../batch/retry-branch";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { lockPlan } from "./lock-plan";
import { nodeIn, refuseEnded } from "./no-plan-run";
import type { PlanRunKey } from "./plan-row";

export type RetryTask = PlanRunKey & { node_id: string; task: string; by: string };

/** not_found for a task that the fork does not have; conflict if the run or the fork is over, or the task runs or has delivered. */
export async function retryTask(kernel: Kernel, input: RetryTask): Promise<void> {
  const branch = await withUnit(kernel, async (unit) => {
    const standing = await lockPlan(unit, input);
    if (!standing) return refuseEnded(unit, input);
    const { node_id, status, batch_id } = nodeIn(standing, input.node_id);
    const drawn = standing.plan.nodes.find(({ id }) => id === node_id);
    const tasks = drawn?.kind === "fork" ? drawn.tasks.map(({ id }) => id) : [];
    const task_index = tasks.indexOf(input.task);
    if (task_index === -1) throw noTask(node_id, input.task, tasks);
    if (status !== "running" || batch_id === null)
      throw new KernelError(
        "conflict",
        `task: ${node_id} is ${status}; one task is retried while its fork runs. Leave task out to retry the fork`,
        { path: "task" },
      );
    return { batch_id, task_index };
  });
  // The batch may end before it is locked here: then that is what is said.
  await retryBranch(kernel, { project_id: input.project_id, ...branch, by: input.by });
}

function noTask(node_id: string, task: string, tasks: string[]): KernelError {
  const has = tasks.length === 0 ? "It is no fork: leave task out" : `It has ${tasks.join(", ")}`;
  return new KernelError("not_found", `task: node ${node_id} has no task ${task}. ${has}`, { path: "task" });
}
