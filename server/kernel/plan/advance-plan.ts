// Advances a plan run: a ring, a sweep, a hold that is let go and a finished batch all call it. It repeats one unit until nothing
// is left to do: lock the run, decide from the rows, do it, commit. At most one node starts in a unit: a refused node leaves no
// trace in another.
import type { BatchStatus } from "@/server/contract/batch";
import { KernelError } from "@/server/contract/errors";
import { decidePlan, type PlanAct } from "@/server/contract/plan/decide-plan";
import { log } from "@/server/log";
import type { Caller } from "../delegation/caller";
import type { Kernel } from "../kernel";
import { isPassing } from "../storage-error";
import { type Unit, withUnit } from "../unit";
import { dropHolds } from "./drop-holds";
import { endPlan } from "./end-plan";
import { holdNode } from "./hold-node";
import { readLimits } from "./limit-reached";
import { lockPlan, type PlanStanding } from "./lock-plan";
import { callerOf } from "./plan-caller";
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

const REST = "UPDATE state.plan_runs SET is_at_rest = $3 WHERE project_id = $1 AND plan_run_id = $2";

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
  const adopted: Promise<PlanNodeRow[]>[] = [];
  for (let steps = 0; steps < ACTS_MAX; steps++) {
    const { act, caller } = await decide(unit, standing);
    if (act.act === "adopt") {
      adopted.push(adopt(unit, standing, act));
      continue;
    }
    await Promise.all(adopted);
    if (act.act === "wait") {
      noteRest(unit, standing, true);
      await unit.probe("plan-acted");
      return "running";
    }
    if (act.act === "start") starting.node_id = act.node_id;
    const moved = await carryOut(unit, standing, act, caller);
    if (act.act === "end" || act.act === "timeout") {
      await unit.probe("plan-acted");
      return endStatusOf(act);
    }
    for (const row of moved) apply(standing, row);
    if (act.act === "start" || act.act === "hold") {
      const isDone = restsAfter(standing, act.node_id);
      noteRest(unit, standing, isDone);
      await unit.probe("plan-acted");
      return isDone ? "running" : "again";
    }
  }
  throw new Error(`plan run ${key.plan_run_id} did not come to rest in ${ACTS_MAX} acts`);
}

/** What it will be is known: what is read for the next start does not wait for it. */
function adopt(
  unit: Unit,
  standing: PlanStanding,
  { node_id, status }: Extract<PlanAct, { act: "adopt" }>,
): Promise<PlanNodeRow[]> {
  const moving = moveNodes(unit, standing.run, [{ node_id, status }], ACTING);
  // If a read behind it fails first, that is what is told.
  moving.catch(() => undefined);
  const node = standing.nodes.get(node_id);
  if (node) standing.nodes.set(node_id, { ...node, status, reason: null, error_code: null, next_retry_at: null });
  return moving;
}

/** Whether the sweep must look at it although nothing has ended. Mostly it rested before and rests again. */
function noteRest(unit: Unit, { run }: PlanStanding, is_at_rest: boolean): void {
  if (run.is_at_rest === is_at_rest) return;
  unit.send("plan_rest", REST, [run.project_id, run.plan_run_id, is_at_rest]);
}

/**
 * Nothing else is to be done, as far as this unit can see: the next unit would only lock the run and read its nodes to say so. Of a
 * node that replays tasks it cannot see how they ended.
 */
function restsAfter(standing: PlanStanding, node_id: string): boolean {
  if (standing.nodes.get(node_id)?.replays) return false;
  return decidePlan({ ...stateOf(standing), limit: null }).act === "wait";
}

/** Limits are counted only where a node would start, and its caller is read with them. */
async function decide(unit: Unit, standing: PlanStanding): Promise<{ act: PlanAct; caller?: Caller }> {
  const state = stateOf(standing);
  const act = decidePlan({ ...state, limit: null });
  if (act.act !== "start" && act.act !== "hold") return { act };
  const [limit, caller] = await Promise.all([
    readLimits(unit, standing),
    act.act === "start" ? callerOf(unit, standing.run) : undefined,
  ]);
  const limited = decidePlan({ ...state, limit });
  const starts = limited.act === "start";
  return { act: limited, caller: starts ? (caller ?? (await callerOf(unit, standing.run))) : undefined };
}

/** A node as it is now, in the rows that the next act is decided from. What it had of an earlier try is over. */
function apply({ nodes }: PlanStanding, row: PlanNodeRow): void {
  const node = nodes.get(row.node_id);
  if (!node) return;
  nodes.set(row.node_id, {
    ...node,
    ...row,
    ...(row.status === "running" && { batch_status: "running", tasks: null }),
    ...(row.status === "held" && { request_status: "open", request_by: null, request_reason: null }),
  });
}

const endStatusOf = (act: Extract<PlanAct, { act: "end" | "timeout" }>): BatchStatus =>
  act.act === "timeout" ? "timeout" : act.status;

const ACTING = { wakes: false };

/** Answers the nodes that were moved, where the next act is decided in the same unit. */
async function carryOut(
  unit: Unit,
  standing: PlanStanding,
  act: Exclude<PlanAct, { act: "adopt" }>,
  caller: Caller | undefined,
): Promise<PlanNodeRow[]> {
  const { run } = standing;
  switch (act.act) {
    case "skip":
      await dropHolds(unit, standing, [act.node_id]);
      return moveNodes(unit, run, [{ node_id: act.node_id, status: "skipped", reason: act.reason }], ACTING);
    case "reopen":
      await dropHolds(unit, standing, [act.node_id]);
      return moveNodes(unit, run, [{ node_id: act.node_id, status: "waiting", is_released: false }], ACTING);
    case "hold":
      return holdNode(unit, standing, nodeOf(standing, act.node_id), act);
    case "start": {
      if (!caller) throw new Error(`plan run ${run.plan_run_id} starts a node and its caller was not read`);
      const started = await startNode(unit, standing, nodeOf(standing, act.node_id), caller);
      // It was held at a limit that was raised. After the heads, as everywhere (K17).
      await dropHolds(unit, standing, [act.node_id]);
      return started;
    }
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
