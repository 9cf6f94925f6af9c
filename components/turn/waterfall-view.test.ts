import { describe, expect, test } from "vitest";
import { axisOf, stretchesOf, ticksOf } from "./waterfall-view";

const at = (s: number) => new Date(1_700_000_000_000 + s * 1000).toISOString();
const step = (ordinal: number, from: number, to?: number) => ({
  step_id: `s${ordinal}`,
  agent_turn_id: "t",
  ordinal,
  status: to === undefined ? ("started" as const) : ("completed" as const),
  tool_call_ids: [],
  started_at: at(from),
  ended_at: to === undefined ? undefined : at(to),
});
const turn = (more: object = {}) => ({
  status: "success" as const,
  created_at: at(-5),
  started_at: at(0),
  ended_at: at(10),
  steps: [step(1, 0, 4), step(2, 8, 10)],
  answered_at: { s1: at(3) },
  ...more,
});

describe("the waterfall", () => {
  test("runs from the start of the turn to its end, not from when it was queued", () => {
    expect(axisOf(turn(), 0)).toEqual({ from: Date.parse(at(0)), to: Date.parse(at(10)) });
  });
  test("is solid while the model thinks, faint while tools run, dotted while the turn sleeps", () => {
    const axis = axisOf(turn(), 0);
    expect(stretchesOf(turn(), 0, axis, 0)).toEqual([
      { from: 0, to: 0.3, kind: "model" },
      { from: 0.3, to: 0.4, kind: "tool" },
      { from: 0.4, to: 0.8, kind: "sleep" },
    ]);
    expect(stretchesOf(turn(), 1, axis, 0)).toEqual([{ from: 0.8, to: 1, kind: "model" }]);
  });
  test("grows to now while a step runs, and while the turn sleeps", () => {
    const running = turn({ status: "running", ended_at: undefined, steps: [step(1, 0)], answered_at: {} });
    const now = Date.parse(at(20));
    expect(stretchesOf(running, 0, axisOf(running, now), now)).toEqual([{ from: 0, to: 1, kind: "model" }]);
    const asleep = turn({ status: "suspended", ended_at: undefined, steps: [step(1, 0, 5)], answered_at: {} });
    expect(stretchesOf(asleep, 0, axisOf(asleep, now), now).at(-1)).toEqual({ from: 0.25, to: 1, kind: "sleep" });
  });
  test("a step that its worker never ended is drawn to the end of the turn", () => {
    const lost = turn({ steps: [step(1, 2)], answered_at: {} });
    expect(stretchesOf(lost, 0, axisOf(lost, 0), 0)).toEqual([{ from: 0.2, to: 1, kind: "model" }]);
  });
  test("has at most six marks, in round times", () => {
    expect(ticksOf({ from: 0, to: 10_000 }).map((tick) => tick.label)).toEqual(["0", "2s", "4s", "6s", "8s"]);
    expect(ticksOf({ from: 0, to: 200_000 }).map((tick) => tick.label)).toEqual(["0", "1m", "2m", "3m"]);
    expect(ticksOf({ from: 0, to: 450 }).map((tick) => tick.label)).toEqual(["0", "0.10s", "0.20s", "0.30s", "0.40s"]);
  });
});
