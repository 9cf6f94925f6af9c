import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf, share } from "./shares";

test("shares add up to the whole, and stay within one of the exact part", () => {
  fc.assert(
    fc.property(fc.nat(20_000), fc.array(fc.nat(9_000), { minLength: 1, maxLength: 30 }), (total, weights) => {
      const parts = share(total, weights);
      const sum = weights.reduce((all, one) => all + one, 0);
      expect(parts.reduce((all, one) => all + one, 0)).toBe(sum === 0 ? 0 : total);
      for (const [at, part] of parts.entries())
        expect(Math.abs(part - (sum === 0 ? 0 : (total * (weights[at] ?? 0)) / sum))).toBeLessThan(1);
    }),
  );
});

test("bytes are those of the canonical JSON in UTF-8", () => {
  expect(bytesOf("é")).toBe(4);
  expect(bytesOf({ b: 1, a: [] })).toBe('{"a":[],"b":1}'.length);
  expect(bytesOf(undefined)).toBe(0);
});
