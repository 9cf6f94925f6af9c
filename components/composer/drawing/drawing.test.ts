// Where a drawn plan stands, how its wires run, and what the pointer means on it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { berthBox, gateBox, trackY } from "@/components/ground/geometry";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import { idsOf } from "@/server/contract/plan/plan-words";
import { berthAt, type Drag, dropOf, movedBy, overAt } from "../canvas/drag";
import { refusedTargets } from "./couplable";
import { drawingOf, PERSON } from "./drawing";
import { cratesOf, loadRowsOf, targetWords } from "./loads";
import { alongTracks, inOrder, nearest } from "./nearest";
import { cratesAt, wiresOf } from "./wires";

const target = { ref: "Searcher" };
const box = "01a1f0c2b10e7d3c8a55e0f1b2c3d4e5";
const card = "01a1f0c29c05711aa0417f6e5d4c3b2a";
const brief: Plan = PlanShape.parse({
  switchyard: "plan/1",
  inputs: [{ name: "question", kind: "text" }],
  nodes: [
    { id: "frame", kind: "wagon", title: "Fix the frame", target, load: [{ input: "question" }] },
    { id: "wacc", kind: "ask", title: "WACC", target, load: [{ from: "frame" }] },
    {
      id: "searches",
      kind: "fork",
      title: "Three searches",
      load: [{ box }, { from: "frame" }],
      tasks: [
        { id: "iron", title: "Iron-air", target },
        { id: "flow", title: "Flow", target, load: [{ card }] },
        { id: "thermal", title: "Thermal", target },
      ],
    },
    {
      id: "brief",
      kind: "wagon",
      title: "Write",
      target: { strategy: "reuse", ref: "@frame" },
      load: [{ box }, { from: "searches" }, { from: "wacc" }],
    },
    { id: "check", kind: "wagon", title: "Check", target, hold: true, load: [{ from: "brief" }] },
  ],
});
const drawing = drawingOf(brief);
const middleOf = (place: string) => {
  const at = drawing.places.get(place);
  if (!at) throw new Error(place);
  const { x, y, w, h } = berthBox(at);
  return { x: x + w / 2, y: y + h / 2 };
};

describe("places and tracks", () => {
  it("every wagon, ask and task stands somewhere, under its name in the plan", () => {
    expect([...drawing.places.keys()].sort()).toEqual(
      [PERSON, "brief", "check", "frame", "searches.flow", "searches.iron", "searches.thermal", "wacc"].sort(),
    );
    expect(drawing.stops.get("searches")?.lanes).toBe(3);
  });

  it("there is a track for each wait, from where it is written", () => {
    const ways = new Set(drawing.routes.map(({ from, to }) => `${from} ${to}`));
    expect(ways).toEqual(
      new Set(
        ["null frame", "frame wacc", "frame searches", "searches brief", "wacc brief", "brief check"].map((way) =>
          way.replace("null", "null"),
        ),
      ),
    );
  });
});

