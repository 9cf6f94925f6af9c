import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepStream, type StreamEnds } from "./keep-stream";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function kept() {
  const opened: StreamEnds[] = [];
  const seen = { cuts: 0, closed: 0 };
  const close = keepStream(
    (ends) => {
      opened.push(ends);
      return { unsubscribe: () => seen.closed++ };
    },
    () => seen.cuts++,
  );
  return { opened, seen, close };
}

test("a stream that ends is opened again, later each time, and soon again once the server has answered", () => {
  const { opened, seen } = kept();
  const waits = [500, 1_000, 2_000, 4_000, 8_000, 8_000];
  for (const [tries, wait] of waits.entries()) {
    opened.at(-1)?.onEnded();
    vi.advanceTimersByTime(wait - 1);
    expect(opened).toHaveLength(tries + 1);
    vi.advanceTimersByTime(1);
    expect(opened).toHaveLength(tries + 2);
  }
  expect(seen.cuts).toBe(waits.length);
  opened.at(-1)?.onStarted();
  opened.at(-1)?.onEnded();
  vi.advanceTimersByTime(500);
  expect(opened).toHaveLength(waits.length + 2);
});

test("one end told twice is one retry", () => {
  const { opened } = kept();
  opened[0]?.onEnded();
  opened[0]?.onEnded();
  vi.advanceTimersByTime(10_000);
  expect(opened).toHaveLength(2);
});

test("closed, it is not opened again, and what comes late is nothing", () => {
  const { opened, seen, close } = kept();
  opened[0]?.onEnded();
  close();
  opened[0]?.onEnded();
  vi.advanceTimersByTime(10_000);
  expect({ opened: opened.length, ...seen }).toEqual({ opened: 1, cuts: 1, closed: 1 });
});
