// A running turn adds cards to its output box.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { appendCards, type TurnCard } from "./append-cards";
import { type Fenced, isFenced } from "./fenced";
import { lockTurn, type TurnKey } from "./lock-turn";

export type AppendInput = TurnKey & { cards: TurnCard[]; note?: string; worker_id?: string };

/** Ids in the order given. */
export async function appendOutput(kernel: Kernel, input: AppendInput): Promise<{ card_ids: string[] } | Fenced> {
  return withUnit(kernel, async (unit) => {
    const row = await lockTurn(unit, { ...input, statuses: ["running"], what: "append" });
    if (isFenced(row)) return row;
    const { cards } = await appendCards(unit, { row, cards: input.cards, patch: { note: input.note } });
    return { card_ids: cards.map((card) => card.card_id) };
  });
}
