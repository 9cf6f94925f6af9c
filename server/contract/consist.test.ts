import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "@/server/testing/cpu";
import { appendConsist, CONSIST_RUNS_MAX, type ConsistRun, formatConsist, parseConsist } from "./consist";

const run = fc.record({
  role: fc.constantFrom("system" as const, "user" as const, "assistant" as const, "tool" as const),
  tokens: fc.nat({ max: 50 }),
});
const sum = (runs: ConsistRun[]) => runs.reduce((n, r) => n + r.tokens, 0);

/** The definition: merge the lightest pair (the leftmost of equals) until few enough are left. */
function byDefinition(given: ConsistRun[]): ConsistRun[] {
  const runs = given.filter((r) => r.tokens > 0);
  while (runs.length > CONSIST_RUNS_MAX) {
    const sums = runs.slice(1).map((r, i) => r.tokens + (runs[i]?.tokens ?? 0));
    const at = sums.indexOf(Math.min(...sums));
    const [a, b] = [runs[at], runs[at + 1]];
    if (a && b) runs.splice(at, 2, { role: a.tokens >= b.tokens ? a.role : b.role, tokens: a.tokens + b.tokens });
  }
  return runs;
}

test("merges as defined, and the sum never changes", () => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 150 }), (runs) => {
      const kept = parseConsist(formatConsist(runs));
      expect(kept).toEqual(byDefinition(runs));
      expect(sum(kept)).toBe(sum(runs));
    }),
  );
});

test("appending keeps the sum", () => {
  fc.assert(
    fc.property(fc.array(run), fc.array(run), (a, b) => {
      expect(sum(parseConsist(appendConsist(formatConsist(a), b)))).toBe(sum(a) + sum(b));
    }),
  );
});

test("ten thousand runs in no time", () => {
  const runs = Array.from({ length: 10_000 }, (_, i) => ({ role: "user" as const, tokens: (i % 97) + 1 }));
  expect(cpuMs(() => formatConsist(runs))).toBeLessThan(300);
  expect(parseConsist(formatConsist(runs))).toHaveLength(CONSIST_RUNS_MAX);
});
