import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Box, berthBox } from "./geometry";
import { createPlan, type Place, type Placing } from "./plan";
import { chainPoints, routeTracks, straightened } from "./route-tracks";
import { tidy } from "./tidy";

const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 220 }).map((picks) => {
  const turns: Placing[] = [
    { id: "h", parent: null, is_human: true, is_inferred: false },
    { id: "n0", parent: "h", is_human: false, is_inferred: false },
  ];
  for (const [i, pick] of picks.entries()) {
    const parent = turns[turns.length - 1 - (pick % Math.min(turns.length - 1, 9))]?.id ?? "n0";
    turns.push({ id: `n${i + 1}`, parent: parent === "h" ? "n0" : parent, is_human: false, is_inferred: false });
  }
  return turns;
});

describe("tracks", () => {
  it("run only horizontally and vertically between their two turns", () => {
    void fc.assert(
      fc.property(trees, (turns) => {
        for (const places of arrangements(turns))
          for (const { points, source, target } of routeTracks(places)) {
            const [from, to] = [boxOf(places, source), boxOf(places, target)];
            expect(points[0]?.[0]).toBe(from.x + from.w);
            expect(points.at(-1)?.[0]).toBe(to.x);
            for (const [i, point] of points.slice(1).entries()) {
              const before = points[i];
              expect(before?.[0] === point[0] || before?.[1] === point[1]).toBe(true);
            }
          }
      }),
    );
  });

  it("never run through a wagon", () => {
    void fc.assert(
      fc.property(trees, (turns) => {
        for (const places of arrangements(turns)) {
          const wagons = [...places.values()].filter((place) => place.col > 0).map(berthBox);
          for (const { points } of routeTracks(places))
            for (const [i, point] of points.slice(1).entries()) {
              const before = points[i];
              if (before) for (const wagon of wagons) expect(runsThrough(before, point, wagon)).toBe(false);
            }
        }
      }),
    );
  });

  it("keep trunks of one gutter apart where they would lie on each other", () => {
    const plan = createPlan();
    plan.add(
      [
        ["h", null],
        ["p", "h"],
        ["a", "p"],
        ["b", "p"],
        ["a1", "a"],
        ["a2", "a"],
        ["a3", "a"],
        ["b1", "b"],
        ["b2", "b"],
      ].map(([id, parent]) => ({ id: id ?? "", parent: parent ?? null, is_human: id === "h", is_inferred: false })),
    );
    const routes = new Map(routeTracks(plan.places).map((route) => [route.target, route]));
    expect(routes.get("a3")?.points[1]?.[0]).not.toBe(routes.get("b2")?.points[1]?.[0]);
  });

  it("make one line from the person to the selected turn", () => {
    const plan = createPlan();
    plan.add([
      { id: "h", parent: null, is_human: true, is_inferred: false },
      { id: "p", parent: "h", is_human: false, is_inferred: false },
      { id: "a", parent: "p", is_human: false, is_inferred: false },
      { id: "b", parent: "p", is_human: false, is_inferred: false },
    ]);
    const routes = new Map(routeTracks(plan.places).map((route) => [route.target, route]));
    const line = chainPoints(plan.places, routes, "b");
    const [person, wagon] = [boxOf(plan.places, "h"), boxOf(plan.places, "b")];
    expect(line[0]).toEqual([person.x + person.w, person.y + person.h / 2]);
    expect(line.at(-1)).toEqual([wagon.x + wagon.w, wagon.y + wagon.h]);
    // Person to trunk, down the trunk, along the lane: nothing in between is a bend.
    expect(line).toHaveLength(4);
  });

  it("drop points that lie on a straight run", () => {
    expect(
      straightened([
        [0, 0],
        [10, 0],
        [10, 0],
        [20, 0],
        [20, 30],
        [20, 60],
      ]),
    ).toEqual([
      [0, 0],
      [20, 0],
      [20, 60],
    ]);
  });
});

function arrangements(turns: readonly Placing[]): ReadonlyMap<string, Place>[] {
  const plan = createPlan();
  plan.add(turns);
  return [plan.places, new Map(tidy(turns, undefined).places.map((place) => [place.id, place]))];
}

function boxOf(places: ReadonlyMap<string, Place>, id: string): Box {
  const place = places.get(id);
  if (!place) throw new Error(`${id} is not placed`);
  return berthBox(place);
}

/** A wagon's lower edge is its track, so only what lies above that edge counts. */
function runsThrough(a: readonly [number, number], b: readonly [number, number], box: Box): boolean {
  const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const [top, bottom] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  return left < box.x + box.w && right > box.x && top < box.y + box.h && bottom > box.y;
}
