import { expect, test } from "vitest";
import { drawnRows, scrolledTo, seenRows } from "./rows-in-view";

test("what is in sight is drawn, with some rows before and after it", () => {
  expect(seenRows(0, 0, 13)).toEqual({ first: 0, shown: 0 });
  expect(drawnRows(0, 0, 5_000)).toEqual({ from: 0, to: 0 });
  const { first, shown } = seenRows(1_305, 130, 13);
  expect({ first, shown }).toEqual({ first: 100, shown: 11 });
  expect(drawnRows(first, shown, 5_000)).toEqual({ from: 88, to: 123 });
});

test("a list that became shorter than its place is drawn to its end", () => {
  expect(drawnRows(100, 11, 30)).toEqual({ from: 7, to: 30 });
  expect(drawnRows(100, 11, 4)).toEqual({ from: 0, to: 4 });
  expect(drawnRows(0, 11, 0)).toEqual({ from: 0, to: 0 });
});

test("a row is brought into sight by the shortest way, and one in sight stays", () => {
  expect(scrolledTo(3, 13, 0, 130)).toBe(0);
  expect(scrolledTo(20, 13, 0, 130)).toBe(143);
  expect(scrolledTo(2, 13, 143, 130)).toBe(26);
});
