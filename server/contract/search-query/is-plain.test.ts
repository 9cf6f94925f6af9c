import fc from "fast-check";
import { expect, it } from "vitest";
import { isPlainWords } from "./is-plain";
import { parseQuery } from "./parse-query";
import { leavesOf } from "./query-tree";

it.each(["", "thermal", "thermal storage", "1P01", "don't", "did not answer", "a-b", "or"])(
  "%s is words alone",
  (text) => {
    expect(isPlainWords(text)).toBe(true);
  },
);

it.each([
  "status:failed",
  "-thermal",
  "a OR b",
  '"skip locked"',
  "therm*",
  "(a b) OR c",
  "has:error",
  "autor:x",
  "a AND b",
])("%s is more than that, or cannot be read", (text) => {
  expect(isPlainWords(text)).toBe(false);
});

it("what the parser reads as anything but words, in a row, is never called words alone", () => {
  const piece = fc.constantFrom(
    "a",
    "b1",
    "-",
    ":",
    '"',
    "(",
    ")",
    "*",
    " ",
    "OR",
    "AND",
    "NOT",
    "type:x",
    "has:error",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const text = pieces.join("");
      if (!isPlainWords(text)) return;
      const parsed = parseQuery(text, { now: new Date(0) });
      if (!parsed.isRead) throw new Error(`"${text}" cannot be read`);
      const { tree } = parsed;
      expect(["and", "word", undefined]).toContain(tree?.kind);
      for (const leaf of leavesOf(tree)) expect(leaf).toMatchObject({ kind: "word", is_prefix: false });
    }),
    { numRuns: 2_000 },
  );
});
