// The part of the axis, and its two ends: within the run, in order, and never so short that it shows nothing.
import { expect, test } from "vitest";
import { movedEnd, partOf, RANGE_MS_MIN, rangeOf } from "./timeline-range";

const run = { from: 1_000, to: 9_000 };
const part = { from: 3_000, to: 5_000 };

test("a part has two ends, in order", () => {
  expect(rangeOf(new Date(3_000), new Date(5_000))).toEqual(part);
  expect(rangeOf(new Date(5_000), new Date(3_000))).toBeNull();
  expect(rangeOf(null, new Date(3_000))).toBeNull();
});

test("of what the address names, what is of the run; of another run nothing", () => {
  expect(partOf({ from: 0, to: 5_000 }, run)).toEqual({ from: 1_000, to: 5_000 });
  expect(partOf({ from: 3_000, to: 1e12 }, run)).toEqual({ from: 3_000, to: 9_000 });
  expect(partOf({ from: 10_000, to: 20_000 }, run)).toBeNull();
  expect(partOf(null, run)).toBeNull();
});

test("an end is moved to a moment, not out of the run, and not past the other", () => {
  expect(movedEnd(part, "from", 2_000, run)).toEqual({ from: 2_000, to: 5_000 });
  expect(movedEnd(part, "to", 6_000.4, run)).toEqual({ from: 3_000, to: 6_000 });
  expect(movedEnd(part, "from", -5, run).from).toBe(run.from);
  expect(movedEnd(part, "to", 1e12, run).to).toBe(run.to);
  expect(movedEnd(part, "from", 8_000, run)).toEqual({ from: 5_000 - RANGE_MS_MIN, to: 5_000 });
  expect(movedEnd(part, "to", 1_500, run)).toEqual({ from: 3_000, to: 3_000 + RANGE_MS_MIN });
});
