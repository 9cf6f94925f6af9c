import { expect, test } from "vitest";
import { nextIndex, rowHeight, scrollTopFor } from "./card-list";

test.each([
  ["j", 3, 4],
  ["ArrowDown", 9, 9],
  ["k", 0, 0],
  ["PageDown", 2, 7],
  ["PageUp", 2, 0],
  ["Home", 5, 0],
  ["End", 5, 9],
  ["j", -1, 0],
  ["x", 3, null],
])("%s from %d leads to %s", (key, index, next) => {
  expect(nextIndex(key, index, 10, 5)).toBe(next);
});

test("an empty list leads nowhere", () => {
  expect(nextIndex("j", -1, 0, 5)).toBeNull();
});

test("a row in view moves nothing, the first choice is put in the middle, later ones just into view", () => {
  const height = 10 * rowHeight;
  expect(scrollTopFor(3, 0, height, true)).toBe(0);
  expect(scrollTopFor(100, 0, height, true)).toBe(100 * rowHeight - 4.5 * rowHeight);
  expect(scrollTopFor(10, 0, height, false)).toBe(rowHeight);
  expect(scrollTopFor(2, 5 * rowHeight, height, false)).toBe(2 * rowHeight);
});
