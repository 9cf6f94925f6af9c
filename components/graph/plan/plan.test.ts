import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHAIN_COLUMNS, chainColumns } from "@/components/ground/conversation";
import { berthBox } from "@/components/ground/geometry";
import { createPlan, FAN_ROWS, type Place, type Placing } from "@/components/ground/plan";
import { tidy } from "@/components/ground/tidy";
import { emptyPicture, fold } from "@/server/contract/frame";
import { busyProject, sampleRun } from "../testing/sample-frames";
import { linksOf, placingsOf, turnsOf } from "./yard-turns";

/** Each number picks the caller among the turns before; a run starts with a person. */
const trees = fc
  .array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 120 })
  .map((picks) => treeOf(picks, false));
const conversations = fc
  .array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 80 })
  .map((picks) => treeOf(picks, true));

describe("a plan", () => {
  it("never moves a placed turn, whatever comes later", () => {
    void fc.assert(
      fc.property(fc.oneof(trees, conversations), fc.integer({ min: 1, max: 10 }), (turns, step) => {
        const plan = createPlan();
        const seen = new Map<string, string>();
        for (let i = 0; i < turns.length; i += step) {
          plan.add(turns.slice(i, i + step));
          for (const [id, { col, row }] of plan.places) {
            const spot = `${col} ${row}`;
            expect(seen.get(id) ?? spot).toBe(spot);
            seen.set(id, spot);
          }
        }
        expect(plan.places.size).toBe(turns.length);
      }),
    );
  });

  it("answers the same whether turns come one by one or at once", () => {
    void fc.assert(
      fc.property(fc.oneof(trees, conversations), (turns) => {
        const slow = createPlan();
        for (const turn of turns) slow.add([turn]);
        const quick = createPlan();
        quick.add(turns);
        expect([...quick.places]).toEqual([...slow.places]);
      }),
    );
  });

  it("lets no two turns overlap", () => {
    void fc.assert(
      fc.property(fc.oneof(trees, conversations), (turns) => {
        const plan = createPlan();
        plan.add(turns);
        expectApart([...plan.places.values()]);
      }),
    );
  });

  it("keeps siblings in order: column by column, downwards", () => {
    void fc.assert(fc.property(trees, (turns) => expectOrdered(placed(turns))));
  });

  it("goes on in the next column after a full fan of leaves", () => {
    const places = placed(fan(130));
    const leaves = [...places.values()].filter((place) => place.col >= 2);
    expect(Math.max(...leaves.map((place) => place.row))).toBe(FAN_ROWS - 1);
    expect(Math.max(...leaves.map((place) => place.col))).toBe(2 + Math.ceil(130 / FAN_ROWS) - 1);
  });

  it("lets a fan whose turns call others grow further, and then goes on right of all of them", () => {
    const turns = fan(FAN_ROWS);
    turns.push({ id: "deep", parent: "f3", is_human: false, is_inferred: false });
    turns.push({ id: "late", parent: "root", is_human: false, is_inferred: false });
    expect(placed(turns).get("late")?.col).toBe(2);
    for (let i = 0; i < 30; i++) turns.push({ id: `more${i}`, parent: "root", is_human: false, is_inferred: false });
    const places = placed(turns);
    expect(places.get("deep")?.col).toBe(3);
    expect(places.get("more29")?.col).toBe(4);
  });

  it("keeps a huge run about as wide as it is high", () => {
    const picture = fold(emptyPicture(), busyProject(5_000));
    const placings = placingsOf({ turns: turnsOf(picture, "t0"), links: linksOf(picture, "t0") }).placings;
    for (const places of [[...placed(placings).values()], tidy(placings, undefined).places]) {
      const width = Math.max(...places.map((place) => place.col)) * 328;
      const height = (Math.max(...places.map((p) => p.row)) - Math.min(...places.map((p) => p.row))) * 82;
      expect(width / height).toBeGreaterThan(0.3);
      expect(width / height).toBeLessThan(4);
    }
  });

  it("gives a long conversation longer lines, so that it has about the shape of a screen", () => {
    const line = chainColumns(130);
    const places = placed(chain(130).map((turn) => ({ ...turn, line })));
    const rows = Math.max(...[...places.values()].map((place) => place.row)) + 1;
    expect(line).toBeGreaterThan(CHAIN_COLUMNS);
    const ratio = (line * 328) / (rows * 82);
    expect(ratio).toBeGreaterThan(1.2);
    expect(ratio).toBeLessThan(2.4);
    expect(new Set([...places.values()].map(({ col, row }) => `${col} ${row}`)).size).toBe(places.size);
  });

  it("turns a conversation back like a line of text", () => {
    const places = placed(chain(10));
    const rows = Array.from({ length: 10 }, (_, i) => places.get(`c${i}`));
    expect(rows.map((place) => place?.col)).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3, 1]);
    expect(new Set(rows.map((place) => place?.row)).size).toBe(Math.ceil(10 / CHAIN_COLUMNS));
  });

  it("puts a run below the ones that stand", () => {
    const plan = createPlan();
    plan.add(fan(5));
    const before = plan.bottom();
    plan.add([{ id: "h2", parent: null, is_human: true, is_inferred: false }]);
    expect(plan.places.get("h2")?.row).toBeGreaterThan(before);
  });

  it("takes a child that the server lists before its caller", () => {
    const frames = sampleRun([1, 2, 3]).reverse();
    const picture = fold(emptyPicture(), frames);
    const placings = placingsOf({ turns: turnsOf(picture, "t0"), links: linksOf(picture, "t0") }).placings;
    const order = placings.map((placing) => placing.id);
    for (const { id, parent } of placings) if (parent) expect(order.indexOf(parent)).toBeLessThan(order.indexOf(id));
    expect(order).toHaveLength(5);
  });

  it("places each of 10,000 turns, no two of them on one spot", () => {
    const frames = busyProject(10_000);
    const picture = fold(emptyPicture(), frames);
    const turns = placingsOf({ turns: turnsOf(picture, "t0"), links: linksOf(picture, "t0") }).placings;
    const plan = createPlan();
    plan.add(turns);
    const spots = new Set([...plan.places.values()].map((place) => `${place.col} ${place.row}`));
    expect(spots.size).toBe(turns.length);
  });
});

