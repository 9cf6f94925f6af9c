import { expect, test } from "vitest";
import { pickedIds, toggled } from "./use-picked";

test("chosen cards are in the order of the box; a second press takes one out", () => {
  const three = [7, 2, 4].reduce<ReadonlyMap<number, string>>((now, at) => toggled(now, at, `c${at}`), new Map());
  expect(pickedIds(three)).toEqual(["c2", "c4", "c7"]);
  expect(pickedIds(toggled(three, 4, "c4"))).toEqual(["c2", "c7"]);
  expect(pickedIds(toggled(null, 0, "c0"))).toEqual(["c0"]);
});

test("a card that lies in the box twice may be chosen twice", () => {
  expect(pickedIds(toggled(toggled(null, 0, "c"), 3, "c"))).toEqual(["c", "c"]);
});
