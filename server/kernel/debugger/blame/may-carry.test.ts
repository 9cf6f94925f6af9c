import fc from "fast-check";
import { expect, test } from "vitest";
import { findShingles } from "./find-shingles";
import { foldText } from "./fold";
import { mayCarry } from "./may-carry";
import { needleOf } from "./needle";

const words = fc.array(
  fc.constantFrom(
    "the",
    "lock",
    "café",
    "naïve",
    "1,234.50",
    "1234.5",
    "7",
    "“so”",
    "北",
    "ok-ay",
    "river",
    "Größe",
    "x",
  ),
  { minLength: 1, maxLength: 30 },
);

test("a card that carries a shingle is never left out", () => {
  fc.assert(
    fc.property(words, words, (said, card) => {
      const needle = needleOf([said.join(" ")]);
      if (!needle) return;
      const folded = foldText(card.join(" "));
      const hits = [...findShingles(folded, needle).values()].flat();
      if (hits.length > 0) expect(mayCarry(folded, needle.probe)).toBe(true);
    }),
  );
});

test("a card without a run of its words is left out, and one with digits in their place is not", () => {
  const needle = needleOf(["the river froze above the second lock"]);
  expect(mayCarry("the river rose and the second bridge fell", needle?.probe ?? null)).toBe(false);
  expect(mayCarry("so the river froze", needle?.probe ?? null)).toBe(true);
  expect(mayCarry("the 2 lock", needle?.probe ?? null)).toBe(true);
});
