// Any hand-over: one verdict a card, every card of every column in exactly one row, and totals that add up.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type HandoverSides, judgeHandover } from "./judge-handover";
import { weighRows } from "./weigh-rows";

const fact = (type = "task.context", stands_for: string | null = null, is_redaction = false) => ({
  type,
  tokens: 10,
  stands_for,
  is_redaction,
});

const sides = (given: Partial<HandoverSides>): HandoverSides => ({
  ...{ had: [], packed: [], saw: null, memory: new Set(), receipt: [], trimmed: new Map(), facts: new Map() },
  ...given,
});
const told = (given: Partial<HandoverSides>): string[] =>
  judgeHandover(sides(given)).map(
    ({ verdict, had_id = "-", packed_id = "-", saw_id = "-" }) => `${verdict} ${had_id} ${packed_id} ${saw_id}`,
  );
const of = (card_id: string, origin = "box:b") => ({ card_id, origin });

describe("verdicts", () => {
  test("passed, unseen, added, left out, withheld, in the order of what the caller had", () => {
    expect(
      told({
        had: ["a", "secret", "b", "thought"],
        packed: [of("a"), of("new"), of("b"), of("task", "arg:instruction")],
        saw: ["prompt", "a", "new", "b", "task"],
        receipt: [
          { card_id: "a", verdict: "included" },
          { card_id: "new", verdict: "included" },
          { card_id: "thought", verdict: "withheld", reason: "the recipe excludes agent.thought" },
          { card_id: "b", verdict: "included" },
        ],
        facts: new Map([["prompt", fact("sys.rendered_prompt")]]),
      }),
    ).toEqual([
      "added - - prompt",
      "passed a a a",
      "passed_unseen - new new",
      "withheld secret - -",
      "passed b b b",
      "added - task task",
      "left_out thought - -",
    ]);
  });
  test("a redacted copy is beside its original, also at the end of a line of copies; an old copy just passes", () => {
    const facts = new Map([
      ["edit", fact("task.context", "a")],
      ["red", fact("task.context", "edit", true)],
      ["old", fact("task.context", "gone", true)],
    ]);
    const receipt = [
      { card_id: "red", verdict: "redacted" as const, reason: "bearer 1" },
      { card_id: "old", verdict: "included" as const },
    ];
    const given = { packed: [of("red"), of("old")], receipt, facts };
    expect(told({ ...given, had: ["a", "old"] })).toEqual(["redacted a red red", "passed old old old"]);
    expect(told({ ...given, had: [] })).toEqual(["redacted - red red", "passed_unseen - old old"]);
    expect(judgeHandover(sides({ ...given, had: [] }))[0]).toMatchObject({ card_id: "edit", reason: "bearer 1" });
  });
  test("memory, what is no message, and what a pack had no room for", () => {
    expect(
      told({
        had: ["a", "big"],
        packed: [of("a"), of("pointer", "ptr")],
        saw: ["mine", "a", "mine_too"],
        memory: new Set(["mine"]),
        trimmed: new Map([["big", "over the budget routine of the context pack"]]),
        facts: new Map([["pointer", fact("meta.parent_pointer")]]),
      }),
    ).toEqual(["memory - - mine", "passed a a a", "memory - - mine_too", "not_sent - pointer -", "trimmed big - -"]);
  });
  test("a repeat that the recipe dropped is no card of its own", () => {
    const receipt = [
      { card_id: "a", verdict: "included" as const },
      { card_id: "a", verdict: "duplicate" as const, reason: "stands earlier in this box" },
    ];
    expect(told({ had: ["a"], packed: [of("a")], receipt })).toEqual(["passed a a a"]);
  });
});

const ids = fc.uniqueArray(
  fc.integer({ min: 0, max: 25 }).map((n) => `c${n}`),
  { maxLength: 20 },
);
const anySides = fc
  .record({
    had: ids,
    packed: ids,
    saw: fc.option(ids, { nil: null }),
    memory: ids,
    lines: fc.array(fc.tuple(fc.nat(25), fc.constantFrom("included", "withheld", "duplicate", "redacted" as const))),
    stands: fc.dictionary(fc.constantFrom("c0", "c1", "c2", "c3", "c4"), fc.constantFrom("c5", "c6", "c1", "c0")),
    trimmed: ids,
  })
  .map(
    ({ had, packed, saw, memory, lines, stands, trimmed }): HandoverSides => ({
      had,
      packed: packed.map((card_id, i) => of(card_id, i % 3 === 0 ? "arg:x" : "box:b")),
      saw,
      memory: new Set(memory),
      receipt: lines.map(([n, verdict]) => ({ card_id: `c${n}`, verdict: verdict as "included" })),
      trimmed: new Map(trimmed.map((id) => [id, "over"])),
      facts: new Map(
        Array.from({ length: 26 }, (_, n) => [
          `c${n}`,
          { ...fact("task.context", stands[`c${n}`] ?? null, n === 1), tokens: n },
        ]),
      ),
    }),
  );

test("every card of a column is in exactly one row, and the totals are those of the columns", () => {
  fc.assert(
    fc.property(anySides, (given) => {
      const rows = judgeHandover(given);
      const saw = given.saw ?? given.packed.map(({ card_id }) => card_id);
      const inColumn = (key: "had_id" | "packed_id" | "saw_id") => rows.flatMap((row) => row[key] ?? []).sort();
      expect(inColumn("saw_id")).toEqual([...saw].sort());
      expect(inColumn("packed_id")).toEqual(given.packed.map(({ card_id }) => card_id).sort());
      expect(inColumn("had_id")).toEqual([...given.had].sort());
      // Aligned: column 1 keeps its order.
      expect(rows.flatMap((row) => row.had_id ?? [])).toEqual(given.had);
      const verdicts = weighRows(rows, given.facts);
      const sum = (side: "had" | "saw", key: "cards" | "tokens") =>
        Object.values(verdicts).reduce((n, one) => n + one[side][key], 0);
      const tokens = (list: readonly string[]) => list.reduce((n, id) => n + Number(id.slice(1)), 0);
      expect([sum("had", "cards"), sum("had", "tokens")]).toEqual([given.had.length, tokens(given.had)]);
      expect([sum("saw", "cards"), sum("saw", "tokens")]).toEqual([saw.length, tokens(saw)]);
      for (const absent of ["passed_unseen", "added"] as const) expect(verdicts[absent]?.had.cards ?? 0).toBe(0);
      for (const absent of ["left_out", "withheld", "trimmed", "not_sent"] as const)
        expect(verdicts[absent]?.saw.cards ?? 0).toBe(0);
    }),
    { numRuns: 1_000 },
  );
});
