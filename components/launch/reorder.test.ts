import * as fc from "fast-check";
import { expect, test } from "vitest";
import { reorder } from "./reorder";

test("one moves, the others keep their order", () => {
  expect(reorder(["a", "b", "c", "d"], 0, 2)).toEqual(["b", "c", "a", "d"]);
  expect(reorder(["a", "b", "c", "d"], 3, 0)).toEqual(["d", "a", "b", "c"]);
  expect(reorder(["a", "b"], 1, 9)).toEqual(["a", "b"]);
  expect(reorder(["a", "b"], 0, -3)).toEqual(["a", "b"]);
  expect(reorder(["a"], 5, 0)).toEqual(["a"]);
});

test("nothing is lost or doubled, and the item stands where it was sent", () => {
  void fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { minLength: 1 }), fc.nat(), fc.nat(), (list, a, b) => {
      const [from, to] = [a % list.length, b % list.length];
      const moved = reorder(list, from, to);
      expect([...moved].sort()).toEqual([...list].sort());
      expect(moved[to]).toBe(list[from]);
      expect(moved.filter((item) => item !== list[from])).toEqual(list.filter((item) => item !== list[from]));
    }),
  );
});
