// Operations: each is undone exactly, what it does not touch stays the same object, and whatever comes from outside is refused.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPlan, numbers, opFrom } from "@/server/testing/random-plans";
import { applyOp, applyOps } from "./apply-op";
import type { PlanOpInput } from "./op";
import { parsePlan } from "./parse-plan";
import { type Plan, PlanShape } from "./plan";

test("every operation applies or is refused with a path, and its inverse restores the exact plan: 3,000 random ones", () => {
  const seen = { applied: new Map<string, number>(), refused: 0 };
  fc.assert(
    fc.property(anyPlan, fc.array(numbers, { minLength: 60, maxLength: 60 }), (plan, rolls) => {
      const undo: PlanOpInput[][] = [];
      let now = plan;
      for (const roll of rolls) {
        const op = opFrom(now, roll);
        const before = JSON.stringify(now);
        const next = applyOp(now, op);
        expect(JSON.stringify(now)).toBe(before);
        if ("refusal" in next) {
          expect(next.refusal.path).not.toBe("");
          seen.refused++;
          continue;
        }
        const read = parsePlan(next.plan);
        if (!("plan" in read && isDeepStrictEqual(read.plan, next.plan)))
          throw new Error(`${JSON.stringify(op)} made ${JSON.stringify(read)}`);
        const back = applyOps(next.plan, next.inverse);
        if (!("plan" in back && isDeepStrictEqual(back.plan, now)))
          throw new Error(`${JSON.stringify(op)} is not undone by ${JSON.stringify(next.inverse)}`);
        seen.applied.set(op.op, (seen.applied.get(op.op) ?? 0) + 1);
        undo.push(next.inverse);
        now = next.plan;
      }
      const back = applyOps(now, undo.reverse().flat());
      expect("plan" in back && isDeepStrictEqual(back.plan, plan)).toBe(true);
    }),
    { numRuns: 50, seed: 7 },
  );
  expect(seen.applied.size, "every kind of operation applied at least once").toBe(16);
  expect(Math.min(...seen.applied.values())).toBeGreaterThan(5);
  expect(seen.refused).toBeGreaterThan(300);
});

const plan = (): Plan => {
  const rider = { target: { ref: "P" }, instruction: "x" };
  const read = parsePlan({
    switchyard: "plan/1",
    nodes: [
      { id: "frame", ...rider },
      {
        id: "searches",
        kind: "fork",
        load: [{ box: "b1" }, { from: "frame" }],
        tasks: [
          { id: "iron", ...rider },
          { id: "flow", ...rider },
        ],
      },
      {
        id: "brief",
        target: { strategy: "reuse", ref: "@frame" },
        instruction: "x",
        after: [{ node: "searches.flow", on: "ended" }, { node: "frame" }],
        load: [{ from: "searches.flow" }, { box: "b1" }, { from: "frame" }],
      },
      { id: "loose", ...rider },
    ],
    result: "brief",
    layout: { places: { brief: { col: 3, row: 0 }, "searches.flow": { col: 1, row: 1 } } },
  });
  if ("fault" in read) throw new Error(read.fault.message);
  return read.plan;
};
const done = (given: Plan, ...ops: PlanOpInput[]) => {
  const next = applyOps(given, ops);
  if ("refusal" in next) throw new Error(`${next.refusal.path}: ${next.refusal.message}`);
  return next;
};

test("a node takes its tracks and loads with it, and brings back every one at its old place", () => {
  const was = plan();
  const next = done(was, { op: "remove_node", node: "frame" });
  const brief = next.plan.nodes[1];
  expect(brief).toMatchObject({ after: [{ node: "searches.flow" }], load: [{ from: "searches.flow" }, { box: "b1" }] });
  expect(brief).not.toHaveProperty("target");
  expect(done(next.plan, ...next.inverse).plan).toStrictEqual(was);
  const fork = done(was, { op: "remove_node", node: "searches" });
  expect(fork.plan.nodes[1]).toMatchObject({ id: "brief", after: [{ node: "frame" }] });
  expect(Object.keys(fork.plan.layout.places)).toEqual(["brief"]);
  expect(done(was, { op: "remove_node", node: "brief" }).plan).not.toHaveProperty("result");
});

