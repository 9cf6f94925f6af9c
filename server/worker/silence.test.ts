import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenForSilence } from "./silence";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("what ends in time, successfully or not, is not silent; three periods without an end are, and are reported once", () => {
  const silent: string[] = [];
  const silence = listenForSilence({ onSilent: (what) => void silent.push(what) });
  const beaten = silence.expect("heartbeat", 10_000);
  const claimed = silence.expect("claim", 10_000);
  for (let second = 0; second < 100; second += 10) {
    vi.advanceTimersByTime(10_000);
    beaten();
    claimed();
  }
  expect(silent).toEqual([]);
  vi.advanceTimersByTime(29_000);
  beaten();
  expect(silent).toEqual([]);
  vi.advanceTimersByTime(20_000);
  expect(silent).toEqual(["claim"]);
  silence.stop();
  vi.advanceTimersByTime(100_000);
  expect(silent).toEqual(["claim"]);
});
