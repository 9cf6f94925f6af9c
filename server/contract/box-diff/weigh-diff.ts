// What each verdict comes to, in cards and tokens of each box.
import type { Weight } from "../handover-diff";
import type { BoxDiff, DiffWeight } from "./box-diff";
import type { JudgedDiff } from "./judge-diff";
import type { DiffCard } from "./match-cards";

type Sides = { a: readonly DiffCard[]; b: readonly DiffCard[] };

export function weighDiff(rows: readonly JudgedDiff[], { a, b }: Sides): BoxDiff["verdicts"] {
  const verdicts: BoxDiff["verdicts"] = {};
  for (const row of rows) {
    const sum: DiffWeight = verdicts[row.verdict] ?? { ...nothing(), a: nothing(), b: nothing() };
    verdicts[row.verdict] = sum;
    const [mine, theirs] = [a[row.a ?? -1], b[row.b ?? -1]];
    add(sum, theirs ?? mine);
    add(sum.a, mine);
    add(sum.b, theirs);
  }
  return verdicts;
}

const nothing = (): Weight => ({ cards: 0, tokens: 0 });

function add(weight: Weight, card: DiffCard | undefined): void {
  if (!card) return;
  weight.cards++;
  weight.tokens += card.tokens;
}
