// Lengths, tokens and consists of planned boxes and of what each turn read and wrote. Each list of cards is walked once, no
// matter how many boxes share it.
import type { Card } from "@/server/contract/card";
import { appendConsist } from "@/server/contract/consist";
import type { BoxSize } from "@/server/kernel/cardbox/create-boxes";
import type { RecordedTurn } from "@/server/kernel/turns/record-turns";
import type { ImportPlan, PlannedBox, PlannedTurn } from "./plan";
import type { Slices } from "./slices";

export type TurnWeight = Pick<
  RecordedTurn,
  "context_cards" | "context_tokens" | "context_consist" | "output_cards" | "output_tokens" | "output_consist"
>;

export type Weights = { cards: ReadonlyMap<string, Card>; boxes: ReadonlyMap<string, BoxSize> };

export function* weighBoxes(plan: ImportPlan, cards: ReadonlyMap<string, Card>): Slices<Weights> {
  const sharers = new Map<readonly string[], PlannedBox[]>();
  for (const box of plan.boxes) {
    const known = sharers.get(box.card_ids);
    if (known) known.push(box);
    else sharers.set(box.card_ids, [box]);
  }
  const sizes = new Map<string, BoxSize>();
  for (const [card_ids, boxes] of sharers) {
    let at = 0;
    let size = { token_sum: 0, consist: "" };
    for (const { box_id, length } of boxes.sort((a, b) => a.length - b.length)) {
      for (; at < length; at++) {
        size = grow(size, cardAt(cards, card_ids, at));
        yield;
      }
      sizes.set(box_id, { box_id, length, ...size });
    }
  }
  return { cards, boxes: sizes };
}

/** What a turn's row repeats from its boxes: all of the context, and the part of the output that it wrote itself. */
export function* weighTurn(turn: PlannedTurn, output: PlannedBox, weights: Weights): Slices<TurnWeight> {
  let own = { token_sum: 0, consist: "" };
  for (let at = turn.output_start; at < turn.output_end; at++) {
    own = grow(own, cardAt(weights.cards, output.card_ids, at));
    yield;
  }
  const context = weights.boxes.get(turn.context_box_id);
  return {
    context_cards: context?.length ?? 0,
    context_tokens: context?.token_sum ?? 0,
    context_consist: context?.consist ?? "",
    output_cards: turn.output_end - turn.output_start,
    output_tokens: own.token_sum,
    output_consist: own.consist,
  };
}

export function cardAt(cards: ReadonlyMap<string, Card>, card_ids: readonly string[], at: number): Card {
  const card = cards.get(card_ids[at] ?? "");
  if (!card) throw new Error(`a planned box holds a card at ${at} that is not planned`);
  return card;
}

// Card by card, like a growing box: from scratch, merging the runs of a box of thousands takes seconds.
const grow = (size: { token_sum: number; consist: string }, { role, token_count }: Card) => ({
  token_sum: size.token_sum + token_count,
  consist: appendConsist(size.consist, [{ role, tokens: token_count }]),
});
