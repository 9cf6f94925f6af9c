import { describe, expect, it } from "vitest";
import {
  detailAt,
  drawnBox,
  firstView,
  fitted,
  focused,
  freeBox,
  growing,
  holds,
  lowered,
  revealed,
  seenBox,
  withAll,
  zoomed,
} from "./viewport";

const size = { width: 1016, height: 658 };

describe("the viewport", () => {
  it("draws what the zoom can carry", () => {
    expect([1, 0.9, 0.89, 0.6, 0.59, 0.35, 0.34].map(detailAt)).toEqual([
      "full",
      "full",
      "steady",
      "steady",
      "chip",
      "chip",
      "block",
    ]);
  });

  it("fits the whole yard and never blows it up", () => {
    const bounds = { x: -100, y: 50, w: 3000, h: 900 };
    const view = fitted(bounds, size);
    const seen = seenBox(view, size);
    expect(seen.x).toBeLessThan(bounds.x);
    expect(seen.x + seen.w).toBeGreaterThan(bounds.x + bounds.w);
    expect(seen.y).toBeLessThan(bounds.y);
    expect(seen.y + seen.h).toBeGreaterThan(bounds.y + bounds.h);
    expect(fitted({ x: 0, y: 0, w: 10, h: 10 }, size).zoom).toBe(1);
  });

  it("first shows a part that can be read where the whole cannot", () => {
    const bounds = { x: 0, y: 0, w: 1200, h: 60_000 };
    expect(detailAt(firstView(bounds, size, "first").zoom)).toBe("chip");
    const newest = seenBox(firstView(bounds, size, "newest"), size);
    expect(newest.y + newest.h).toBeGreaterThan(bounds.h);
  });

  it("moves down under figures that take another line, if they would cover the first track", () => {
    const bounds = { x: 0, y: 0, w: 6000, h: 4000 };
    const view = { zoom: 0.5, x: 20, y: 54 };
    expect(lowered(view, bounds, 42, 74)).toEqual({ ...view, y: 86 });
    // There is room still, it was covered before, or the figures take a line less.
    expect(lowered({ ...view, y: 80 }, bounds, 42, 74).y).toBe(80);
    expect(lowered({ ...view, y: -300 }, bounds, 42, 74).y).toBe(-300);
    expect(lowered(view, bounds, 74, 42)).toBe(view);
  });

  it("leaves a growing run where it is until it no longer fits", () => {
    const small = { x: 0, y: -22, w: 302, h: 44 };
    const view = growing(small, size);
    expect(holds(seenBox(view, size), { x: 0, y: -62, w: 900, h: 480 })).toBe(true);
    const larger = { x: 0, y: -62, w: 900, h: 900 };
    expect(holds(seenBox(view, size), larger)).toBe(false);
    expect(holds(seenBox(growing(larger, size), size), larger)).toBe(true);
  });

  it("keeps the first track below the figures, however many lines they take", () => {
    const bounds = { x: 0, y: -62, w: 900, h: 900 };
    const tall = { ...size, top: 70 };
    for (const place of [fitted, growing]) {
      expect(holds(freeBox(place(bounds, tall), tall), bounds)).toBe(true);
      expect(holds(freeBox(place(bounds, size), tall), bounds)).toBe(false);
    }
  });

  it("draws a little more than is seen, and the same for a small move", () => {
    const view = { x: -333, y: 77, zoom: 0.8 };
    const [seen, drawn] = [seenBox(view, size), drawnBox(view, size)];
    expect(drawn.x).toBeLessThanOrEqual(seen.x);
    expect(drawn.x + drawn.w).toBeGreaterThanOrEqual(seen.x + seen.w);
    expect(drawnBox({ ...view, x: view.x - 20 }, size)).toEqual(drawn);
  });

  it("zooms around the middle and brings a turn into it", () => {
    const view = zoomed({ x: 0, y: 0, zoom: 1 }, size, 0.5);
    expect((size.width / 2 - view.x) / view.zoom).toBe(size.width / 2);
    const near = focused({ x: 1000, y: 1000, w: 244, h: 62 }, size, 0.2);
    expect(near.zoom).toBe(0.9);
    expect((size.width / 2 - near.x) / near.zoom).toBeCloseTo(1122);
  });

  it("brings into view what is not, and moves no further than that", () => {
    const view = { x: 0, y: 0, zoom: 1 };
    const wagon = { x: 400, y: 300, w: 226, h: 62 };
    expect(revealed(wagon, size, view)).toBe(view);
    const below = revealed({ ...wagon, y: 640 }, size, view);
    expect(below).toEqual({ x: 0, y: 658 - 64 - 702, zoom: 1 });
    expect(revealed({ ...wagon, y: 640 }, size, below)).toBe(below);
    expect(revealed({ ...wagon, x: -10 }, size, view)).toEqual({ x: 74, y: 0, zoom: 1 });
    // A screen away it comes into the middle.
    expect(revealed({ ...wagon, y: 2_000 }, size, view).y).toBe(329 - 2_031);
    // What is larger than the screen shows its middle.
    expect(revealed({ x: -500, y: 300, w: 3_000, h: 62 }, size, view).x).toBe(508 - 1_000);
  });

  it("brings all of a box onto the screen, no larger than it is, and leaves alone what is there or could not be read", () => {
    const view = { x: 0, y: 0, zoom: 1 };
    const there = { x: 100, y: 200, w: 300, h: 200 };
    expect(withAll(there, size, view)).toBe(view);
    const wide = { x: 0, y: 0, w: 2000, h: 900 };
    expect(holds(freeBox(withAll(wide, size, view), size), wide)).toBe(true);
    expect(withAll(wide, size, view).zoom).toBeGreaterThanOrEqual(0.35);
    const far = { x: 5000, y: 4000, w: 300, h: 200 };
    const near = withAll(far, size, { ...view, zoom: 0.6 });
    expect(near.zoom).toBe(0.6);
    expect(holds(freeBox(near, size), far)).toBe(true);
    expect(withAll({ x: 0, y: 0, w: 20_000, h: 900 }, size, view)).toBe(view);
  });
});
