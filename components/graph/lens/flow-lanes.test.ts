// Lanes of one bundle do not cross, and none passes through a wagon.
import { expect, test } from "vitest";
import { berthBox } from "@/components/ground/geometry";
import type { Point } from "@/components/ui/track";
import { laneRoutes } from "./flow-lanes";

const box = (col: number, row: number) => berthBox({ col, row });

const segments = (points: readonly Point[]) => points.slice(1).map((to, i) => [points[i] ?? to, to] as const);

function crosses([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean {
  const isFlat = a[1] === b[1];
  if (isFlat === (c[1] === d[1])) return false;
  const [flat, steep] = isFlat ? [[a, b] as const, [c, d] as const] : [[c, d] as const, [a, b] as const];
  const [x, y] = [steep[0][0], flat[0][1]];
  const within = (v: number, p: number, q: number) => v > Math.min(p, q) + 0.01 && v < Math.max(p, q) - 0.01;
  return within(x, flat[0][0], flat[1][0]) && within(y, steep[0][1], steep[1][1]);
}

test.each([2, 3, 5, 12])("a bundle of %i lanes does not cross itself", (n) => {
  const at = new Map([["a", box(2, Math.floor(n / 2))]]);
  for (let i = 0; i < n; i++) at.set(`b${i}`, box(3, i));
  const ends = Array.from({ length: n }, (_, i) => ({ from: "a", to: `b${(i * 7) % n}` }));
  const routes = laneRoutes(ends, (id) => at.get(id));
  for (const [i, one] of routes.entries())
    for (const other of routes.slice(i + 1))
      for (const p of segments(one.points)) for (const q of segments(other.points)) expect(crosses(p, q)).toBe(false);
});

test("ahead, back and far away: no lane runs through a wagon", () => {
  const at = new Map<string, ReturnType<typeof box>>();
  for (let col = 1; col < 6; col++) for (let row = 0; row < 6; row++) at.set(`${col} ${row}`, box(col, row));
  const ids = [...at.keys()];
  const ends = ids.flatMap((from, i) =>
    ids.flatMap((to, j) => ((i * 5 + j * 3) % 7 === 0 && from !== to ? [{ from, to }] : [])),
  );
  for (const [n, { points }] of laneRoutes(ends, (id) => at.get(id)).entries()) {
    expect(points.length).toBeGreaterThan(1);
    for (const [p, q] of segments(points))
      for (const [id, wagon] of at) {
        if (id === ends[n]?.from || id === ends[n]?.to) continue;
        const apart =
          Math.max(p[0], q[0]) <= wagon.x ||
          Math.min(p[0], q[0]) >= wagon.x + wagon.w ||
          Math.max(p[1], q[1]) <= wagon.y ||
          Math.min(p[1], q[1]) >= wagon.y + wagon.h;
        expect(apart, `${JSON.stringify(ends[n])} through ${id}`).toBe(true);
      }
  }
});

test("what does not stand anywhere has no route", () => {
  expect(laneRoutes([{ from: "x", to: "y" }], () => undefined)).toEqual([{ points: [], label: [0, 0] }]);
});
