// Two boxes of 2,000 cards compared, beside the least that any comparison does: looking up every id of one in the other. No
// database.
import { judgeDiff } from "@/server/contract/box-diff/judge-diff";
import { type DiffCard, matchCards, unmatched } from "@/server/contract/box-diff/match-cards";
import { pairAlike } from "@/server/contract/box-diff/pair-alike";

const CARDS = Number(process.argv[2] ?? 2_000);
const ROUNDS = 15;
type Made = DiffCard & { text: string };

const words = (seed: number, n: number) =>
  Array.from({ length: n }, (_, i) => `w${((seed + 1) * 7919 + i * 104_729) % 50_021}`).join(" ");
const card = (card_id: string, text: string): Made => ({
  ...{ card_id, text, content_hash: card_id, type: "agent.note", author_id: "ann", tokens: 100, stands_for: null },
});
const box = (name: (i: number) => string, text: (i: number) => string): Made[] =>
  Array.from({ length: CARDS }, (_, i) => card(name(i), text(i)));

const plain = box(
  (i) => `c${i}`,
  (i) => words(i, 100),
);
const cases: [string, Made[]][] = [
  ["the same", plain],
  ["one put in, one left out", [card("new", words(99_999, 100)), ...plain.slice(1)]],
  ["shuffled", plain.map((_, i) => plain[(i * 7_919) % CARDS]).filter((one) => one !== undefined)],
  [
    "all rewritten",
    box(
      (i) => `d${i}`,
      (i) => `${words(i, 100)} and more`,
    ),
  ],
  [
    "all others",
    box(
      (i) => `e${i}`,
      (i) => words(i + 100_000, 100),
    ),
  ],
];

function compare(a: readonly Made[], b: readonly Made[]): number {
  const exact = matchCards(a, b);
  const rest = unmatched({ a, b }, exact);
  const left = (side: readonly Made[], places: readonly number[]) =>
    places.flatMap((at) => (side[at] ? [{ at, card: side[at], text: side[at].text }] : []));
  return judgeDiff({ a, b, pairs: [...exact, ...pairAlike(left(a, rest.a), left(b, rest.b))] }).length;
}

function lookUp(a: readonly Made[], b: readonly Made[]): number {
  const places = new Map(a.map((one, at) => [one.card_id, at]));
  return b.filter((one) => places.has(one.card_id)).length;
}

/** Processor time: the machine has other work. */
function median(work: () => void): number {
  const spent = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return spent.sort((x, y) => x - y)[ROUNDS >> 1] ?? 0;
}

for (const [name, other] of cases) {
  const floor = median(() => lookUp(plain, other));
  const all = median(() => compare(plain, other));
  console.log(
    `${CARDS} against ${other.length}, ${name}: ${all.toFixed(1)} ms, ${(all / floor).toFixed(1)} x looking up the ids`,
  );
}