test("a new id takes its references along: tracks, loads, targets, the result and the berth", () => {
  const next = done(
    plan(),
    { op: "set", node: "searches", path: "/id", value: "finds" },
    { op: "set", node: "finds.flow", path: "/id", value: "redox" },
    { op: "set", node: "frame", path: "/id", value: "ground" },
    { op: "set", node: "brief", path: "/id", value: "paper" },
  );
  expect(next.plan.result).toBe("paper");
  expect(next.plan.layout.places).toEqual({ paper: { col: 3, row: 0 }, "finds.redox": { col: 1, row: 1 } });
  expect(next.plan.nodes[2]).toMatchObject({
    target: { ref: "@ground" },
    after: [{ node: "finds.redox" }, { node: "ground" }],
    load: [{ from: "finds.redox" }, { box: "b1" }, { from: "ground" }],
  });
});

test("a task that goes to another fork keeps who reads it", () => {
  const next = done(
    plan(),
    { op: "add_node", node: { kind: "fork", id: "more" } },
    { op: "move_task", task: "searches.flow", fork: "more" },
  );
  expect(next.plan.nodes[2]).toMatchObject({
    after: [{ node: "more.flow" }, {}],
    load: [{ from: "more.flow" }, {}, {}],
  });
  expect(next.plan.layout.places["more.flow"]).toEqual({ col: 1, row: 1 });
});

test("what an operation does not touch is the same object", () => {
  const was = plan();
  const { plan: next } = done(was, { op: "set", node: "searches.flow", path: "/instruction", value: "y" });
  expect(next.nodes.map((node, i) => node === was.nodes[i])).toEqual([true, false, true, true]);
  const [a, b] = [was.nodes[1], next.nodes[1]];
  if (a?.kind !== "fork" || b?.kind !== "fork") throw new Error("no fork");
  expect([a.tasks[0] === b.tasks[0], a.tasks[1] === b.tasks[1], a.gate === b.gate]).toEqual([true, false, true]);
  expect(next.layout).toBe(was.layout);
  expect(done(was, { op: "remove_node", node: "loose" }).plan.nodes[2]).toBe(was.nodes[2]);
});

test("an entry is found by its value when the list moved on, and refused when it is gone", () => {
  const older: PlanOpInput = { op: "remove_load", to: "brief", load: { box: "b1" }, index: 1 };
  const moved = done(plan(), { op: "add_load", to: "brief", load: { card: "c" }, at: 0 }).plan;
  expect(done(moved, older).plan.nodes[2]?.load).toEqual([
    { card: "c" },
    { from: "searches.flow", take: "deliverable" },
    { from: "frame", take: "deliverable" },
  ]);
  const gone = done(moved, older).plan;
  expect(applyOp(gone, older)).toEqual({
    refusal: { path: "load", message: "brief has no such load; it was changed or removed" },
  });
});

test("operations apply together or not at all, and the refused one is named", () => {
  const was = plan();
  const answer = applyOps(was, [
    { op: "set", path: "/name", value: "Brief" },
    { op: "add_track", to: "brief", track: { node: "nowhere" } },
  ]);
  expect(answer).toMatchObject({ index: 1, refusal: { path: "track.node" } });
  expect(was.name).toBe("");
});

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);
const ring: Record<string, unknown> = {};
ring.self = ring;

