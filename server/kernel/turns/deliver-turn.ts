// A worker ends the turns it runs. Set-wise: what ends at the same moment is written in one transaction.
import type { CardContent } from "@/server/contract/card";
import type { EndStatus } from "@/server/contract/turn";
import { log } from "@/server/log";
import type { EndsAhead, JoinableBatch, Kernel, UnitOutcome } from "../kernel";
import { isHeldUp, isPassing } from "../storage-error";
import { type Unit, withUnit } from "../unit";
import type { TurnCard } from "./append-cards";
import { draftDeliverables } from "./draft-deliverable";
import { endTurns, type LastStep } from "./end-turns";
import { type Fenced, isFenced } from "./fenced";
import { arePlain, lockEnding, type TurnKey } from "./lock-turn";

export type DeliverInput = TurnKey & {
  status: EndStatus;
  content: CardContent | null;
  /** Further cards of the last step, in front of the deliverable. */
  cards?: TurnCard[];
  error_code?: string;
  error?: string;
  note?: string;
  /** The step that said it, which ends with the turn: in one transaction, where it took two. */
  step?: LastStep;
  worker_id?: string;
};

export type Delivered = { deliverable_card_id: string } | Fenced;

export async function deliverTurn(kernel: Kernel, input: DeliverInput): Promise<Delivered> {
  const [delivered] = await deliverTurns(kernel, [input]);
  return delivered ?? { fenced: true, current_epoch: null };
}

/** In input order. All of one project in one transaction: a refused card refuses them all. */
export async function deliverTurns(kernel: Kernel, inputs: DeliverInput[]): Promise<Delivered[]> {
  const answers = new Map<DeliverInput, Delivered>();
  for (const project_id of new Set(inputs.map((input) => input.project_id))) {
    const own = inputs.filter((input) => input.project_id === project_id);
    const delivered = await deliverOwn(kernel, project_id, own);
    for (const [i, input] of own.entries()) answers.set(input, delivered[i] ?? { fenced: true, current_epoch: null });
  }
  return inputs.map((input) => answers.get(input) ?? { fenced: true, current_epoch: null });
}

/** If the batch cannot be joined in the same transaction, the branches are ended without it; it is settled after that, or by the watchdog. */
async function deliverOwn(kernel: Kernel, project_id: string, inputs: DeliverInput[]): Promise<Delivered[]> {
  const attempt: JoinAttempt = { batch_id: null, outcome: "aborted" };
  try {
    return await withUnit(kernel, (unit) => deliverIn(unit, project_id, inputs, attempt));
  } catch (error) {
    const { batch_id, outcome } = attempt;
    if (batch_id === null || outcome !== "aborted" || (isPassing(error) && !isHeldUp(error))) throw error;
    log().warn(
      { project_id, batch_id, error: String(error) },
      "could not settle a batch in the transaction of its last branches; ending the branches first, then settling the batch",
    );
    return withUnit(kernel, (unit) => deliverIn(unit, project_id, inputs, null));
  }
}

type JoinAttempt = { batch_id: string | null; outcome: UnitOutcome };

/** Says in `attempt` that the join has begun, and what became of its unit. */
function noting(unit: Unit, attempt: JoinAttempt, batch: JoinableBatch): JoinableBatch {
  const join: JoinableBatch["join"] = (ends) => {
    attempt.batch_id = batch.batch_id;
    unit.onOutcome((outcome) => {
      attempt.outcome = outcome;
    });
    return batch.join(ends);
  };
  return { ...batch, join };
}

/** The same answer without looking for a batch: nobody is asked, or a join with these ends has failed. */
const plainOnly = async (unit: Unit, ends: Parameters<typeof arePlain>[1]): Promise<EndsAhead> => ({
  are_plain: await arePlain(unit, ends),
  joinable: null,
});

async function deliverIn(
  unit: Unit,
  project_id: string,
  inputs: DeliverInput[],
  /** Null = no batch is joined with them. */
  attempt: JoinAttempt | null,
): Promise<Delivered[]> {
  // A unit may be run again from the start.
  if (attempt) Object.assign(attempt, { batch_id: null, outcome: "aborted" });
  const worker_id = inputs[0]?.worker_id;
  const ending = { project_id, keys: inputs, statuses: ["running" as const], what: "deliver", worker_id };
  const agent_turn_ids = [...new Set(inputs.map((input) => input.agent_turn_id))];
  const beforeEnd = attempt && unit.kernel.onTurnsEnded?.beforeEnd;
  const [locked, ahead, drafts] = await Promise.all([
    lockEnding(unit, ending),
    beforeEnd ? beforeEnd(unit, { project_id, agent_turn_ids }) : plainOnly(unit, ending),
    draftDeliverables(unit, inputs),
  ]);
  const held = inputs.flatMap((input, i) => {
    const row = locked[i];
    return row && !isFenced(row) ? [{ row, box: row, drafted: drafts[i], ...input }] : [];
  });
  const isPlain = ahead.are_plain && held.length === inputs.length;
  const joining = attempt && ahead.joinable ? noting(unit, attempt, ahead.joinable) : undefined;
  const ended = await endTurns(unit, { project_id, ends: held, isPlain, joining });
  const cards = new Map(ended.map((end) => [end.agent_turn_id, end.deliverable_card_id]));
  return inputs.map(({ agent_turn_id }, i) => {
    const answer = locked[i];
    if (answer && isFenced(answer)) return answer;
    const deliverable_card_id = cards.get(agent_turn_id);
    return deliverable_card_id === undefined ? { fenced: true, current_epoch: null } : { deliverable_card_id };
  });
}
