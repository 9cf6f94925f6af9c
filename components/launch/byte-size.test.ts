import * as fc from "fast-check";
import { expect, test } from "vitest";
import { utf8Bytes } from "./byte-size";

test("counts what a TextEncoder would write", () => {
  const encoder = new TextEncoder();
  for (const text of ["", "abc", "für", "€", "語", "👍🏽", "a\u0000b"])
    expect(utf8Bytes(text)).toBe(encoder.encode(text).length);
  void fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => utf8Bytes(text) === encoder.encode(text).length),
    {
      numRuns: 30,
    },
  );
});
