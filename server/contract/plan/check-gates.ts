// The gate of a fork against the fork: how many tasks it takes, what ends it early, and its own time.
import { policyMisfit } from "../join-rules";
import { type Checking, type GraphProblem, problem } from "./checking";
import type { PlanOp } from "./op";
import type { Fork } from "./plan";
import { nameOf } from "./plan-words";

export function gatesFit({ plan }: Checking): GraphProblem[] {
  return plan.nodes.flatMap((node, i) => (node.kind === "fork" && !node.disabled ? gateFits(node, i) : []));
}

function gateFits(node: Fork, i: number): GraphProblem[] {
  const { policy, fail_fast, deadline_seconds } = node.gate;
  const tasks = node.tasks.length;
  // A fork without a task has a problem of its own.
  if (!policy || tasks === 0) return [];
  const deadline_ms = deadline_seconds === undefined ? null : Math.round(deadline_seconds * 1000);
  const misfit = policyMisfit(policy, { tasks, fail_fast, deadline_ms });
  if (!misfit) return [];
  const set = (path: string, value: number | boolean | null | undefined): PlanOp => ({
    op: "set",
    node: node.id,
    path,
    value,
  });
  const [says, fixes] = {
    fail_fast: [
      `${nameOf(node)} ends with the first failure, but its gate does not wait for all tasks. Switch one of the two off.`,
      [set("/gate/fail_fast", false), set("/gate/policy", undefined)],
    ] as const,
    "policy.k": [
      `${nameOf(node)} waits for ${policy.k} of ${tasks} tasks. Wait for fewer, or add tasks.`,
      [set("/gate/policy/k", tasks)],
    ] as const,
    "policy.timeout_ms": [
      `${nameOf(node)} waits longer than its deadline of ${deadline_seconds} s. Give the gate less time, or move the deadline.`,
      [set("/gate/policy/timeout_ms", deadline_ms)],
    ] as const,
  }[misfit.path] ?? [misfit.message, []];
  return [problem("gate", node.id, `nodes.${i}.gate.${misfit.path}`, says, [...fixes])];
}
