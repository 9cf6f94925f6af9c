// Suspends a running turn until its calls are answered. Results that have already arrived are read at once; if all have, it
// is not suspended.

import { KernelError } from "@/server/contract/errors";
import type { SuspendResult } from "@/server/contract/waiting";
import { ASK_HUMAN, callOf, hasWaited, lockWaits, type Wait } from "../inbox/waits";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { advance } from "./advance";
import { applyResults } from "./apply-results";
import { type EndStepInput, endStepIn } from "./end-step";
import { type Fenced, isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";
import { type TurnRow, turnFrame } from "./turn-row";

export type SuspendInput = TurnKey & {
  tool_call_ids: string[];
  worker_id?: string;
  /** The step that made the calls ends in the same transaction. */
  step?: Omit<EndStepInput, keyof TurnKey | "worker_id">;
};

/** bad_request for a call that the turn does not wait for. */
export async function suspendTurn(kernel: Kernel, input: SuspendInput): Promise<SuspendResult | Fenced> {
  return withUnit(kernel, async (unit) => {
    const locked = await lockTurn(unit, { ...input, statuses: ["running"], what: "suspend" });
    return isFenced(locked) ? locked : suspendIn(unit, locked, input);
  });
}

/** Inside a unit that holds the turn. */
export async function suspendIn(unit: Unit, locked: TurnRow, input: SuspendInput): Promise<SuspendResult | Fenced> {
  const row = input.step ? (await endStepIn(unit, locked, { ...input, ...input.step })).row : locked;
  const waits = await lockWaits(unit, input);
  await refuseUnknown(unit, input, waits);
  return sleepUntil(unit, row, waits);
}

type SoleWait = Pick<SuspendInput, "step" | keyof TurnKey> & {
  tool_call_id: string;
  tool_name: string;
  /** Sent and not answered yet. */
  waiting: Promise<Pick<Wait, "deadline_at">>;
  /** The unit has nothing to send or to tell after it. */
  isLast: boolean;
};

/** Inside a unit that holds the turn, where it makes a call and waits for nothing else: what it waits for need not be read. */
export async function sleepOn(unit: Unit, locked: TurnRow, input: SoleWait): Promise<SuspendResult | Fenced> {
  const { tool_call_id, tool_name, waiting, step } = input;
  const row = step ? (await endStepIn(unit, locked, { ...input, ...step })).row : locked;
  const falling = fallAsleep(unit, row, [{ tool_name }]);
  if (input.isLast) unit.seal(row.project_id);
  const [slept, wait] = await Promise.all([falling, waiting]);
  if (isFenced(slept)) return slept;
  const deadline = wait.deadline_at;
  return { status: "suspended", ...(deadline !== null && { deadline }), results: [], waiting: [tool_call_id] };
}

const fallAsleep = (unit: Unit, row: TurnRow, open: Pick<Wait, "tool_name">[]): Promise<TurnRow | Fenced> =>
  advance(unit, {
    project_id: row.project_id,
    agent_turn_id: row.agent_turn_id,
    turn_epoch: row.turn_epoch,
    from: ["running"],
    to: "suspended",
    epoch_step: 0,
    lease_holder: null,
    note: `waits for ${namesOf(open)}`,
  });

async function refuseUnknown(unit: Unit, input: SuspendInput, waits: Wait[]): Promise<void> {
  const known = new Set(waits.filter((wait) => wait.wait_status !== "dropped").map(callOf));
  const [unknown] = input.tool_call_ids.filter((id) => !known.has(id));
  if (unknown !== undefined)
    throw new KernelError(
      "bad_request",
      `tool_call_ids: the turn does not wait for call ${unknown}; make the call first`,
    );
  if (known.size === 0 && !(await hasWaited(unit, input)))
    throw new KernelError(
      "bad_request",
      "tool_call_ids: nothing to wait for; first make a call that is answered later",
    );
}

async function sleepUntil(unit: Unit, locked: TurnRow, waits: Wait[]): Promise<SuspendResult | Fenced> {
  const came = waits.filter((wait) => wait.wait_status === "received");
  const open = waits.filter((wait) => wait.wait_status === "waiting");
  const { row, results } = await applyResults(unit, { row: locked, waits: came });
  const waiting = open.map(callOf);
  if (open.length === 0) {
    unit.frame(row.project_id, turnFrame(row));
    return { status: "running", results, waiting };
  }
  const deadline = latestDeadline(open);
  const slept = await fallAsleep(unit, row, open);
  if (isFenced(slept)) return slept;
  return { status: "suspended", ...(deadline !== null && { deadline }), results, waiting };
}

/** Null when one of them has none: the turn may then sleep for as long as that one takes (K14). */
export function latestDeadline(waits: Pick<Wait, "deadline_at">[]): string | null {
  const times = waits.map((wait) =>
    wait.deadline_at === null ? Number.POSITIVE_INFINITY : Date.parse(wait.deadline_at),
  );
  const last = Math.max(...times);
  return Number.isFinite(last) ? new Date(last).toISOString() : null;
}

export const namesOf = (waits: Pick<Wait, "tool_name">[]): string =>
  [...new Set(waits.map((w) => (w.tool_name === ASK_HUMAN ? "a person" : w.tool_name)))].join(", ");