describe("a fresh arrangement", () => {
  it("lets no two turns overlap and keeps siblings in order", () => {
    void fc.assert(
      fc.property(fc.oneof(trees, conversations), (turns) => {
        const { places } = tidy(turns, undefined);
        expect(places.map((place) => place.id).sort()).toEqual(turns.map((turn) => turn.id).sort());
        expectApart(places);
      }),
    );
    void fc.assert(
      fc.property(trees, (turns) => expectOrdered(new Map(tidy(turns, undefined).places.map((p) => [p.id, p])))),
    );
  });

  it("puts a caller in the middle of its fan", () => {
    const places = new Map(tidy(fan(5), undefined).places.map((place) => [place.id, place]));
    expect(places.get("root")?.row).toBe(places.get("f2")?.row);
  });

  it("leaves the anchor where it is, and goes on from there", () => {
    void fc.assert(
      fc.property(trees, fc.nat(), (turns, pick) => {
        const plan = createPlan();
        plan.add(turns);
        const anchor = [...plan.places.values()][pick % turns.length];
        const seed = tidy(turns, anchor);
        const { places } = seed;
        expect(places.find((place) => place.id === anchor?.id)?.row).toBe(anchor?.row);
        const next = createPlan(seed);
        next.add([...turns, { id: "new", parent: "n0", is_human: false, is_inferred: false }]);
        expectApart([...next.places.values()]);
        for (const place of places) expect(next.places.get(place.id)).toMatchObject({ col: place.col, row: place.row });
      }),
    );
  });
});

function treeOf(picks: readonly (readonly [number, boolean])[], isConversation: boolean): Placing[] {
  const turns: Placing[] = [{ id: "n0", parent: null, is_human: true, is_inferred: false }];
  for (const [i, [pick, isRoot]] of picks.entries()) {
    // Callers are mostly recent, as in a real run; now and then a new run begins.
    const back = 1 + (pick % Math.min(turns.length, 12));
    const parent = isRoot && pick % 17 === 0 ? null : (turns[turns.length - back]?.id ?? null);
    const isInferred = isConversation && pick % 3 !== 0;
    turns.push({ id: `n${i + 1}`, parent, is_human: parent === null, is_inferred: isInferred });
  }
  return turns;
}

function fan(count: number): Placing[] {
  return [
    { id: "human", parent: null, is_human: true, is_inferred: false },
    { id: "root", parent: "human", is_human: false, is_inferred: false },
    ...Array.from({ length: count }, (_, i) => ({ id: `f${i}`, parent: "root", is_human: false, is_inferred: false })),
  ];
}

function chain(count: number): Placing[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `c${i}`,
    parent: i === 0 ? null : `c${i - 1}`,
    is_human: false,
    is_inferred: i > 0,
  }));
}

function placed(turns: readonly Placing[]): ReadonlyMap<string, Place> {
  const plan = createPlan();
  plan.add(turns);
  return plan.places;
}

function expectApart(places: readonly Place[]): void {
  const boxes = places.map(berthBox);
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1))
      expect(a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h).toBe(false);
}

function expectOrdered(places: ReadonlyMap<string, Place>): void {
  for (const { children } of places.values())
    for (const [i, id] of children.slice(1).entries()) {
      const [above, below] = [places.get(children[i] ?? ""), places.get(id)];
      if (!above || !below) throw new Error(`${id} is not placed`);
      expect(above.col < below.col || (above.col === below.col && above.row < below.row)).toBe(true);
    }
}
