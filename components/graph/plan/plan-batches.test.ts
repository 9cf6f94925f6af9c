import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block } from "@/components/ground/block";
import { type Box, berthBox, frameBox, gateBox, laneBerth, returnBox } from "@/components/ground/geometry";
import { createPlan, type Place, type Placing, type Plan, type PlanSeed } from "@/components/ground/plan";
import { routeTracks } from "@/components/ground/route-tracks";
import { tidy } from "@/components/ground/tidy";
import { forkingRun } from "../testing/sample-batches";

const runs = fc.array(fc.tuple(fc.nat(1000), fc.nat(1000)), { minLength: 1, maxLength: 24 }).map(forkingRun);

describe("the place of a batch", () => {
  it("is taken when the batch is declared: nothing that stands moves when branches come", () => {
    void fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 5 }), (turns, step) => {
        const plan = createPlan();
        const seen = new Map<string, string>();
        for (let i = 0; i < turns.length; i += step) {
          plan.add(turns.slice(i, i + step));
          const gaveWay = outdone(turns.slice(0, i + step));
          for (const [id, spot] of spotsOf(plan)) {
            if (!gaveWay.has(id)) expect(seen.get(id) ?? spot).toBe(spot);
            seen.set(id, spot);
          }
        }
      }),
    );
  });

  it("is the same whether turns come one by one or at once", () => {
    void fc.assert(
      fc.property(runs, (turns) => {
        const slow = createPlan();
        for (const turn of turns) slow.add([turn]);
        const quick = createPlan();
        quick.add(turns);
        expect([...quick.places]).toEqual([...slow.places]);
        expect([...quick.blocks]).toEqual([...slow.blocks]);
      }),
    );
  });

  it("holds its branches in task order, and nobody else", () => {
    void fc.assert(
      fc.property(runs, (turns) => {
        for (const seed of arrangements(turns)) {
          expectApart(seed);
          for (const block of seed.blocks)
            for (const [index, id] of block.turns.entries()) {
              const place = seed.places.find((one) => one.id === id);
              if (place) expect({ col: place.col, row: place.row }).toEqual(laneBerth(block, index));
            }
        }
      }),
    );
  });

  it("is one straight line from the caller to the middle lane when the fork is the first thing it does", () => {
    const plan = createPlan();
    plan.add(fork(5));
    expect(plan.places.get("b_2")?.row).toBe(plan.places.get("p")?.row);
    expect(plan.places.get("b_4")).toMatchObject({ col: 2, row: 2 });
  });

  it("stays in its own run: a second run does not rise into the first", () => {
    const plan = createPlan();
    plan.add(fork(5));
    const below = plan.bottom();
    plan.add(fork(5, "second "));
    for (const block of plan.blocks.values())
      if (block.id.startsWith("second ")) expect(block.row - 1).toBeGreaterThan(below);
  });

  it("stands in several columns when it is large, and in one cell when it is folded", () => {
    const wide = createPlan();
    wide.add(fork(64));
    expect(wide.blocks.get("b")).toMatchObject({ rows: 14, cols: 5 });
    const folded = createPlan();
    folded.add(
      fork(64)
        .map((turn) => (turn.batch ? { ...turn, batch: { lanes: 64, is_folded: true } } : turn))
        .slice(0, 3),
    );
    expect(folded.blocks.get("b")).toMatchObject({ col: 2, row: 0, rows: 1, cols: 1 });
  });

  it("leaves the first column to the person who forks", () => {
    const turns: Placing[] = [
      { id: "h", parent: null, is_human: true, is_inferred: false },
      { id: "b", parent: "h", is_human: false, is_inferred: false, batch: { lanes: 3, is_folded: false } },
      ...lanes("b", "h", 3),
    ];
    for (const seed of arrangements(turns)) {
      expect(seed.blocks[0]?.col).toBe(2);
      expect(seed.places.find((place) => place.id === "b_1")).toMatchObject({ col: 2, row: seed.places[0]?.row });
    }
  });

  it("takes what came before it was known as ordinary children, and what comes after goes on", () => {
    const plan = createPlan();
    const [h, p, batch, ...branches] = fork(3);
    if (!h || !p || !batch) throw new Error("a fork has a person, a planner and a batch");
    plan.add([h, p, ...branches.slice(0, 1)]);
    plan.add([h, p, batch, ...branches]);
    expect(plan.places.get("b_0")?.block).toBeNull();
    expect(plan.places.get("b_2")?.block?.id).toBe("b");
    expectApart({ places: [...plan.places.values()], blocks: [...plan.blocks.values()] });
  });
});

describe("a branch that is tried again", () => {
  const again = (id: string, index: number, since: string): Placing => ({
    id,
    parent: "p",
    is_human: false,
    is_inferred: false,
    lane: { batch_id: "b", task_index: index, since },
  });
  const called = (parent: string): Placing => ({ id: `${parent}_c`, parent, is_human: false, is_inferred: false });

  it("has its lane, and nothing else moves but the attempt before it", () => {
    const plan = createPlan();
    plan.add([...fork(3), called("b_1"), called("p")]);
    const before = new Map(spotsOf(plan));
    plan.add([again("b_1 again", 1, "2")]);
    const after = new Map(spotsOf(plan));
    expect(after.get("b_1 again")).toBe(before.get("b_1"));
    for (const [id, spot] of before) if (id !== "b_1") expect([id, after.get(id)]).toEqual([id, spot]);
    const [old, block] = [plan.places.get("b_1"), plan.blocks.get("b")];
    expect(old?.col).toBe(block?.col);
    expect(old?.row).toBeGreaterThan((block?.row ?? 0) + (block?.rows ?? 0));
    expect(old?.block).toBeNull();
  });

  it("stays there when an older attempt is read later", () => {
    const plan = createPlan();
    plan.add([...fork(3).slice(0, 3), again("newest", 1, "3")]);
    const before = new Map(spotsOf(plan));
    plan.add([again("older", 1, "2")]);
    expect(plan.blocks.get("b")?.turns[1]).toBe("newest");
    for (const [id, spot] of before) expect(new Map(spotsOf(plan)).get(id)).toBe(spot);
  });

  it("has its lane in a fresh arrangement too", () => {
    const { blocks } = tidy([...fork(3), again("b_1 again", 1, "2")], undefined);
    expect(blocks[0]?.turns[1]).toBe("b_1 again");
  });
});

