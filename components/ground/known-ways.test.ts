// What is found again must be what a search of all ways would find: whatever was drawn before, in whatever order it changed.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createKnownLines, noWays } from "./known-ways";
import { type From, type To, uprightsOf } from "./lines";
import type { Obstacle } from "./obstacles";

type Scene = { obstacles: Obstacle[]; leads: { from: From; to: To }[] };

const WAGON = { w: 254, h: 72 };
const berth = fc.tuple(fc.nat(5), fc.integer({ min: -3, max: 6 }));
const wagons = fc.uniqueArray(berth, { minLength: 2, maxLength: 24, selector: ([col, row]) => `${col} ${row}` });
const leads = fc.array(fc.tuple(fc.nat(23), fc.nat(23)), { maxLength: 40 });
const scene = fc.tuple(wagons, leads).map(([berths, ways]): Scene => {
  const at = berths.map(([col, row], i) => ({ own: `w${i}`, x: col * 328, y: row * 82 }));
  return {
    obstacles: at.map(({ own, x, y }) => ({ own, box: { x: x - 5, y: y - 67, ...WAGON } })),
    leads: ways.flatMap(([a, b]) => {
      const [source, target] = [at[a % at.length], at[b % at.length]];
      if (!source || !target || source.x >= target.x) return [];
      const gutters = [38, 50, 62, 76].map((off) => target.x - off);
      return [
        {
          from: { point: [source.x + 244, source.y], own: source.own },
          to: { point: [target.x, target.y], own: target.own, gutters },
        },
      ];
    }),
  };
});
/** Of the scene before: some wagons stand elsewhere, some tracks are gone, one comes first. */
const change = fc.tuple(
  fc.array(fc.tuple(fc.nat(23), berth), { maxLength: 3 }),
  fc.array(fc.nat(39), { maxLength: 3 }),
);

test("a way that is found again is the one that is found at first: in 30 grounds that change 4 times", () => {
  fc.assert(
    fc.property(scene, fc.array(fc.tuple(scene, change), { maxLength: 4 }), (first, changes) => {
      const found = noWays();
      let now = first;
      expect(drawn(now, found)).toEqual(drawn(now, noWays()));
      for (const [fresh, [moves, gone]] of changes) {
        now = after(now, moves, gone, fresh);
        expect(drawn(now, found)).toEqual(drawn(now, noWays()));
      }
    }),
    { numRuns: 30 },
  );
});

test("only ways near what moved are looked for again", () => {
  const far: Scene = {
    obstacles: Array.from({ length: 20 }, (_, i) => ({
      own: `w${i}`,
      box: { x: (i % 2) * 328 - 5, y: Math.floor(i / 2) * 820 - 67, ...WAGON },
    })),
    leads: Array.from({ length: 10 }, (_, i) => ({
      from: { point: [244, i * 820], own: `w${2 * i}` },
      to: { point: [328, i * 820], own: `w${2 * i + 1}`, gutters: [290] },
    })),
  };
  const found = noWays();
  drawn(far, found);
  const before = found.ways;
  const obstacles = far.obstacles.with(19, { own: "w19", box: { x: 323, y: 9 * 820 + 15, ...WAGON } });
  drawn({ ...far, obstacles }, found);
  expect(found.ways.map((way, i) => way === before[i])).toEqual([...Array.from({ length: 9 }, () => true), false]);
  expect(found.ways.flatMap(({ points }) => uprightsOf(points))).toEqual([]);
});

function drawn({ obstacles, leads }: Scene, found: ReturnType<typeof noWays>) {
  const sides = obstacles.slice(0, 3).flatMap(({ box }) => [box.x - 7, box.x + box.w + 14]);
  const lines = createKnownLines({ obstacles, sides }, found);
  return leads.map(({ from, to }) => lines.lead(from, to));
}

function after(
  { obstacles, leads }: Scene,
  moves: readonly (readonly [number, readonly [number, number]])[],
  gone: readonly number[],
  fresh: Scene,
): Scene {
  const moved = [...obstacles];
  for (const [at, [col, row]] of moves) {
    const one = moved[at % moved.length];
    if (one) moved[at % moved.length] = { ...one, box: { ...WAGON, x: col * 328 - 5, y: row * 82 - 67 } };
  }
  const kept = leads.filter((_, i) => !gone.includes(i));
  // Its last track comes first now, and there are some that were not there.
  return { obstacles: moved, leads: [...kept.slice(-1), ...kept.slice(0, -1), ...fresh.leads.slice(0, 3)] };
}
