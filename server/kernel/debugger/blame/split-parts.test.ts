import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { splitParts } from "./split-parts";

const parts = (text: string) => splitParts(text).map(({ start, end }) => text.slice(start, end));

describe("parts", () => {
  test("sentences, lines, list items without their marks, and what a quote stands between", () => {
    expect(parts("The first is here. The second follows! And a third one?")).toEqual([
      "The first is here.",
      "The second follows!",
      "And a third one?",
    ]);
    expect(parts("- one thing to do\n* another thing to do\n2. a third thing to do")).toEqual([
      "one thing to do",
      "another thing to do",
      "a third thing to do",
    ]);
    expect(parts("As the log says: nobody came to the meeting - or hardly anybody")).toEqual([
      "As the log says:",
      "nobody came to the meeting",
      "or hardly anybody",
    ]);
    expect(parts("委员会星期一决定关闭北桥进行维修。公交车代替，直到六月底才能通行。")).toHaveLength(2);
  });
  test("numbers and abbreviations in a sentence do not end it; what is short joins the part before it", () => {
    expect(parts("It costs 3.50 euros, i.e. less than before.")).toHaveLength(1);
    expect(parts("The door was open. Why? Nobody has said so far.")).toEqual([
      "The door was open. Why?",
      "Nobody has said so far.",
    ]);
  });
  test("in order, without overlap, at most 200, and no word is lost", () => {
    const text = fc.array(fc.constantFrom("word", "Word", ". ", "! ", "\n", "- ", ": ", " ", "1. ", "。"), {
      maxLength: 600,
    });
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.join("");
        const ranges = splitParts(whole);
        expect(ranges.length).toBeLessThanOrEqual(200);
        for (const [i, { start, end }] of ranges.entries()) {
          expect(start).toBeLessThan(end);
          expect(start).toBeGreaterThanOrEqual(ranges[i - 1]?.end ?? 0);
        }
        const kept = ranges.map(({ start, end }) => whole.slice(start, end)).join(" ");
        expect(kept.match(/word/gi)?.length ?? 0).toBe(whole.match(/word/gi)?.length ?? 0);
      }),
    );
  });
});
