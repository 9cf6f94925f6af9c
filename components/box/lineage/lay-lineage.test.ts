import * as fc from "fast-check";
import { expect, test } from "vitest";
import { bandWidth, layLineage, type Place } from "./lay-lineage";

const nodes = fc.array(fc.record({ tokens: fc.integer({ min: 0, max: 2_000_000 }) }), { maxLength: 60 });

test("nodes of a side lie one below the other, in order, inside the drawing, and clear of the box", () => {
  void fc.assert(
    fc.property(nodes, nodes, fc.integer({ min: 320, max: 2_400 }), (left, right, width) => {
      const drawing = layLineage({ left, right }, width);
      for (const side of [drawing.left, drawing.right])
        for (const [i, place] of side.entries()) {
          expect(place.x).toBeGreaterThanOrEqual(0);
          expect(place.x + place.width).toBeLessThanOrEqual(width);
          expect(place.y).toBeGreaterThanOrEqual(0);
          expect(place.y + place.height).toBeLessThanOrEqual(drawing.height);
          const next: Place | undefined = side[i + 1];
          if (next) expect(next.y).toBeGreaterThan(place.y + place.height);
        }
      const { box } = drawing;
      for (const place of drawing.left) expect(place.x + place.width).toBeLessThan(box.x);
      for (const place of drawing.right) expect(place.x).toBeGreaterThan(box.x + box.width);
      expect([drawing.leftBands.length, drawing.rightBands.length]).toEqual([left.length, right.length]);
      expect(JSON.stringify(drawing)).not.toMatch(/null|NaN/);
    }),
  );
});

test("a band grows with its tokens, and is never too thin to see", () => {
  const widths = [0, 10, 1_000, 100_000].map((tokens) => bandWidth(tokens, 100_000));
  expect(widths).toEqual(widths.toSorted((a, b) => a - b));
  expect([widths[0], widths.at(-1)]).toEqual([2, 22]);
});
