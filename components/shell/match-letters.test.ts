import { expect, test } from "vitest";
import { markRanges, matchWord } from "./match-letters";

test("the start of the text beats the start of a word beats the inside", () => {
  const start = matchWord("failed tasks", "fail")?.score ?? 0;
  const word = matchWord("Retry failed tasks", "fail")?.score ?? 0;
  const inside = matchWord("unfailing", "fail")?.score ?? 0;
  expect(start).toBeGreaterThan(word);
  expect(word).toBeGreaterThan(inside);
  expect(inside).toBeGreaterThan(0);
});

test("letters in order from a word start are found, scattered ones are not", () => {
  expect(matchWord("Principal_Planner", "plan")?.ranges).toEqual([{ from: 10, to: 14 }]);
  expect(matchWord("Principal_Planner", "prpl")?.score).toBe(30);
  expect(matchWord("Associate_Search", "xs")).toBeNull();
  expect(matchWord("a quick brown fox jumps over the lazy dog", "adog")).toBeNull();
});

test("the hit at a word start is marked, not an earlier one inside a word", () => {
  expect(matchWord("unset set", "set")?.ranges).toEqual([{ from: 6, to: 9 }]);
});

test("marks join what overlaps and keep every letter", () => {
  const parts = markRanges("failed tasks", [
    { from: 0, to: 4 },
    { from: 2, to: 6 },
  ]);
  expect(parts.map((part) => part.text)).toEqual(["failed", " tasks"]);
  expect(markRanges("abc", []).map((part) => part.text)).toEqual(["abc"]);
});
