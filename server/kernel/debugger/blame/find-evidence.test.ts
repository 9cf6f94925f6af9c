import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { choose } from "./choose";
import { findEvidence } from "./find-evidence";
import { needleOf } from "./needle";

const find = (words: string | string[], text: string, isJson = false) => {
  const needle = needleOf([words].flat());
  const evidence = needle && findEvidence(needle, { text, isJson });
  return evidence && { ...evidence, said: evidence.ranges.map(({ start, end }) => text.slice(start, end)) };
};

// Whole signs: who selects text cannot select half of a letter with its accents.
const signs = new Intl.Segmenter("en", { granularity: "grapheme" });

describe("exact", () => {
  test("case, width and whitespace do not matter; the range is that of the original", () => {
    expect(find("the QUICK brown  fox", "See: The\nquick   brown fox jumps.")).toMatchObject({
      kind: "exact",
      coverage: 1,
      said: ["The\nquick   brown fox"],
    });
  });
  test("fewer than 12 characters are no evidence", () => {
    expect(find("brown fox", "the quick brown fox")).toBeUndefined();
    expect(find("in the end", "in the end it was")).toBeUndefined();
  });
  test("any stretch of 12 characters or more of any text is found in it, whole", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 12, maxLength: 80 }),
        fc.nat(40),
        fc.nat(80),
        (text, from, more) => {
          const part = Array.from(signs.segment(text), ({ segment }) => segment)
            .slice(from, from + 12 + more)
            .join("");
          const needle = needleOf([part]);
          if (!needle || needle.folded.length < 12) return;
          expect(findEvidence(needle, { text })).toMatchObject({ kind: "exact", coverage: 1 });
        },
      ),
    );
  });
  test("words out of JSON are found in it without their escapes", () => {
    const text = JSON.stringify({ note: 'He said "never again"\nand left.' }, null, 2);
    expect(find('said "never again" and left', text, true)).toMatchObject({
      kind: "exact",
      said: ['said \\"never again\\"\\nand left'],
    });
  });
});

describe("value", () => {
  test("numbers are compared as numbers", () => {
    expect(find("1,234.50", '{"total": 1234.5}', true)).toMatchObject({ kind: "value", coverage: 1, said: ["1234.5"] });
    expect(find("$1234.5", "The sum: 1,234.50 euros.")).toMatchObject({ kind: "value", said: ["1,234.50"] });
    expect(find("1234", "version 1234.5")).toBeUndefined();
  });
  test("one or two digits are everywhere", () => expect(find("42", "all 42 of them")).toBeUndefined());
  test("a text is a value of JSON, and not the name of a field", () => {
    expect(find("Paris", '{"city": "Paris"}', true)).toMatchObject({ kind: "value", said: ["Paris"] });
    expect(find("city", '{"city": "Paris"}', true)).toBeUndefined();
    expect(find("Paris", "Paris is big")).toBeUndefined();
    expect(find("true", '{"ok": true}', true)).toBeUndefined();
  });
});

describe("near", () => {
  const source =
    "Before we go on: the committee decided on Monday to close the northern bridge for repairs until the end of June, and buses will run instead. Nothing else changed.";
  test("most of the words in the same order", () => {
    const found = find(
      "The committee decided on Monday to close the northern bridge for urgent repairs until the end of June",
      source,
    );
    expect(found?.kind).toBe("near");
    expect(found?.coverage).toBeGreaterThanOrEqual(0.5);
    expect(found?.coverage).toBeLessThan(1);
    expect(found?.said[0]).toMatch(/^the committee decided .* end of June$/);
  });
  test("numbers in a sentence have one spelling", () => {
    expect(find("sold 1,234.50 tonnes of steel in May", "they sold 1234.5 tonnes of steel in May alone")).toMatchObject(
      {
        kind: "near",
        coverage: 1,
      },
    );
  });
  test("other words on the same subject are no evidence", () => {
    expect(
      find("A bridge in the north stays closed until July because the committee wants repairs", source),
    ).toBeUndefined();
  });
  test("scripts without blanks are compared by six signs", () => {
    expect(
      find("委员会星期一决定关闭北桥进行紧急维修", "昨天，委员会星期一决定关闭北桥进行维修，公交车代替。"),
    ).toMatchObject({
      kind: "near",
    });
    expect(find("委员会星期一决定关闭北桥", "今天天气很好，我们去公园散步。")).toBeUndefined();
  });
});

describe("parts", () => {
  const answer =
    "The bridge is closed until the end of June. Ticket sales rose by eleven percent in the spring. Nobody knows why the lamp is green.";
  test("each sentence by itself, weighed by its characters", () => {
    const found = find(
      answer,
      "Ticket sales rose by eleven percent in the spring. The bridge is closed until the end of June.",
    );
    expect(found).toMatchObject({ kind: "parts" });
    expect(found?.coverage).toBeGreaterThan(0.6);
    expect(found?.said).toHaveLength(1);
  });
  test("two cards that carry half of it together: the one with more is followed, the other is named", () => {
    const needle = needleOf([answer]);
    if (!needle) throw new Error("there are words");
    const cards = ["The bridge is closed until the end of June.", "Ticket sales rose by eleven percent in the spring."];
    const found = cards.flatMap((text, at) => {
      const evidence = findEvidence(needle, { text });
      return evidence ? [{ candidate: text, evidence, created_ms: at, history_index: null, at }] : [];
    });
    const weights = needle.parts.map(({ weight }) => weight);
    const choice = choose(found, weights);
    expect(choice?.best.candidate).toBe(cards[1]);
    expect(choice?.others.map(({ candidate }) => candidate)).toEqual([cards[0]]);
    expect(choose(found.slice(0, 1), weights)).toBeNull();
  });
});

describe("the choice", () => {
  const found = (candidate: string, coverage: number, created_ms: number, at: number) => ({
    candidate,
    evidence: { kind: "exact" as const, coverage, ranges: [] },
    created_ms,
    history_index: null,
    at,
  });
  test("most coverage, then the first written, then the nearest; at most four others", () => {
    const choice = choose(
      [
        found("less", 0.9, 1, 9),
        found("late", 1, 3, 3),
        found("far", 1, 2, 1),
        found("near", 1, 2, 2),
        ...[1, 2, 3].map((n) => found(`n${n}`, 0.6, n, n)),
      ],
      [],
    );
    expect(choice?.best.candidate).toBe("near");
    expect(choice?.others.map(({ candidate }) => candidate)).toEqual(["far", "late", "less", "n1"]);
  });
});
