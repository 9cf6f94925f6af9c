// What each verdict comes to, in each column. Pure.
import type { HandoverSheet, VerdictWeight, Weight } from "@/server/contract/handover-diff";
import type { CardFact, JudgedRow } from "./judge-handover";

export function weighRows(rows: readonly JudgedRow[], facts: ReadonlyMap<string, CardFact>): HandoverSheet["verdicts"] {
  const verdicts: HandoverSheet["verdicts"] = {};
  const tokensOf = (id: string | undefined): number => (id === undefined ? 0 : (facts.get(id)?.tokens ?? 0));
  const add = (weight: Weight, id: string | undefined): void => {
    if (id === undefined) return;
    weight.cards++;
    weight.tokens += tokensOf(id);
  };
  for (const { verdict, had_id, packed_id, saw_id, card_id } of rows) {
    const sum: VerdictWeight = verdicts[verdict] ?? { ...NOTHING(), had: NOTHING(), saw: NOTHING() };
    verdicts[verdict] = sum;
    add(sum, saw_id ?? packed_id ?? had_id ?? card_id);
    add(sum.had, had_id);
    add(sum.saw, saw_id);
  }
  return verdicts;
}

const NOTHING = (): Weight => ({ cards: 0, tokens: 0 });
