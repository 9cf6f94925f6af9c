// Settles a batch: a ring, a sweep and a deadline all call this. It locks the batch row first, derives the state from the
// branches and decides with one compare-and-set, so that the batch ends once however many callers there are.
import type { BatchStatus } from "@/server/contract/batch";
import type { LockedBox } from "../cardbox/grow-boxes";
import type { Kernel } from "../kernel";
import { holdTurns } from "../turns/hold-turns";
import { type Unit, withUnit } from "../unit";
import { arrivalsOf, writeArrivals } from "./arrivals";
import { tryAgain, withAttemptsLeft } from "./attempts";
import type { BatchEnd } from "./batch-end";
import type { BatchKey } from "./batch-row";
import { decide, type Verdict } from "./decide";
import { dispatchPending } from "./dispatch-pending";
import { endAndGoOn, handingOf } from "./go-on";
import { type Branch, lockStanding, readBranches, type Standing } from "./read-standing";

/** Its status now; null if it had already ended or does not exist. */
export async function settleBatch(kernel: Kernel, key: BatchKey): Promise<BatchStatus | null> {
  const settled = await settleOnce(kernel, key);
  if (settled === null || settled.slots === 0) return settled?.status ?? null;
  const { failed } = await dispatchPending(kernel, key);
  return failed > 0 ? settleBatch(kernel, key) : settled.status;
}

type Settled = { status: BatchStatus; slots: number };

async function settleOnce(kernel: Kernel, key: BatchKey): Promise<Settled | null> {
  return withUnit(kernel, async (unit) => {
    const found = await lockStanding(unit, key);
    if (!found) return null;
    await unit.probe("settle-locked");
    const { standing, again, arrivals, verdict } = await decided(unit, found);
    if (verdict.kind === "end") {
      await endDecided(unit, standing, verdict, arrivals);
      return { status: verdict.status, slots: 0 };
    }
    await writeArrivals(unit, standing, arrivals);
    await tryAgain(unit, standing, again);
    const isHeldBack = standing.branches.some((branch) => branch.status === "pending");
    return { status: "running" as const, slots: isHeldBack ? verdict.free_slots : 0 };
  });
}

type Ending = Extract<Verdict, { kind: "end" }>;

/** The unit has locked the batch and the turn that waits for it. `box`: that turn's output box, if it is locked and the turn waits for nothing else. */
export async function endDecided(
  unit: Unit,
  standing: Standing,
  verdict: Ending,
  arrivals: number[],
  box: LockedBox | null = null,
): Promise<void> {
  const reason = reasonOf(verdict.cause, standing.batch.deadline_at);
  await endAndGoOn(unit, standing, { ...verdict, reason, arrivals }, handingOf(unit.kernel, standing, box));
}

type Decided = { standing: Standing; again: Branch[]; arrivals: number[]; verdict: Verdict };

/**
 * A gate closes with its live branches held, and is decided once more: who arrives while it closes either counts or is
 * late, and is never both or neither.
 */
async function decided(unit: Unit, standing: Standing): Promise<Decided> {
  const first = decideOnce(standing);
  const { project_id, batch_id, policy } = standing.batch;
  const live = standing.branches.filter((branch) => branch.status === "dispatched");
  if (policy === null || first.verdict.kind !== "end" || live.length === 0) return first;
  await holdTurns(unit, { project_id, agent_turn_ids: live.flatMap((branch) => branch.agent_turn_id ?? []) });
  return decideOnce({ ...standing, branches: await readBranches(unit, { project_id, batch_id }) });
}

export function decideOnce(standing: Standing): Decided {
  const { policy, is_gate_due } = standing.batch;
  const again = withAttemptsLeft(standing);
  const tasks = standing.branches.map((branch) => (again.includes(branch) ? "pending" : branch.status));
  const arrivals = arrivalsOf(standing, again);
  const gate = policy === null ? undefined : { policy, arrivals, is_due: is_gate_due };
  return { standing, again, arrivals, verdict: decide({ ...standing.batch, tasks, gate }) };
}

function reasonOf(cause: Ending["cause"], deadline_at: string | null): BatchEnd["reason"] {
  return {
    all: "",
    fail_fast: "stopped: another branch of a fail-fast batch did not succeed",
    deadline: `stopped: the batch's deadline ${deadline_at} has passed`,
    satisfied: "stopped: enough other tasks had arrived",
    quorum_unreachable: "stopped: too few tasks could still arrive",
    join_timeout: "stopped: the time of the join was over",
    partial_timeout: "stopped: the time of the join was over",
  }[cause];
}
