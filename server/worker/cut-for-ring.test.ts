import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutForRing } from "./cut-for-ring";

const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);

test("pieces add up to the text, each fits a NOTIFY, and no character is split", () => {
  const long = fc
    .tuple(fc.constantFrom("a", "\u0000", "é", "漢", "𝄞", '"', "\ud800"), fc.integer({ min: 0, max: 20_000 }))
    .map(([letter, n]) => letter.repeat(n));
  void fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), long), { maxLength: 4 }), (texts) => {
      const text = texts.join("");
      const pieces = cutForRing(text);
      expect(pieces.join("")).toBe(text);
      for (const piece of pieces) {
        expect(piece).not.toBe("");
        expect(Buffer.byteLength(JSON.stringify(piece))).toBeLessThanOrEqual(6_000);
      }
      if (isWhole(text)) for (const piece of pieces) expect(isWhole(piece)).toBe(true);
    }),
  );
});
