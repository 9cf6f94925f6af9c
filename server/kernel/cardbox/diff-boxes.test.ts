import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "@/server/testing/cpu";
import { diffIds } from "./diff-boxes";

const told = (left: string, right: string, standsFor?: (id: string) => string | null) =>
  diffIds([...left], [...right], standsFor).map(
    (e) => `${e.verdict} ${e.was_card_id ?? ""}${e.was_card_id ? ">" : ""}${e.card_id}`,
  );

test("same, added, removed at its old place, moved", () => {
  expect(told("abc", "abc")).toEqual(["same a", "same b", "same c"]);
  expect(told("abc", "axc")).toEqual(["same a", "added x", "removed b", "same c"]);
  expect(told("abcd", "bcda")).toEqual(["same b", "same c", "same d", "moved a"]);
  expect(told("", "a")).toEqual(["added a"]);
  expect(told("ab", "")).toEqual(["removed a", "removed b"]);
});

test("a redacted copy counts as its original", () => {
  expect(told("abc", "aRc", (id) => (id === "R" ? "b" : null))).toEqual(["same a", "changed b>R", "same c"]);
});

test("a repeated card counts once per place", () => {
  expect(told("aa", "aaa")).toEqual(["same a", "same a", "added a"]);
});

test("every place of both boxes is reported exactly once, and what stays keeps its order", () => {
  const ids = fc.array(fc.constantFrom(..."abcdefgh"), { maxLength: 40 });
  fc.assert(
    fc.property(ids, ids, (left, right) => {
      const entries = diffIds(left, right);
      const places = (key: "position" | "other_position") =>
        entries.flatMap((e) => e[key] ?? []).toSorted((a, b) => a - b);
      expect(places("position")).toEqual(left.map((_, i) => i));
      expect(places("other_position")).toEqual(right.map((_, i) => i));
      const kept = entries.filter((e) => e.verdict === "same").map((e) => e.position ?? -1);
      expect(kept).toEqual(kept.toSorted((a, b) => a - b));
      for (const e of entries) {
        if (e.position !== undefined) expect(left[e.position]).toBe(e.card_id);
        if (e.other_position !== undefined) expect(right[e.other_position]).toBe(e.card_id);
      }
    }),
  );
});

test("boxes of ten thousand cards are compared quickly", () => {
  const left = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
  const right = left.toReversed();
  expect(cpuMs(() => diffIds(left, right))).toBeLessThan(1_000);
  expect(diffIds(left, right).filter((e) => e.verdict === "same")).toHaveLength(1);
});
