import { expect, test } from "vitest";
import { track } from "./track";

test("a straight run has no chamfer", () => {
  expect(
    track([
      [0, 0],
      [100, 0],
    ]),
  ).toBe("M0 0L100 0");
});

test("a right angle is cut at 45 degrees, by the same length on both sides", () => {
  expect(
    track(
      [
        [0, 0],
        [100, 0],
        [100, 100],
      ],
      18,
    ),
  ).toBe("M0 0L82 0L100 18L100 100");
});

test("a short run is shared by the two corners at its ends and never folds back", () => {
  const path = track(
    [
      [0, 0],
      [100, 0],
      [100, 20],
      [200, 20],
    ],
    18,
  );
  expect(path).toBe("M0 0L90 0L100 10L100 10L110 20L200 20");
});

test("points on one another draw no NaN", () => {
  expect(
    track([
      [0, 0],
      [0, 0],
      [50, 0],
    ]),
  ).not.toContain("NaN");
  expect(track([])).toBe("");
});
