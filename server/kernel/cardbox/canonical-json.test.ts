import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "@/server/contract/canonical-json";
import { refuseDeep } from "./canonical-json";

test("key order does not matter, list order does, undefined is absent", () => {
  expect(canonicalJson({ b: [2, 1], a: { d: 1, c: null, x: undefined } })).toBe('{"a":{"c":null,"d":1},"b":[2,1]}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
});

test("stays the JSON it was", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("endless nesting is refused, and does not overflow the stack", () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  expect(() => refuseDeep(deep, "cards.0")).toThrow("cards.0 is nested deeper than 500 levels");
  expect(() => refuseDeep({ a: [{ b: 1 }] }, "cards.0")).not.toThrow();
});
