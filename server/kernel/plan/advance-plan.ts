// Advances a plan run: a ring, a sweep, a hold that is let go and a finished batch all call it. It repeats one unit until nothing
// is left to do: lock the run, decide from the rows, do it, commit. At most one node starts in a unit: a refused node leaves no
// trace in another.
import type { BatchStatus } from "@/server/contract/batch";
import { KernelError } from "@/server/contract/errors";
import { decidePlan, type PlanAct } from "@/server/contract/plan/decide-plan";
import { log } from "@/server/log";
import type { Kernel } from "../kernel";
import { isPassing } from "../storage-error";
import { type Unit, withUnit } from "../unit";
import { dropHolds } from "./drop-holds";
import { endPlan } from "./end-plan";
import { holdNode } from "./hold-node";
import { readLimits } from "./limit-reached";
import { lockPlan, type PlanStanding } from "./lock-plan";
import type { PlanNodeRow, PlanRunKey } from "./plan-row";
import { stateOf } from "./plan-state";
import { startNode } from "./start-node";
import { moveNodes } from "./write-nodes";

/** More acts than any plan has: each node waits, is held, starts and ends once a try. */
const ACTS_MAX = 10_000;

/** Its status now; null if it had already ended or does not exist. */
export async function advancePlan(kernel: Kernel, key: PlanRunKey): Promise<BatchStatus | null> {
  for (let acts = 0; acts < ACTS_MAX; acts++) {
    const starting: Starting = {};
    try {
      const done = await withUnit(kernel, (unit) => actOnce(unit, key, starting));
      if (done !== "again") return done;
    } catch (error) {
      if (starting.node_id === undefined) throw error;
      await noteFailedStart(kernel, key, starting.node_id, error);
    }
  }
  throw new Error(`plan run ${key.plan_run_id} did not come to rest in ${ACTS_MAX} acts`);
}

const REST = "UPDATE state.plan_runs SET is_at_rest = true WHERE project_id = $1 AND plan_run_id = $2";

/** The node that an act tries to start: its refusal is the node's, and no one else's. */
type Starting = { node_id?: string };

/**
 * What cannot be refused (adopting ends, skipping) is done in the unit of the act that follows it. A start that is refused takes
 * that back with it, and it is decided again from the same rows.
 */
async function actOnce(unit: Unit, key: PlanRunKey, starting: Starting): Promise<BatchStatus | "again" | null> {
  starting.node_id = undefined;
  const standing = await lockPlan(unit, key);
  if (!standing) return null;
  await unit.probe("plan-locked");
  for (let steps = 0; steps < ACTS_MAX; steps++) {
    const act = await decide(unit, standing);
    if (act.act === "wait") {
      if (steps > 0 || !standing.run.is_at_rest) await unit.query("plan_rest", REST, [key.project_id, key.plan_run_id]);
      await unit.probe("plan-acted");
      return "running";
    }
    if (act.act === "start") starting.node_id = act.node_id;
    const moved = await carryOut(unit, standing, act);
    if (act.act === "end" || act.act === "timeout") {
      await unit.probe("plan-acted");
      return endStatusOf(act);
    }
    if (act.act === "start" || act.act === "hold") {
      await unit.probe("plan-acted");
      return "again";
    }
    for (const row of moved) apply(standing, row);
  }
  throw new Error(`plan run ${key.plan_run_id} did not come to rest in ${ACTS_MAX} acts`);
}

/** Limits are counted only where a node would start. */
async function decide(unit: Unit, standing: PlanStanding): Promise<PlanAct> {
  const state = stateOf(standing);
  const act = decidePlan({ ...state, limit: null });
  if (act.act !== "start" && act.act !== "hold") return act;
  return decidePlan({ ...state, limit: await readLimits(unit, standing) });
}

/** A node as it is now, in the rows that the next act is decided from. */
function apply({ nodes }: PlanStanding, row: PlanNodeRow): void {
  const node = nodes.get(row.node_id);
  if (node) nodes.set(row.node_id, { ...node, ...row });
}

const endStatusOf = (act: Extract<PlanAct, { act: "end" | "timeout" }>): BatchStatus =>
  act.act === "timeout" ? "timeout" : act.status;

/** Answers the nodes that were moved, where the next act is decided in the same unit. */
async function carryOut(unit: Unit, standing: PlanStanding, act: PlanAct): Promise<PlanNodeRow[]> {
  const { run } = standing;
  switch (act.act) {
    case "adopt":
      return moveNodes(unit, run, [{ node_id: act.node_id, status: act.status }]);
    case "skip":
      await dropHolds(unit, standing, [act.node_id]);
      return moveNodes(unit, run, [{ node_id: act.node_id, status: "skipped", reason: act.reason }]);
    case "reopen":
      await dropHolds(unit, standing, [act.node_id]);
      return moveNodes(unit, run, [{ node_id: act.node_id, status: "waiting", is_released: false }]);
    case "hold":
      await holdNode(unit, standing, nodeOf(standing, act.node_id), act);
      return [];
    case "start":
      await startNode(unit, standing, nodeOf(standing, act.node_id));
      // It was held at a limit that was raised. After the heads, as everywhere (K17).
      await dropHolds(unit, standing, [act.node_id]);
      return [];
    case "end":
      await endPlan(unit, standing, { status: act.status, cause: "all" });
      return [];
    case "timeout":
      await endPlan(unit, standing, { status: "timeout", cause: "deadline" });
      return [];
    case "wait":
      return [];
  }
}

function nodeOf({ plan, run }: PlanStanding, node_id: string) {
  const node = plan.nodes.find(({ id }) => id === node_id);
  if (!node) throw new Error(`plan run ${run.plan_run_id} has no node ${node_id}`);
  return node;
}

/** A refusal fails the node with the kernel's own code; what may pass is tried again after 2, 4, 8, 16 s. */
async function noteFailedStart(kernel: Kernel, key: PlanRunKey, node_id: string, error: unknown): Promise<void> {
  // A full queue empties.
  const isRefused =
    error instanceof KernelError && !isPassing(error) && error.code !== "internal_error" && error.code !== "queue_full";
  const code = error instanceof KernelError ? error.code : "internal_error";
  const message = error instanceof KernelError ? error.message : "internal error; see the server's log";
  if (!(error instanceof KernelError))
    log().error({ ...key, node_id, err: error }, "a node of a plan could not be started");
  const { dispatchAttemptsMax, dispatchRetryMs, dispatchRetryMsMax } = kernel.tunables;
  await withUnit(kernel, async (unit) => {
    const standing = await lockPlan(unit, key);
    const node = standing?.nodes.get(node_id);
    // Stopped, edited or started by another meanwhile.
    if (!standing || !node || (node.status !== "waiting" && node.status !== "held")) return;
    const starts = node.starts + 1;
    const isLast = starts >= dispatchAttemptsMax;
    const retry_in_ms = Math.min(dispatchRetryMs * 2 ** node.starts, dispatchRetryMsMax);
    await moveNodes(unit, standing.run, [
      isRefused || isLast
        ? {
            node_id,
            status: "failed",
            starts,
            error_code: isLast && !isRefused ? "dispatch_retry_exhausted" : code,
            reason: message,
          }
        : { node_id, status: "waiting", starts, retry_in_ms, is_released: true, reason: `not started yet: ${message}` },
    ]);
  });
}
