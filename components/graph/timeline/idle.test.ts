import { describe, expect, it } from "vitest";
import { idleSpans } from "./idle";

const HOUR = 3_600_000;
const axis = { from: 0, to: 20 * HOUR };

describe("idle time", () => {
  it("is what lies between work and what happened, where that is long", () => {
    expect(
      idleSpans(
        [
          [0, HOUR],
          [19 * HOUR, 20 * HOUR],
        ],
        [],
        axis,
      ),
    ).toEqual([{ from: HOUR, to: 19 * HOUR }]);
  });

  it("is none while a step runs", () => {
    expect(idleSpans([[0, null]], [19 * HOUR], axis)).toEqual([]);
  });

  it("is also what is long beside what is left once the longest is cut", () => {
    // Ten minutes are nothing beside a night, and half of what remains without it.
    const minute = 60_000;
    const spans = idleSpans([], [0, minute, 11 * minute, 12 * minute, 19 * HOUR], { from: 0, to: 19 * HOUR });
    expect(spans).toContainEqual({ from: minute, to: 11 * minute });
    expect(spans).toContainEqual({ from: 12 * minute, to: 19 * HOUR });
  });

  it("is never a pause of a few seconds", () => {
    expect(idleSpans([[0, 1_000]], [4_000], { from: 0, to: 4_000 })).toEqual([]);
  });
});
