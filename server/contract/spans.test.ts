import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type StepTime, spansOf, spanTotals } from "./spans";

const FROM = Date.parse("2026-11-22T10:00:00.000Z");
const ms = (seconds: number) => FROM + seconds * 1000;
const at = (seconds: number) => new Date(ms(seconds)).toISOString();
const turn = (more: Partial<Parameters<typeof spansOf>[0]> = {}) => ({
  created_at: at(0),
  started_at: at(1),
  status: "running" as const,
  step_count: 0,
  ...more,
});
const step = (ordinal: number, from: number, answered?: number, to?: number): StepTime => ({
  ordinal,
  status: to === undefined ? "started" : "completed",
  started_at: at(from),
  ...(answered !== undefined && { answered_at: at(answered) }),
  ...(to !== undefined && { ended_at: at(to) }),
});
const told = (spans: ReturnType<typeof spansOf>) =>
  spans.map(({ from, to, kind }) => `${kind} ${(from - FROM) / 1000}-${(to - FROM) / 1000}`);

describe("the spans of a turn", () => {
  it("tell the model from its tools, and both from waiting", () => {
    const steps = [step(1, 1, 4, 6), step(2, 20, 24)];
    expect(told(spansOf(turn({ step_count: 2 }), steps, ms(30)))).toEqual([
      "queue 0-1",
      "model 1-4",
      "tool 4-6",
      "wait 6-20",
      "model 20-24",
      "tool 24-30",
    ]);
    expect(spanTotals(spansOf(turn({ step_count: 2 }), steps, ms(30)))).toEqual({
      model: 7_000,
      tool: 8_000,
      wait: 14_000,
      queue: 1_000,
      work: 0,
    });
  });

  it("of a sleeping turn end in waiting, though its step was never closed", () => {
    const asleep = turn({ status: "suspended", step_count: 1 });
    expect(told(spansOf(asleep, [step(1, 1, 3, 4)], ms(9)))).toEqual([
      "queue 0-1",
      "model 1-3",
      "tool 3-4",
      "wait 4-9",
    ]);
    expect(told(spansOf(asleep, [step(1, 1, 3)], ms(9)))).toEqual(["queue 0-1", "model 1-3", "wait 3-9"]);
  });

  it("say only that it works where nothing is known of the steps, and past those that are known", () => {
    expect(told(spansOf(turn({ step_count: 2 }), [], ms(9)))).toEqual(["queue 0-1", "work 1-9"]);
    expect(told(spansOf(turn({ step_count: 2 }), [step(1, 1, 2, 3)], ms(9)))).toEqual([
      "queue 0-1",
      "model 1-2",
      "tool 2-3",
      "work 3-9",
    ]);
  });

  it("of a step that a lost worker left open end with the next one", () => {
    const steps = [step(1, 1), step(2, 8, 9, 9)];
    const ended = turn({ status: "success", ended_at: at(9), step_count: 2 });
    expect(told(spansOf(ended, steps, ms(99)))).toEqual(["queue 0-1", "model 1-8", "model 8-9"]);
  });

  it("of a turn that nobody has taken are all queue", () => {
    expect(told(spansOf(turn({ started_at: undefined, status: "queued" }), [], ms(5)))).toEqual(["queue 0-5"]);
  });

  it("never overlap, never leave a hole and stay within the turn, whatever the clocks say", () => {
    const second = fc.integer({ min: -20, max: 60 });
    const someStep = fc.tuple(second, fc.option(second), fc.option(second));
    fc.assert(
      fc.property(fc.array(someStep), second, second, (times, start, now) => {
        const steps = times.map(([from, answered, to], index) =>
          step(index + 1, from, answered ?? undefined, to ?? undefined),
        );
        const spans = spansOf(turn({ started_at: at(start), step_count: steps.length }), steps, ms(now));
        let last = FROM;
        for (const span of spans) {
          expect(span.from).toBe(last);
          expect(span.to).toBeGreaterThan(span.from);
          last = span.to;
        }
        expect(last).toBe(Math.max(FROM, ms(now)));
      }),
    );
  });
});
