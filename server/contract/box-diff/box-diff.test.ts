// The diff of two boxes as a whole: a verdict for every card, and a way from one box to the other.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "@/server/testing/cpu";
import { type JudgedDiff, judgeDiff } from "./judge-diff";
import { type DiffCard, matchCards, unmatched } from "./match-cards";
import { pairAlike } from "./pair-alike";
import { weighDiff } from "./weigh-diff";

type Made = DiffCard & { text: string };

const card = (card_id: string, more: Partial<Made> = {}): Made => ({
  ...{ card_id, type: "agent.note", author_id: "ann", tokens: 1, stands_for: null },
  ...{ content_hash: `hash of ${more.text ?? card_id}`, text: card_id },
  ...more,
});

function diff(a: readonly Made[], b: readonly Made[]): JudgedDiff[] {
  const exact = matchCards(a, b);
  const rest = unmatched({ a, b }, exact);
  const left = (side: readonly Made[], places: readonly number[]) =>
    places.flatMap((at) => (side[at] ? [{ at, card: side[at], text: side[at].text }] : []));
  return judgeDiff({ a, b, pairs: [...exact, ...pairAlike(left(a, rest.a), left(b, rest.b))] });
}

const told = (a: readonly Made[], b: readonly Made[]) =>
  diff(a, b).map((row) => [row.verdict, a[row.a ?? -1]?.card_id, b[row.b ?? -1]?.card_id].filter(Boolean).join(" "));
const letters = (ids: string) => [...ids].map((id) => card(id));

describe("verdicts", () => {
  test.each([
    ["abc", "abc", ["same a a", "same b b", "same c c"]],
    ["abc", "axc", ["same a a", "added x", "removed b", "same c c"]],
    ["abcd", "bcda", ["same b b", "same c c", "same d d", "moved a a"]],
    ["", "a", ["added a"]],
    ["ab", "", ["removed a", "removed b"]],
    ["aa", "aaa", ["same a a", "same a a", "added a"]],
  ])("%s to %s", (a, b, rows) => expect(told(letters(a), letters(b))).toEqual(rows));

  test("a copy is a rewritten card, also where both are copies", () => {
    const [original, copy, other] = [card("o"), card("c", { stands_for: "o" }), card("d", { stands_for: "o" })];
    for (const [a, b] of [[original, copy] as const, [copy, original] as const, [copy, other] as const])
      expect(diff([a], [b])).toEqual([{ verdict: "rewritten", a: 0, b: 0, paired_by: "copy" }]);
  });
  test("another card with the same words is the same, and says so", () => {
    const rows = diff([card("x", { content_hash: "h" })], [card("y", { content_hash: "h" })]);
    expect(rows).toEqual([{ verdict: "same", a: 0, b: 0, same_words: true }]);
  });
  test("most of the words are the same: rewritten, but only of one author and type", () => {
    const text = "The plan has four steps and the second one is the slowest of them all by far";
    const [a, b] = [card("a", { text }), card("b", { text: text.replace("four", "five") })];
    expect(diff([a], [b])).toMatchObject([{ verdict: "rewritten", paired_by: "alike" }]);
    expect(told([a], [{ ...b, author_id: "bob" }])).toEqual(["added b", "removed a"]);
    expect(told([a], [{ ...b, type: "task.context" }])).toEqual(["added b", "removed a"]);
    expect(told([a], [card("b", { text: "Nothing in this text has any run of words in common with it" })])).toEqual([
      "added b",
      "removed a",
    ]);
  });
  test.each([
    ["short", "open the second door now please", "open the second door now slowly"],
    ["a script without blanks", "今天天气很好我们一起去公园散步吧", "今天天气很好我们一起去公园跑步吧"],
    ["one word", "yes", "Yes"],
  ])("texts that are %s are compared by shorter runs", (_what, one, other) =>
    expect(told([card("a", { text: one })], [card("b", { text: other })])).toEqual(["rewritten a b"]),
  );
  test("the best pair wins, and of two equal ones the nearer", () => {
    const text = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi";
    const near = card("near", { text: `${text} omicron` });
    const far = card("far", { text: text.replace("alpha beta", "one two three") });
    expect(told([card("a", { text })], [far, near])).toEqual(["added far", "rewritten a near"]);
    const twin = (id: string) => card(id, { text: `${text} sigma`, content_hash: id });
    expect(told([twin("a1"), card("q"), twin("a2")], [twin("b1"), card("q"), twin("b2")])).toEqual([
      "rewritten a1 b1",
      "same q q",
      "rewritten a2 b2",
    ]);
  });
});

const texts = [
  "go on",
  "the red door is open and the blue door is shut",
  "the red door is open and the blue door is ajar",
];
const anyCard = fc
  .record({
    card_id: fc.constantFrom(..."abcdefghij"),
    type: fc.constantFrom("agent.note", "task.context"),
    text: fc.constantFrom(...texts),
    stands_for: fc.option(fc.constantFrom(..."abcdefghij"), { nil: null }),
  })
  .map(({ card_id, ...more }) => ({ ...card(card_id), ...more, tokens: card_id.charCodeAt(0), content_hash: card_id }));
