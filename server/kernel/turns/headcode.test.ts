import fc from "fast-check";
import { expect, test } from "vitest";
import { type HeadcodeLetters, nextHeadcode } from "./headcode";

function codes(calls: [string, number][], letters: HeadcodeLetters = {}): string[] {
  const out: string[] = [];
  for (const [profile, depth] of calls) {
    const next = nextHeadcode(letters, profile, depth);
    letters = next.letters;
    out.push(next.headcode);
  }
  return out;
}

test("depth, initial of the last word, order of that letter", () => {
  expect(
    codes([
      ["sys.human", 0],
      ["Web_Search_Associate", 2],
      ["Web_Search_Associate", 3],
      ["import:WebSurfer", 1],
    ]),
  ).toEqual(["0H01", "2A01", "3A02", "1W01"]);
});

test("if a letter is taken, the next free one is used, around the alphabet, and the profile keeps it", () => {
  expect(
    codes([
      ["Zoe", 1],
      ["Zed", 1],
      ["Ada", 1],
      ["Zed", 2],
    ]),
  ).toEqual(["1Z01", "1A01", "1B01", "2A02"]);
});

test("three digits past 99, one digit of depth past 9", () => {
  const letters = { S: { profile: "Scout", count: 99 } };
  expect(nextHeadcode(letters, "Scout", 12)).toEqual({
    headcode: "9S100",
    letters: { S: { profile: "Scout", count: 100 } },
  });
  expect(letters.S.count).toBe(99);
});

test("names without a Latin letter, accents, and names of object parts", () => {
  expect(
    codes([
      ["審査", 1],
      ["42", 1],
      ["Éclaireur", 1],
      ["constructor", 1],
      ["__proto__", 1],
    ]),
  ).toEqual(["1X01", "1Y01", "1E01", "1C01", "1P01"]);
});

test("no two turns of a run share a code, however many profiles", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(900).map(String), fc.nat(19)), { maxLength: 1200 }), (calls) => {
      const all = codes(calls);
      expect(new Set(all).size).toBe(all.length);
    }),
    { numRuns: 20 },
  );
});
