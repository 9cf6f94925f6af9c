import { expect, test } from "vitest";
import { createPulse } from "./pulse";

const times = { silentMs: 20_000, startMs: 120_000, unansweredMs: 40_000, lookMsMax: 4_000 };

/** Second by second; what happened in it is told first. */
function live(seconds: number, tell: (second: number, pulse: ReturnType<typeof createPulse>) => void, isAsked = false) {
  const pulse = createPulse(0, { ...times, isAsked });
  for (let second = 1; second <= seconds; second++) {
    tell(second, pulse);
    const why = pulse.look(second * 1_000);
    if (why !== null) return `${second}: ${why}`;
  }
  return "lives";
}

test("one that beats lives; one whose loop stands still does not", () => {
  expect(live(300, (second, pulse) => pulse.beat(second * 1_000, false))).toBe("lives");
  const stuck = live(300, (second, pulse) => second <= 50 && pulse.beat(second * 1_000, false));
  expect(stuck).toBe("71: its event loop has been blocked for 21 s");
});

test("a start may take its time, and not for ever", () => {
  expect(live(119, () => undefined)).toBe("lives");
  expect(live(300, () => undefined)).toBe("121: its event loop has been blocked for 121 s");
});

test("one that beats and answers nobody hangs as well, if it is asked at all", () => {
  const mute = (second: number, pulse: ReturnType<typeof createPulse>) => {
    pulse.beat(second * 1_000, false);
    if (second === 10) pulse.answer(10_000);
  };
  expect(live(300, mute, true)).toBe("51: it has not answered any request for 41 s");
  expect(live(300, mute)).toBe("lives");
  expect(live(300, (second, pulse) => pulse.beat(second * 1_000, false), true)).toBe(
    "121: it has not answered any request for 121 s",
  );
});

test("what we slept through is nobody's silence, and what stands still afterwards is", () => {
  const pulse = createPulse(0, { ...times, isAsked: true });
  pulse.beat(1_000, false);
  pulse.answer(1_000);
  expect(pulse.look(1_000)).toBeNull();
  const awake = 3_600_000;
  expect(pulse.look(awake)).toBeNull();
  const after = (s: number) => pulse.look(awake + s * 1_000);
  for (let s = 1; s <= 20; s++) expect(after(s)).toBeNull();
  expect(after(21)).toBe("its event loop has been blocked for 21 s");
});

test("one that is stopped at a line by a debugger is left alone until it beats without one", () => {
  const debugged = (second: number, pulse: ReturnType<typeof createPulse>) => {
    if (second === 5) pulse.beat(5_000, true);
    if (second === 200) pulse.beat(200_000, false);
  };
  expect(live(199, debugged)).toBe("lives");
  expect(live(300, debugged)).toBe("221: its event loop has been blocked for 21 s");
});
