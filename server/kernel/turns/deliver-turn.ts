// A worker ends the turns it runs. Set-wise: what ends at the same moment is written in one transaction.
import type { CardContent } from "@/server/contract/card";
import type { EndStatus } from "@/server/contract/turn";
import { log } from "@/server/log";
import type { Kernel, UnitOutcome } from "../kernel";
import { isPassing } from "../storage-error";
import { type Unit, withUnit } from "../unit";
import type { TurnCard } from "./append-cards";
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

/** What a worker delivers is not lost where the batch that it completes cannot be joined: then the join is tried after it, and by the watchdog. */
async function deliverOwn(kernel: Kernel, project_id: string, inputs: DeliverInput[]): Promise<Delivered[]> {
  const joins: Joins = { isTried: false, outcome: "aborted" };
  try {
    return await withUnit(kernel, (unit) => deliverIn(unit, project_id, inputs, joins));
  } catch (error) {
    if (!joins.isTried || joins.outcome !== "aborted" || isPassing(error)) throw error;
    log().warn(
      { error: String(error) },
      "the last ends of a batch could not be joined with it; they are written without it",
    );
    return withUnit(kernel, (unit) => deliverIn(unit, project_id, inputs, null));
  }
}

type Joins = { isTried: boolean; outcome: UnitOutcome };

async function deliverIn(
  unit: Unit,
  project_id: string,
  inputs: DeliverInput[],
  /** Null = nothing is joined with them. */
  joins: Joins | null,
): Promise<Delivered[]> {
  const worker_id = inputs[0]?.worker_id;
  const ending = { project_id, keys: inputs, statuses: ["running" as const], what: "deliver", worker_id };
  const agent_turn_ids = [...new Set(inputs.map((input) => input.agent_turn_id))];
  const [locked, isPlain, joinable] = await Promise.all([
    lockEnding(unit, ending),
    arePlain(unit, ending),
    joins && unit.kernel.onTurnsEnded?.joinable(unit, { project_id, agent_turn_ids }),
  ]);
  const held = inputs.flatMap((input, i) => {
    const row = locked[i];
    return row && !isFenced(row) ? [{ ...input, row, box: row }] : [];
  });
  const isWhole = isPlain && held.length === inputs.length;
  const joining = joinable ?? undefined;
  if (joins && joining && isWhole) {
    joins.isTried = true;
    unit.onOutcome((outcome) => {
      joins.outcome = outcome;
    });
  }
  const ended = await endTurns(unit, { project_id, ends: held, isPlain: isWhole, joining });
  const cards = new Map(ended.map((end) => [end.agent_turn_id, end.deliverable_card_id]));
  return inputs.map(({ agent_turn_id }, i) => {
    const answer = locked[i];
    if (answer && isFenced(answer)) return answer;
    const deliverable_card_id = cards.get(agent_turn_id);
    return deliverable_card_id === undefined ? { fenced: true, current_epoch: null } : { deliverable_card_id };
  });
}
