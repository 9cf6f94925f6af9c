import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Rect, squarify } from "./squarify";
import { TILES_MAX, tilesOf } from "./tiles-of";

const weights = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 200 });
const size = fc.record({ width: fc.integer({ min: 40, max: 2_000 }), height: fc.integer({ min: 40, max: 1_200 }) });

const heaviestFirst = (some: readonly number[]) => some.toSorted((a, b) => b - a);
const overlap = (a: Rect, b: Rect) =>
  Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

test("areas are proportional to the weights, all lie inside, and none lies over another", () => {
  void fc.assert(
    fc.property(weights, size, (some, { width, height }) => {
      const sorted = heaviestFirst(some);
      const total = sorted.reduce((sum, weight) => sum + weight, 0);
      const rects = squarify(sorted, { width, height });
      expect(rects).toHaveLength(sorted.length);
      for (const [i, rect] of rects.entries()) {
        const share = ((sorted[i] ?? 0) / total) * width * height;
        expect(Math.abs(rect.width * rect.height - share)).toBeLessThan(1e-6 * width * height);
        expect(Math.min(rect.x, rect.y, rect.width, rect.height)).toBeGreaterThanOrEqual(-1e-9);
        expect(rect.x + rect.width).toBeLessThanOrEqual(width + 1e-6);
        expect(rect.y + rect.height).toBeLessThanOrEqual(height + 1e-6);
        for (const other of rects.slice(i + 1)) expect(overlap(rect, other)).toBeLessThan(1e-6 * width * height);
      }
    }),
    { numRuns: 150 },
  );
});

test("equal weights become squares where they can", () => {
  for (const { width, height } of squarify([1, 1, 1, 1], { width: 100, height: 100 }))
    expect([width, height]).toEqual([50, 50]);
});

test("no weight and no room take no area", () => {
  expect(squarify([0, 0], { width: 100, height: 50 }).every((rect) => rect.width * rect.height === 0)).toBe(true);
  expect(squarify([3], { width: 0, height: 50 })).toEqual([{ x: 0, y: 0, width: 0, height: 0 }]);
});

test("at most 200 tiles: the rest is one, and no token is lost", () => {
  void fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 600 }), (tokens) => {
      const tiles = tilesOf("U".repeat(tokens.length), tokens);
      expect(tiles.length).toBeLessThanOrEqual(TILES_MAX);
      const sum = (some: readonly number[]) => some.reduce((total, one) => total + one, 0);
      expect(sum(tiles.map((tile) => tile.tokens))).toBe(sum(tokens));
      const cards = sum(tiles.map((tile) => tile.cards));
      expect(cards).toBe(tokens.filter((weight) => weight > 0).length);
      expect(tiles.filter((tile) => tile.role === null).length).toBe(cards > TILES_MAX ? 1 : 0);
    }),
  );
});