/** One id is one card, wherever it occurs. */
const anyBoxes = fc.tuple(fc.array(anyCard, { maxLength: 30 }), fc.array(anyCard, { maxLength: 30 })).map(([a, b]) => {
  const known = new Map<string, Made>();
  for (const one of [...a, ...b]) if (!known.has(one.card_id)) known.set(one.card_id, one);
  const own = (box: readonly Made[]) => box.map((one) => known.get(one.card_id) ?? one);
  return [own(a), own(b)] as const;
});

describe("of any two boxes", () => {
  test("every card of both has exactly one verdict, and the totals are those of the boxes", () =>
    fc.assert(
      fc.property(anyBoxes, ([a, b]) => {
        const rows = diff(a, b);
        const places = (side: "a" | "b") => rows.flatMap((row) => row[side] ?? []).toSorted((x, y) => x - y);
        expect(places("a")).toEqual([...a.keys()]);
        expect(places("b")).toEqual([...b.keys()]);
        const sums = Object.values(weighDiff(rows, { a, b }));
        for (const [side, box] of [["a", a] as const, ["b", b] as const]) {
          expect(sums.reduce((n, sum) => n + sum[side].cards, 0)).toBe(box.length);
          expect(sums.reduce((n, sum) => n + sum[side].tokens, 0)).toBe(box.reduce((n, one) => n + one.tokens, 0));
        }
      }),
    ));

  test("what the rows say of a makes b: leave out, put others in their place, put in", () =>
    fc.assert(
      fc.property(anyBoxes, ([a, b]) => {
        const rows = diff(a, b);
        const stay = new Set(rows.filter((row) => row.verdict === "same").map((row) => row.a));
        // What stays keeps the order that it has in a; all else is laid at the place that its row names.
        const staying = a.filter((_, at) => stay.has(at)).map((one) => one.card_id);
        const laid = new Map(
          rows.filter((row) => row.verdict !== "same").map((row) => [row.b, b[row.b ?? -1]?.card_id] as const),
        );
        const made = b.map((_, at) => laid.get(at) ?? staying.shift());
        expect(made).toEqual(b.map((one) => one.card_id));
        expect(staying).toEqual([]);
      }),
    ));

  test("a box against itself is all the same", () =>
    fc.assert(
      fc.property(anyBoxes, ([a]) => {
        for (const row of diff(a, a)) expect(row).toEqual({ verdict: "same", a: row.a, b: row.a });
      }),
    ));

  test("turned round, it has as many of each, and added are removed", () =>
    fc.assert(
      fc.property(anyBoxes, ([a, b]) => {
        const count = (rows: readonly JudgedDiff[], verdict: string) =>
          rows.filter((row) => row.verdict === verdict).length;
        const [there, back] = [diff(a, b), diff(b, a)];
        for (const verdict of ["same", "moved", "rewritten"]) expect(count(there, verdict)).toBe(count(back, verdict));
        expect(count(there, "added")).toBe(count(back, "removed"));
        expect(count(there, "removed")).toBe(count(back, "added"));
      }),
    ));
});

describe("large boxes", () => {
  const words = (seed: number, n: number) =>
    Array.from({ length: n }, (_, i) => `w${((seed + 1) * 7919 + i * 104_729) % 50_021}`).join(" ");
  test("ten thousand cards in the other order, and one that is repeated as often", () => {
    const a = Array.from({ length: 10_000 }, (_, i) => card(`c${i}`));
    const same = a.map(() => card("c0"));
    expect(
      cpuMs(() => expect(diff(a, a.toReversed()).filter((r) => r.verdict === "same")).toHaveLength(1)),
    ).toBeLessThan(1_500);
    expect(cpuMs(() => diff(same, same))).toBeLessThan(1_500);
  });
  test("four hundred rewritten cards find each other among four hundred, also under one heading", () => {
    const heading = words(99_999, 40);
    const made = (id: string, i: number, more: string) =>
      card(`${id}${i}`, { text: `${heading} ${words(i, 80)} ${more}`, content_hash: `${id}${i}` });
    const a = Array.from({ length: 400 }, (_, i) => made("a", i, "before"));
    const b = Array.from({ length: 400 }, (_, i) => made("b", i, "after all"));
    const spent = cpuMs(() => {
      const rows = diff(a, b);
      expect(rows.filter((row) => row.verdict === "rewritten" && row.a === row.b)).toHaveLength(400);
    });
    expect(spent).toBeLessThan(1_500);
    const same = (id: string) => a.map((_, i) => card(`${id}${i}`, { text: heading, content_hash: `${id}${i}` }));
    expect(diff(same("x"), same("y")).every((row) => row.verdict === "rewritten" && row.a === row.b)).toBe(true);
  });
});