test.each<[unknown, string]>([
  [null, ""],
  [{ op: "explode" }, "op"],
  [{ op: "set", node: "brief", path: "/__proto__/x", value: 1 }, "path"],
  [{ op: "set", node: "brief", path: "/arguments/constructor", value: 1 }, "path"],
  [{ op: "set", node: "brief", path: "/arguments/prototype/x", value: 1 }, "path"],
  [{ op: "set", node: "brief", path: "/toString", value: 1 }, "path"],
  [{ op: "set", node: "brief", path: "/load/-1", value: { box: "b" } }, "path"],
  [{ op: "set", node: "brief", path: "/load/-", value: { box: "b" } }, "path"],
  [{ op: "set", node: "brief", path: "/load/01", value: { box: "b" } }, "path"],
  [{ op: "set", node: "brief", path: "/load/1e3", value: { box: "b" } }, "path"],
  [{ op: "set", node: "brief", path: "/load/length", value: 0 }, "path"],
  [{ op: "set", node: "brief", path: "/load/99999", value: { box: "b" } }, "path"],
  [{ op: "set", node: "brief", path: "title", value: "x" }, "path"],
  [{ op: "set", node: "brief", path: "/title~2", value: "x" }, "path"],
  [{ op: "set", node: "loose", path: "/handover/metadata/x", value: "x" }, "path"],
  [{ op: "set", node: "searches", path: "/tasks", value: [] }, "path"],
  [{ op: "set", path: "/nodes", value: [] }, "path"],
  [{ op: "set", path: "/layout/notes", value: [] }, "path"],
  [{ op: "set", path: "", value: {} }, "path"],
  [{ op: "set", path: "/limits/turns_max", value: 0 }, "value"],
  [{ op: "set", path: "/limits", value: { cost_max: -1 } }, "value.cost_max"],
  [{ op: "set", path: "/name", value: JSON.parse('{"__proto__": 1}') }, "value.__proto__"],
  [{ op: "set", node: "brief", path: "/arguments/a", value: deep(100) }, expect.stringMatching(/^value\.0\.0/)],
  [{ op: "set", node: "brief", path: "/arguments/a", value: ring }, expect.stringMatching(/^value\.self/)],
  [{ op: "set", node: "brief", path: "/arguments/a", value: Number.NaN }, "value"],
  [{ op: "set", node: "brief", path: "/arguments/a", value: () => 1 }, "value"],
  [{ op: "set", node: "brief", path: "/arguments/a", value: new Date() }, "value"],
  [{ op: "set", node: "frame", path: "/id", value: "brief" }, "value"],
  [{ op: "set", node: "frame", path: "", value: { kind: "wagon", id: "other" } }, "value.id"],
  [{ op: "set", node: "searches", path: "", value: { kind: "wagon", id: "searches" } }, "nodes.2.after.0.node"],
  [{ op: "set", node: "brief", path: "/result", value: "x" }, "path"],
  [{ op: "add_node", node: { kind: "wagon", id: "frame" } }, "node.id"],
  [{ op: "add_node", node: { kind: "wagon", id: "x", load: [{ from: "y" }] } }, "node.load.0.from"],
  [{ op: "add_node", node: { kind: "wagon", id: "x", model: "y" } }, "node.model"],
  [{ op: "add_node", node: { kind: "wagon", id: "x" }, at: 5 }, "at"],
  [{ op: "add_node", node: { kind: "wagon", id: "x" }, at: -1 }, "at"],
  [{ op: "add_task", fork: "frame", task: { id: "x" } }, "fork"],
  [{ op: "move_task", task: "frame" }, "task"],
  [{ op: "remove_node", node: "searches.gone" }, "node"],
  [{ op: "add_load", to: "gone", load: { box: "b" } }, "to"],
  [{ op: "add_load", to: "brief", load: { box: "b", card: "c" } }, expect.stringMatching(/^load/)],
  [{ op: "place", places: { gone: { col: 1, row: 1 } } }, "places.gone"],
  [{ op: "place", places: { brief: { col: 0.5, row: 1 } } }, "places.brief.col"],
  [{ op: "set_note", note: { id: "n", text: "", col: 0, row: 0 } }, "note.id"],
])("refused with its path, never thrown: row %#", (op, path) => {
  expect(applyOp(plan(), op as PlanOpInput)).toMatchObject({ refusal: { path } });
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test("lists have bounds", () => {
  const full = Array.from({ length: 64 }, (_, i) => ({ box: `b${i}` }));
  const was = done(plan(), { op: "set", node: "loose", path: "/load", value: full }).plan;
  expect(applyOp(was, { op: "add_load", to: "loose", load: { box: "c" } })).toEqual({
    refusal: { path: "load", message: "expected at most 64 items" },
  });
  expect(PlanShape.safeParse(was).success).toBe(true);
});