describe("wires", () => {
  it("a crate is drawn once however many load it, in order of first use", () => {
    expect(cratesOf(brief).map(({ id, readers }) => [id, readers])).toEqual([
      ["input:question", ["frame"]],
      [`box:${box}`, ["searches", "brief"]],
      [`card:${card}`, ["searches.flow"]],
    ]);
  });

  it("crates never overlap, and no wire of any plan runs through a wagon or a gate", () => {
    const drawn = fc.array(
      fc.tuple(fc.nat(3), fc.nat(6), fc.array(fc.nat(8), { maxLength: 3 }), fc.array(fc.nat(5), { maxLength: 3 })),
      { minLength: 1, maxLength: 9 },
    );
    fc.assert(
      fc.property(drawn, (given) => {
        const plan = PlanShape.parse({
          switchyard: "plan/1",
          nodes: given.map(([kind, tasks, after, boxes], i) => {
            const load = [...new Set(boxes)].map((n) => ({ box: `box${n}` }));
            const waits = i === 0 ? [] : [...new Set(after.map((one) => `n${one % i}`))].map((node) => ({ node }));
            if (kind !== 3) return { id: `n${i}`, kind: kind === 2 ? "ask" : "wagon", after: waits, load };
            return {
              id: `n${i}`,
              kind: "fork",
              after: waits,
              load,
              tasks: Array.from({ length: tasks + 1 }, (_, t) => ({
                id: `t${t}`,
                load: t === 0 ? [{ box: "boxt" }] : [],
              })),
            };
          }),
        });
        const ground = drawingOf(plan);
        const crates = cratesAt(plan, ground);
        for (const [i, a] of crates.entries())
          for (const b of crates.slice(i + 1))
            expect(
              a.box.x + a.box.w <= b.box.x ||
                b.box.x + b.box.w <= a.box.x ||
                a.box.y + a.box.h <= b.box.y ||
                b.box.y + b.box.h <= a.box.y,
            ).toBe(true);
        const wires = wiresOf(ground, crates, () => true);
        expect(wires).toHaveLength(crates.reduce((sum, { readers }) => sum + readers.length, 0));
        for (const { points } of wires)
          for (const [i, [x, y]] of points.entries()) {
            const [fromX, fromY] = points[i - 1] ?? [x, y];
            expect(x === fromX || y === fromY).toBe(true);
            for (const place of ground.places.values()) {
              if (place.id === PERSON) continue;
              const at = berthBox(place);
              const isThrough =
                Math.min(x, fromX) < at.x + at.w - 1 &&
                Math.max(x, fromX) > at.x + 1 &&
                Math.min(y, fromY) < at.y + at.h - 1 &&
                Math.max(y, fromY) > at.y + 1;
              expect(isThrough, `${place.id}`).toBe(false);
            }
            for (const [id, stop] of ground.stops) {
              if (stop.kind !== "fork") continue;
              const gate = gateBox(stop);
              const isThrough =
                Math.min(x, fromX) < gate.x + gate.w &&
                Math.max(x, fromX) > gate.x &&
                Math.min(y, fromY) < gate.y + gate.h &&
                Math.max(y, fromY) > gate.y;
              expect(isThrough, `gate of ${id}`).toBe(false);
            }
          }
      }),
      { numRuns: 120 },
    );
  });
});

describe("what may wait for what", () => {
  it("not itself, not what ends before it, not a task that starts with it", () => {
    const refused = refusedTargets(brief, "searches.thermal");
    expect(refused.get("searches.flow")).toBe("starts together with Thermal");
    expect(refused.get("frame")).toBe("ends before Thermal starts");
    expect(refused.get("searches.thermal")).toBe("it cannot wait for itself");
    expect(["wacc", "brief", "check"].some((place) => refused.has(place))).toBe(false);
  });
});

