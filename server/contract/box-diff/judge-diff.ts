// One verdict for every card of two boxes, and the order in which the rows are read.
import type { DiffVerdict, PairedBy } from "./box-diff";
import { longestRise } from "./longest-rise";
import type { CardPair, DiffCard } from "./match-cards";

/** `a` and `b` are positions. Absent = not in that box. */
export type JudgedDiff = {
  verdict: DiffVerdict;
  a?: number;
  b?: number;
  same_words?: true;
  paired_by?: PairedBy;
  alike?: number;
};

type Judging = { a: readonly DiffCard[]; b: readonly DiffCard[]; pairs: readonly CardPair[] };

/** In the order of b, with removed cards at their old place. */
export function judgeDiff({ a, b, pairs }: Judging): JudgedDiff[] {
  const pairOf = new Map(pairs.map((pair) => [pair.b, pair]));
  const kept = longestRise(b.map((_, at) => stayedAt(pairOf.get(at))));
  const rows = b.map((_, at) => judge(at, { pair: pairOf.get(at), isKept: kept.has(at) }));
  const taken = new Set(pairs.map((pair) => pair.a));
  const removed = [...a.keys()].filter((at) => !taken.has(at));
  return weave(rows, removed);
}

/** What was rewritten has a place of its own, and does not decide who moved. */
const stayedAt = (pair: CardPair | undefined): number | null =>
  pair && (pair.by === "id" || pair.by === "words") ? pair.a : null;

function judge(b: number, { pair, isKept }: { pair?: CardPair; isKept: boolean }): JudgedDiff {
  if (!pair) return { verdict: "added", b };
  const { a, by, alike } = pair;
  if (by === "copy" || by === "alike")
    return { verdict: "rewritten", a, b, paired_by: by, ...(alike !== undefined && { alike }) };
  return { verdict: isKept ? "same" : "moved", a, b, ...(by === "words" && { same_words: true as const }) };
}

/** Removed cards come before the first kept card that followed them. */
function weave(rows: readonly JudgedDiff[], removed: readonly number[]): JudgedDiff[] {
  const out: JudgedDiff[] = [];
  let next = 0;
  const takeUntil = (position: number): void => {
    for (let a = removed[next]; a !== undefined && a < position; a = removed[++next])
      out.push({ verdict: "removed", a });
  };
  for (const row of rows) {
    if (row.verdict === "same" && row.a !== undefined) takeUntil(row.a);
    out.push(row);
  }
  takeUntil(Number.POSITIVE_INFINITY);
  return out;
}
