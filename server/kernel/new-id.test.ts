// Ids are unique and sort in the order of their creation, however many are made in one millisecond.
import { expect, test } from "vitest";
import { newId } from "./new-id";

test("a hundred thousand ids are different, in order, and uuid v7 of this hour", () => {
  const ids = Array.from({ length: 100_000 }, () => newId());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of [ids[0], ids.at(-1)]) {
    expect(id).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
    expect(Math.abs(Number.parseInt(id?.slice(0, 12) ?? "", 16) - Date.now())).toBeLessThan(3_600_000);
  }
});

test("a clock that goes back does not change their order", () => {
  const before = newId("turn_");
  const real = Date.now;
  Date.now = () => real() - 60_000;
  try {
    expect(newId("turn_") > before).toBe(true);
  } finally {
    Date.now = real;
  }
});