describe("dragging", () => {
  const over = (place: string) => overAt(drawing, middleOf(place));
  const couple = (from: string, to: string): Drag => ({
    kind: "couple",
    from,
    at: middleOf(to),
    carried: "deliverable",
    over: over(to),
    refusals: refusedTargets(brief, from),
  });

  it("says what lies under the pointer: a wagon, a frame, a track, open ground", () => {
    expect(over("searches.flow")).toEqual({ kind: "wagon", place: "searches.flow" });
    const gate = drawing.stops.get("searches");
    expect(overAt(drawing, { x: middleOf("searches.iron").x, y: trackY(gate?.row ?? 0) - 95 })).toEqual({
      kind: "frame",
      fork: "searches",
    });
    const first = drawing.routes.find(({ from, to }) => from === "brief" && to === "check");
    const [x, y] = first?.points[0] ?? [0, 0];
    expect(overAt(drawing, { x: x + 30, y })).toMatchObject({ kind: "track", route: { from: "brief", to: "check" } });
    expect(overAt(drawing, { x: 100, y: 900 })).toEqual({ kind: "berth", berth: { col: 1, row: 11 } });
  });

  it("a coupling to a wagon loads its deliverable; a refused one says why", () => {
    expect(dropOf(brief, drawing, couple("searches.thermal", "check"))).toMatchObject({
      ops: [{ op: "add_load", to: "check", load: { from: "searches.thermal", take: "deliverable" } }],
    });
    expect(dropOf(brief, drawing, couple("brief", "frame"))).toBe("ends before Write starts");
  });

  it("a profile on a track is spliced in, on a frame it is a task, on open ground a wagon there", () => {
    const item = { words: "P", made: { kind: "wagon" as const, target: { strategy: "new" as const, ref: "P" } } };
    const drop = (at: { x: number; y: number }) =>
      dropOf(brief, drawing, { kind: "item", item, at, over: overAt(drawing, at), gap: null });
    const route = drawing.routes.find(({ from, to }) => from === "brief" && to === "check");
    const [x, y] = route?.points[0] ?? [0, 0];
    expect(drop({ x: x + 30, y })).toMatchObject({
      ops: [{ op: "add_node" }, { op: "add_load" }, { op: "remove_load" }, { op: "add_load", to: "check" }],
    });
    expect(drop(middleOf("searches.iron"))).toMatchObject({ ops: [{ op: "add_task", fork: "searches" }] });
    expect(drop({ x: 100, y: 900 })).toMatchObject({
      ops: [{ op: "add_node" }, { op: "place", places: { p: { col: 1, row: 11 } } }],
    });
  });

  it("a crate goes to a wagon or a fork, and nowhere else", () => {
    const item = { words: "Box D4E5", load: { box } };
    const at = middleOf("check");
    expect(dropOf(brief, drawing, { kind: "item", item, at, over: over("check"), gap: null })).toMatchObject({
      ops: [{ op: "add_load", to: "check", load: { box } }],
    });
    const ground = { x: 100, y: 900 };
    expect(
      dropOf(brief, drawing, { kind: "item", item, at: ground, over: overAt(drawing, ground), gap: null }),
    ).toContain("Drop Box D4E5 on the wagon");
  });

  it("a wagon moves by whole berths; a task within its frame changes its order, out of it it is a wagon of its own", () => {
    const start = middleOf("check");
    const move = (places: string[], from: { x: number; y: number }, at: { x: number; y: number }): Drag => ({
      kind: "move",
      places,
      start: from,
      at,
      over: overAt(drawing, at, new Set(places)),
      isCopy: false,
    });
    const moved = drawing.stops.get("check");
    expect(dropOf(brief, drawing, move(["check"], start, { x: start.x, y: start.y + 2 * trackY(1) }))).toMatchObject({
      ops: [{ op: "place", places: { check: { col: moved?.col, row: (moved?.row ?? 0) + 2 } } }],
    });
    expect(dropOf(brief, drawing, move(["check"], start, { x: start.x + 3, y: start.y }))).toBeNull();
    expect(
      dropOf(brief, drawing, move(["searches.iron"], middleOf("searches.iron"), middleOf("searches.thermal"))),
    ).toMatchObject({ ops: [{ op: "move_task", task: "searches.iron", at: 2 }] });
    expect(
      dropOf(brief, drawing, move(["searches.flow"], middleOf("searches.flow"), { x: 900, y: 1_300 })),
    ).toMatchObject({
      ops: [
        { op: "remove_node", node: "searches.flow" },
        { op: "add_node", node: { id: "flow", load: [{ box }, { from: "frame" }, { card }] } },
        { op: "place" },
      ],
    });
    expect(movedBy({ x: 100, y: 10 }, { x: 100, y: 10 + trackY(1) })).toEqual({ col: 0, row: 1 });
    expect(berthAt({ x: -50, y: -trackY(3) + 1 })).toEqual({ col: 1, row: -2 });
  });
});

describe("by keys", () => {
  it("the arrows go to what is near, i and o along the tracks, brackets in starting order", () => {
    expect(nearest(drawing, "frame", "right")).toBe("searches.flow");
    expect(nearest(drawing, "searches.flow", "up")).toBe("searches.iron");
    expect(nearest(drawing, null, "right")).not.toBeNull();
    expect(alongTracks(brief, "searches.flow", "in")).toBe("frame");
    expect(alongTracks(brief, "frame", "out")).toBe("wacc");
    expect(inOrder(brief, "frame", 1)).toBe("wacc");
    expect(inOrder(brief, null, "last")).toBe("check");
  });

  it("every place can be reached by the arrows", () => {
    const reached = new Set<string>(["frame"]);
    const open = ["frame"];
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const way of ["left", "right", "up", "down"] as const) {
        const to = nearest(drawing, next, way);
        if (to !== null && !reached.has(to)) {
          reached.add(to);
          open.push(to);
        }
      }
    expect([...reached].sort()).toEqual(
      idsOf(brief)
        .filter((id) => id !== "searches")
        .sort(),
    );
  });
});

it("a task reads what its fork is given before its own", () => {
  const { fork, rows } = loadRowsOf(brief, "searches.flow");
  expect(fork?.id).toBe("searches");
  expect(rows.map(({ owner, words }) => [owner, words])).toEqual([
    ["searches", "Box D4E5"],
    ["searches", "Fix the frame, deliverable"],
    ["searches.flow", "Card 3B2A"],
  ]);
  expect(targetWords(brief, { target: { strategy: "reuse", ref: "@frame" } })).toBe("Fix the frame again");
});
