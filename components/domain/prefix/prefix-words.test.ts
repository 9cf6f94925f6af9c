import { expect, test } from "vitest";
import { isStable, totalsText } from "./prefix-words";

const totals = { input_tokens: 3_400_000, predicted_cached: 2_100_000, reported_cached: 900_000 };

test("what could have been cached, beside what was reported", () => {
  expect(totalsText({ ...totals, unreported: 0, without_rule: 0 })).toBe(
    "2.1M of 3.4M input tokens could have been read from a cache. Reported: 900.0k.",
  );
  expect(totalsText({ ...totals, unreported: 2, without_rule: 3 })).toContain(
    "3 without a published rule count as none.",
  );
});

test("a request that only grew at its end is stable", () => {
  expect((["first", "same", "appended"] as const).every(isStable)).toBe(true);
  expect(
    (["system_changed", "tools_changed", "inserted", "removed", "replaced", "moved"] as const).some(isStable),
  ).toBe(false);
});
