import fc from "fast-check";
import { expect, test } from "vitest";
import { at, branchAt, FORKED_AT, sheetOf, turnAt } from "./testing/sample-batch";
import { axisOf, axisTicks, placeOf, stretchesOf } from "./time-axis";

const step = (ordinal: number, from: number, to?: number, answered = to) => ({
  ordinal,
  status: "completed" as const,
  started_at: at(from),
  ...(answered !== undefined && { answered_at: at(answered) }),
  ...(to !== undefined && { ended_at: at(to) }),
});

test("the scale begins at the fork and ends at the join, or at now", () => {
  const tasks = [branchAt(0, turnAt(0, "success", { started_at: at(1), ended_at: at(60) }))];
  const running = axisOf(sheetOf(tasks), tasks, FORKED_AT + 100_000);
  expect(running).toEqual({ from: FORKED_AT, to: FORKED_AT + 106_000 });
  const ended = axisOf(sheetOf(tasks, { status: "success", ended_at: at(50) }), tasks, FORKED_AT + 9_000_000);
  expect(ended.to).toBe(FORKED_AT + 63_600);
});

test("ticks are round and count from the fork", () => {
  const axis = { from: FORKED_AT, to: FORKED_AT + 200_000 };
  expect(axisTicks(axis).map((tick) => tick.label)).toEqual(["0:00", "1:00", "2:00", "3:00"]);
  expect(placeOf(FORKED_AT + 50_000, axis)).toBe(0.25);
});

test("waiting, model and tool follow each other; a sleeping turn ends in waiting", () => {
  const axis = { from: FORKED_AT, to: FORKED_AT + 100_000 };
  const turn = turnAt(0, "suspended", { started_at: at(10), step_count: 2 });
  const branch = branchAt(0, turn, { steps: [step(1, 10, 30, 20), step(2, 30, 40)] });
  expect(stretchesOf(branch, axis, FORKED_AT + 80_000)).toEqual([
    { from: 0, to: 0.1, kind: "wait" },
    { from: 0.1, to: 0.2, kind: "model" },
    { from: 0.2, to: 0.3, kind: "tool" },
    { from: 0.3, to: 0.4, kind: "model" },
    { from: 0.4, to: 0.8, kind: "wait" },
  ]);
  expect(stretchesOf(branchAt(0), axis, FORKED_AT)).toEqual([]);
});

test("the silence of a lost worker is waiting, and no work", () => {
  const axis = { from: FORKED_AT, to: FORKED_AT + 100_000 };
  const turn = turnAt(0, "success", { started_at: at(0), ended_at: at(90), attempt: 2 });
  const branch = branchAt(0, turn, {
    steps: [step(1, 0, 10), { ...step(2, 10, 80), answered_at: undefined, is_lost: true as const }, step(3, 80, 90)],
  });
  expect(stretchesOf(branch, axis, 0).map((stretch) => stretch.kind)).toEqual(["model", "wait", "model"]);
});

test("whatever times steps carry, stretches never overlap and stay on the scale", () => {
  const seconds = fc.integer({ min: -50, max: 300 });
  fc.assert(
    fc.property(fc.array(fc.tuple(seconds, fc.option(seconds))), seconds, seconds, (times, start, now) => {
      const steps = times.map(([from, to], place) => step(place, from, to ?? undefined));
      const branch = branchAt(0, turnAt(0, "running", { started_at: at(start) }), { steps });
      let last = 0;
      for (const stretch of stretchesOf(branch, { from: FORKED_AT, to: FORKED_AT + 200_000 }, FORKED_AT + now * 1000)) {
        expect(stretch.from).toBeGreaterThanOrEqual(last);
        expect(stretch.to).toBeGreaterThanOrEqual(stretch.from);
        expect(stretch.to).toBeLessThanOrEqual(1);
        last = stretch.to;
      }
    }),
  );
});
