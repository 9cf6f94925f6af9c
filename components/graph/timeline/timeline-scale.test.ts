import { describe, expect, it } from "vitest";
import { at, EPOCH, sampleTurn } from "../testing/sample-frames";
import { BREAK_PX, barsOf, drawnBars, momentAt, positionOf, ticksOf, timeScale, within } from "./timeline-scale";

const now = EPOCH + 120_000;

describe("the timeline", () => {
  it("reaches from the first turn to now while something runs", () => {
    const running = sampleTurn("b", { status: "running", started_at: at(10), ended_at: undefined, created_at: at(5) });
    const scale = timeScale([sampleTurn("a"), running], now);
    expect(scale.from).toBe(EPOCH);
    expect(scale.to).toBeGreaterThan(now);
    expect(barsOf({ turn: running, index: 1, steps: [], scale, now })).toEqual([
      { from: EPOCH + 5_000, to: EPOCH + 10_000, kind: "queue" },
      { from: EPOCH + 10_000, to: now, kind: "work" },
    ]);
  });

  it("is filled by a run that has ended, however brief, with ticks of parts of a second", () => {
    const brief = sampleTurn("a", { created_at: at(0), started_at: at(0), ended_at: at(0.2) });
    const scale = timeScale([brief], now);
    expect(scale.to - scale.from).toBeLessThan(250);
    const ticks = ticksOf(scale, 8);
    expect(ticks.length).toBeGreaterThan(3);
    expect(new Set(ticks.map(({ label }) => label)).size).toBe(ticks.length);
    expect(ticks[1]?.label).toMatch(/^:00\.\d{3}$/);
    const going = sampleTurn("b", { status: "running", created_at: at(0), started_at: at(0), ended_at: undefined });
    const live = timeScale([going], EPOCH + 200);
    expect(live.to - live.from).toBeGreaterThanOrEqual(10_000);
  });

  it("ends at the last end when all is done", () => {
    const scale = timeScale([sampleTurn("a", { ended_at: at(100) })], now + 1e9);
    expect(scale.to).toBeLessThan(EPOCH + 110_000);
  });

  it("shows a turn that nobody has taken as waiting, and a sleeping one from its last beat", () => {
    const scale = timeScale([sampleTurn("a")], now);
    const queued = sampleTurn("q", { status: "queued", started_at: undefined, ended_at: undefined });
    expect(barsOf({ turn: queued, index: 0, steps: [], scale, now })).toEqual([
      { from: EPOCH, to: now, kind: "queue" },
    ]);
    const asleep = sampleTurn("s", { status: "suspended", ended_at: undefined, heartbeat_at: at(40) });
    expect(barsOf({ turn: asleep, index: 0, steps: [], scale, now }).at(-1)).toEqual({
      from: EPOCH + 40_000,
      to: now,
      kind: "wait",
    });
  });

  it("draws a log without times in its order", () => {
    const turns = ["a", "b", "c"].map((id) => sampleTurn(id, { started_at: undefined }));
    const scale = timeScale(turns, now);
    expect(scale).toEqual({ from: 0, to: 3, is_timed: false });
    const [second] = turns.slice(1);
    if (!second) throw new Error("no second turn");
    expect(barsOf({ turn: second, index: 1, steps: [], scale, now })).toEqual([{ from: 1, to: 2, kind: "work" }]);
    expect(ticksOf(scale, 10).map((tick) => tick.label)).toEqual(["1", "2", "3"]);
  });

  it("has round ticks, and no more than fit", () => {
    for (const seconds of [12, 95, 700, 5_000, 90_000, 900_000]) {
      const ticks = ticksOf({ from: EPOCH, to: EPOCH + seconds * 1000, is_timed: true }, 8);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(9);
    }
    expect(ticksOf({ from: EPOCH, to: EPOCH + 60_000, is_timed: true }, 8).map((tick) => tick.at % 10_000)).toEqual(
      Array.from({ length: 7 }, () => 0),
    );
  });

  it("draws nothing that is narrower than a pixel, and loses no time over it", () => {
    const scale = { from: 0, to: 1000, is_timed: true };
    const bars = [
      { from: 0, to: 100, kind: "model" as const },
      { from: 100, to: 102, kind: "tool" as const },
      { from: 102, to: 110, kind: "wait" as const },
      { from: 110, to: 200, kind: "model" as const },
      { from: 200, to: 400, kind: "wait" as const },
    ];
    expect(drawnBars(bars, scale, 200)).toEqual([
      { from: 0, to: 102, kind: "model" },
      { from: 110, to: 200, kind: "model" },
      { from: 200, to: 400, kind: "wait" },
    ]);
  });

  it("maps time to pixels", () => {
    expect(positionOf(50, { from: 0, to: 100, is_timed: true }, 400)).toBe(200);
  });

  it("cuts idle time to breaks of one width, and finds the moment under a hand again", () => {
    const night = { from: EPOCH + 60_000, to: EPOCH + 36_060_000 };
    const scale = within({ from: EPOCH, to: EPOCH + 36_120_000, is_timed: true }, null, [night]);
    const [left, right] = [positionOf(night.from, scale, 800), positionOf(night.to, scale, 800)];
    expect(right - left).toBeCloseTo(BREAK_PX);
    for (const at of [EPOCH, EPOCH + 30_000, night.from, EPOCH + 18_000_000, night.to, EPOCH + 36_090_000])
      expect(momentAt(positionOf(at, scale, 800), scale, 800)).toBeCloseTo(at, -1);
    for (const { at } of ticksOf(scale, 8)) expect(at <= night.from || at >= night.to).toBe(true);
  });

  it("shows a part of the run with the breaks in it alone", () => {
    const night = { from: EPOCH + 60_000, to: EPOCH + 36_060_000 };
    const range = { from: EPOCH, to: EPOCH + 30_000 };
    const scale = within({ from: EPOCH, to: EPOCH + 36_120_000, is_timed: true }, range, [night]);
    expect(scale).toMatchObject({ ...range, breaks: [] });
    const bars = [{ from: EPOCH + 20_000, to: EPOCH + 50_000, kind: "model" as const }];
    expect(drawnBars(bars, scale, 800)).toEqual([{ ...bars[0], to: range.to }]);
  });
});
