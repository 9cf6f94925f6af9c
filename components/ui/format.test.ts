import { expect, test } from "vitest";
import {
  formatAgo,
  formatBytes,
  formatCompact,
  formatCost,
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
} from "./format";

test.each([
  [0, "0"],
  [999, "999"],
  [14_400, "14.4k"],
  [999_949, "999.9k"],
  [999_950, "1.0M"],
  [1_240_000, "1.2M"],
])("%d tokens read %s", (value, text) => {
  expect(formatCompact(value)).toBe(text);
});

test.each([
  [-5, "0s"],
  [0, "0ms"],
  [450, "450ms"],
  [9_940, "9.9s"],
  [9_950, "10s"],
  [59_600, "1m 00s"],
  [191_000, "3m 11s"],
  [3_599_600, "1h 00m"],
  [90_061_000, "1d 01h"],
])("%d ms read %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test("a part is never rounded to nothing or to all", () => {
  expect(formatPercent(0, 100)).toBe("0 %");
  expect(formatPercent(1, 100_000)).toBe("< 1 %");
  expect(formatPercent(99_999, 100_000)).toBe("> 99 %");
  expect(formatPercent(100, 100)).toBe("100 %");
  expect(formatPercent(5, 0)).toBe("0 %");
});

test("times ago", () => {
  const now = Date.UTC(2026, 2, 7, 12);
  const ago = (ms: number) => formatAgo(new Date(now - ms), now);
  expect(ago(0)).toBe("just now");
  expect(ago(-5000)).toBe("just now");
  expect(ago(4000)).toBe("4s ago");
  expect(ago(59_700)).toBe("1m ago");
  expect(ago(3 * 3_600_000)).toBe("3h ago");
  expect(ago(24 * 3_600_000)).toBe("yesterday");
  expect(ago(5 * 86_400_000)).toBe("5d ago");
  expect(ago(40 * 86_400_000)).toMatch(/^2026-01-2\d$/);
  expect(formatAgo("no time", now)).toBe("unknown time");
});

test("numbers, costs, bytes and counts", () => {
  expect(formatNumber(9453)).toBe("9,453");
  expect(formatCost(0)).toBe("$0");
  expect(formatCost(0.0001)).toBe("< $0.001");
  expect(formatCost(0.0542)).toBe("$0.054");
  expect(formatCost(1.2)).toBe("$1.20");
  expect(formatBytes(5_000_000)).toBe("5.0 MB");
  expect(formatCount(1, "card")).toBe("1 card");
  expect(formatCount(1420, "card")).toBe("1,420 cards");
  expect(formatCount(2, "box", "boxes")).toBe("2 boxes");
});
