import { expect, test } from "vitest";
import { byWeight, joinWeights, placeAt, ribbonPath, runningSums, ticks } from "./stack";

test("a running sum stands in front of every card and behind the last", () => {
  expect(runningSums([3, 0, 5])).toEqual([0, 3, 3, 8]);
  expect(runningSums([])).toEqual([0]);
});

test("heaviest first, equals in reading order", () => {
  expect(byWeight([2, 9, 2, 0])).toEqual([1, 0, 2, 3]);
});

test("a point of the stack names the card that lies there, the first of those without weight skipped", () => {
  const sums = runningSums([3, 0, 5]);
  expect([0, 2.9, 3, 7, 99].map((tokens) => placeAt(sums, tokens))).toEqual([0, 0, 2, 2, 2]);
  expect(placeAt([0], 0)).toBe(0);
});

test.each([
  [7439, 700, ["0", "1k", "2k", "3k", "4k", "5k", "6k", "7k"]],
  [90, 700, ["0", "10", "20", "30", "40", "50", "60", "70", "80", "90"]],
  [2_500_000, 200, ["0", "1M", "2M"]],
])("%d tokens on %d pixels are marked at round numbers", (total, height, labels) => {
  expect(ticks(total, height).map((tick) => tick.label)).toEqual(labels);
});

test("nothing weighs nothing", () => {
  expect(ticks(0, 700)).toEqual([]);
});

test("a ribbon joins a row to its part of the stack", () => {
  expect(ribbonPath({ top: 37, bottom: 99, stackTop: 42, stackBottom: 176, x: 74 })).toBe(
    "M0 37L10 37L68 42H74V176H68L10 99H0z",
  );
});

test("weights grow at the end, whatever overlaps, and never over a gap", () => {
  const known = { box_id: "b", from: 0, roles: "SU", tokens: [1, 2] };
  expect(joinWeights(known, { box_id: "b", from: 2, roles: "A", tokens: [3] }).tokens).toEqual([1, 2, 3]);
  expect(joinWeights(known, { box_id: "b", from: 1, roles: "UA", tokens: [2, 3] })).toMatchObject({
    roles: "SUA",
    tokens: [1, 2, 3],
  });
  expect(joinWeights(known, { box_id: "b", from: 0, roles: "SU", tokens: [1, 2] })).toBe(known);
  expect(joinWeights(known, { box_id: "b", from: 5, roles: "A", tokens: [3] })).toBe(known);
});
