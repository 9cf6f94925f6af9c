import { expect, test } from "vitest";
import { cardRoles } from "./card-role";
import { toSegments, totalTokens } from "./consist-segments";

test("cards keep their order and their share of the window", () => {
  const segments = toSegments(
    [
      { role: "system", tokens: 100 },
      { role: "tool", tokens: 300 },
    ],
    800,
  );
  expect(segments.map(({ role, percent }) => [role, percent])).toEqual([
    ["system", 12.5],
    ["tool", 37.5],
  ]);
});

test("ten thousand cards become a few hundred parts, and none of their tokens is lost", () => {
  const cards = Array.from({ length: 10_000 }, (_, i) => ({ role: cardRoles[i % 4] ?? "user", tokens: 1 + (i % 7) }));
  const total = totalTokens(cards);
  const segments = toSegments(cards, total);
  expect(segments.length).toBeLessThanOrEqual(241);
  expect(segments.reduce((sum, segment) => sum + segment.tokens, 0)).toBe(total);
  expect(segments.reduce((sum, segment) => sum + segment.cards, 0)).toBe(10_000);
});

test("a big card among crumbs keeps a part of its own", () => {
  const cards = [
    { role: "user", tokens: 1 },
    { role: "tool", tokens: 500 },
    { role: "user", tokens: 1 },
  ] as const;
  expect(toSegments(cards, 1000).map((segment) => segment.role)).toEqual(["user", "tool", "user"]);
});

test("faded cards are never mixed with given ones", () => {
  const cards = [
    { role: "user", tokens: 1 },
    { role: "user", tokens: 1, faded: true },
  ] as const;
  expect(toSegments(cards, 1000).map((segment) => segment.faded)).toEqual([false, true]);
});

test("an empty box, a card without tokens and a window of nothing draw nothing", () => {
  expect(toSegments([], 100)).toEqual([]);
  expect(toSegments([{ role: "user", tokens: 0 }], 100)).toEqual([]);
  expect(toSegments([{ role: "user", tokens: 5 }], 0)).toEqual([]);
});
