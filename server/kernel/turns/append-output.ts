// A running turn adds cards to its output box.
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { appendCards, type TurnCard } from "./append-cards";
import { type Fenced, isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";

export type AppendInput = TurnKey & {
  cards: TurnCard[];
  note?: string;
  worker_id?: string;
  /** The cards come out of somebody's hand: the steps that they name are looked up. */
  areGiven?: boolean;
};

const STEPS = `
  SELECT s.step_id FROM state.agent_steps s
  WHERE s.project_id = $1 AND s.agent_turn_id = $2 AND s.step_id = ANY ($3::text[])`;

/** Ids in the order given. */
export async function appendOutput(kernel: Kernel, input: AppendInput): Promise<{ card_ids: string[] } | Fenced> {
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "append" });
    if (isFenced(row)) return row;
    if (input.areGiven) await refuseOthersSteps(unit, input);
    const { cards } = await appendCards(unit, { row, cards: input.cards, patch: { note: input.note }, isLast: true });
    return { card_ids: cards.map((card) => card.card_id) };
  });
}

/** A page shows a card under the step that it names. */
async function refuseOthersSteps(unit: Unit, { project_id, agent_turn_id, cards }: AppendInput): Promise<void> {
  const named = cards.flatMap(({ metadata }) => (metadata?.step_id === undefined ? [] : [metadata.step_id]));
  if (named.length === 0) return;
  const rows = await unit.query<{ step_id: string }>("append_steps", STEPS, [
    project_id,
    agent_turn_id,
    named.filter((one) => typeof one === "string"),
  ]);
  const own = new Set<unknown>(rows.map(({ step_id }) => step_id));
  const at = cards.findIndex(({ metadata }) => metadata?.step_id !== undefined && !own.has(metadata.step_id));
  if (at < 0) return;
  const path = `cards.${at}.metadata.step_id`;
  throw new KernelError(
    "bad_request",
    `${path} is not a step of this turn; give one that :step began, or leave it out`,
    {
      path,
    },
  );
}
