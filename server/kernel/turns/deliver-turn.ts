// A worker ends the turns it runs. Set-wise: what ends at the same moment is written in one transaction.
import type { CardContent } from "@/server/contract/card";
import type { EndStatus } from "@/server/contract/turn";
import type { Kernel } from "../kernel";
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
    const delivered = await withUnit(kernel, (unit) => deliverIn(unit, project_id, own));
    for (const [i, input] of own.entries()) answers.set(input, delivered[i] ?? { fenced: true, current_epoch: null });
  }
  return inputs.map((input) => answers.get(input) ?? { fenced: true, current_epoch: null });
}

async function deliverIn(unit: Unit, project_id: string, inputs: DeliverInput[]): Promise<Delivered[]> {
  const worker_id = inputs[0]?.worker_id;
  const ending = { project_id, keys: inputs, statuses: ["running" as const], what: "deliver", worker_id };
  const [locked, isPlain] = await Promise.all([lockEnding(unit, ending), arePlain(unit, ending)]);
  const held = inputs.flatMap((input, i) => {
    const row = locked[i];
    return row && !isFenced(row) ? [{ ...input, row, box: row }] : [];
  });
  const isLast = isPlain && held.length === inputs.length;
  const ended = await endTurns(unit, { project_id, ends: held, isLast });
  const cards = new Map(ended.map((end) => [end.agent_turn_id, end.deliverable_card_id]));
  return inputs.map(({ agent_turn_id }, i) => {
    const answer = locked[i];
    if (answer && isFenced(answer)) return answer;
    const deliverable_card_id = cards.get(agent_turn_id);
    return deliverable_card_id === undefined ? { fenced: true, current_epoch: null } : { deliverable_card_id };
  });
}