describe("tracks of batches", () => {
  it("lead to every lane, run straight, and never through a wagon", () => {
    void fc.assert(
      fc.property(runs, (turns) => {
        for (const { places, blocks } of arrangements(turns)) {
          const routes = routeTracks(byId(places), byId(blocks));
          const lanesEmpty = blocks
            .filter((block) => !block.is_folded)
            .reduce((sum, block) => sum + block.lanes - block.turns.filter((id) => id !== undefined).length, 0);
          const folded = blocks.filter((block) => block.is_folded).length;
          expect(routes).toHaveLength(places.filter((place) => place.parent !== null).length + lanesEmpty + folded);
          const wagons = places.filter((place) => place.col > 0).map(berthBox);
          const faults: string[] = [];
          for (const { points, target } of routes)
            for (const [i, point] of points.slice(1).entries()) {
              const before = points[i];
              if (!before) continue;
              if (before[0] !== point[0] && before[1] !== point[1]) faults.push(`${target} runs askew`);
              for (const wagon of wagons)
                if (runsThrough(before, point, wagon)) faults.push(`${target} through a wagon`);
            }
          expect(faults).toEqual([]);
        }
      }),
    );
  });
});

/** Attempts that have given their lane to a newer one. */
function outdone(turns: readonly Placing[]): ReadonlySet<string> {
  const holders = new Map<string, string>();
  const gone = new Set<string>();
  for (const { id, lane } of turns) {
    if (!lane) continue;
    const key = `${lane.batch_id} ${lane.task_index}`;
    const holder = holders.get(key);
    if (holder !== undefined) gone.add(holder);
    holders.set(key, id);
  }
  return gone;
}

function spotsOf(plan: Plan): [string, string][] {
  return [
    ...[...plan.places.values()].map(({ id, col, row }): [string, string] => [id, `${col} ${row}`]),
    ...[...plan.blocks.values()].map(({ id, col, row, rows, cols }): [string, string] => [
      id,
      `${col} ${row} ${cols}x${rows}`,
    ]),
  ];
}

/** As it grew, rearranged, and grown further from there. */
function arrangements(turns: readonly Placing[]): PlanSeed[] {
  const plan = createPlan();
  plan.add(turns);
  const half = createPlan(tidy(turns.slice(0, turns.length >> 1), undefined));
  half.add(turns);
  return [plan, half]
    .map(({ places, blocks }) => ({ places: [...places.values()], blocks: [...blocks.values()] }))
    .concat(tidy(turns, undefined) as { places: Place[]; blocks: Block[] });
}

const byId = <T extends { id: string }>(list: readonly T[]): ReadonlyMap<string, T> =>
  new Map(list.map((one) => [one.id, one]));

function fork(count: number, prefix = ""): Placing[] {
  const name = (id: string) => `${prefix}${id}`;
  return [
    { id: name("h"), parent: null, is_human: true, is_inferred: false },
    { id: name("p"), parent: name("h"), is_human: false, is_inferred: false },
    {
      id: name("b"),
      parent: name("p"),
      is_human: false,
      is_inferred: false,
      batch: { lanes: count, is_folded: false },
    },
    ...lanes(name("b"), name("p"), count),
  ];
}

function lanes(batch: string, parent: string, count: number): Placing[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${batch}_${index}`,
    parent,
    is_human: false,
    is_inferred: false,
    lane: { batch_id: batch, task_index: index, since: "1" },
  }));
}

/** No two wagons, and no wagon or frame in a frame that is not its own. */
function expectApart({ places, blocks }: PlanSeed): void {
  const boxes: { box: Box; owner: string }[] = [
    ...places.map((place) => ({ box: berthBox(place), owner: place.block?.id ?? place.id })),
    ...blocks.filter((block) => block.is_folded).map((block) => ({ box: berthBox(block), owner: block.id })),
  ];
  const clashes: string[] = [];
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1)) if (meet(a.box, b.box)) clashes.push(`${a.owner} and ${b.owner}`);
  const rows = byId(places);
  const frames = blocks.filter((block) => !block.is_folded);
  for (const block of frames) {
    const parts = [frameBox(block), gateBox(block), returnBox(block, rows.get(block.parent)?.row ?? 0)];
    for (const part of parts) {
      for (const { box, owner } of boxes)
        if (owner !== block.id && meet(part, box)) clashes.push(`${block.id} and ${owner}`);
      for (const other of frames)
        if (other !== block && meet(part, frameBox(other))) clashes.push(`${block.id} and ${other.id}`);
    }
  }
  expect(clashes).toEqual([]);
}

const meet = (a: Box, b: Box): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** A wagon's lower edge is its track, so only what lies above that edge counts. */
function runsThrough(a: readonly [number, number], b: readonly [number, number], box: Box): boolean {
  const [left, right] = [Math.min(a[0], b[0]), Math.max(a[0], b[0])];
  const [top, bottom] = [Math.min(a[1], b[1]), Math.max(a[1], b[1])];
  return left < box.x + box.w && right > box.x && top < box.y + box.h && bottom > box.y;
}
