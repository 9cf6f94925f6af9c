// What changed since a version, on the drawing: nodes, and of a fork the tasks that it is about.
import { expect, test } from "vitest";
import { type Plan, PlanShape } from "@/server/contract/plan/plan";
import { gapAt } from "../drawing/rank";
import { seatOf } from "../drawing/seat";
import { versionDiff } from "./version-diff";

const target = { ref: "P" };
const planOf = (nodes: object[]): Plan => PlanShape.parse({ switchyard: "plan/1", nodes });
const fork = (tasks: object[], more: object = {}) => ({ id: "f", kind: "fork", tasks, ...more });
const task = (id: string, instruction = id) => ({ id, target, instruction });

test("marks stand on what changed, and of a fork only on the tasks that did", () => {
  const before = planOf([
    { id: "a", kind: "wagon", target },
    fork([task("one"), task("two")]),
    { id: "gone", kind: "wagon", target },
  ]);
  const after = planOf([
    { id: "a", kind: "wagon", target, hold: true },
    fork([task("one", "other"), task("two"), task("three")]),
    { id: "fresh", kind: "wagon", target },
  ]);
  const { nodes, marks } = versionDiff(before, after);
  expect(nodes.map(({ id, verdict }) => [id, verdict])).toEqual([
    ["a", "changed"],
    ["f", "changed"],
    ["fresh", "added"],
    ["gone", "removed"],
  ]);
  expect(Object.fromEntries(marks)).toEqual({
    a: "changed",
    f: "changed",
    "f.one": "changed",
    "f.three": "added",
    fresh: "added",
  });
  expect(versionDiff(before, before).nodes).toEqual([]);
});

test("a wire ends under the stretch that it loads, and what is dropped goes into the nearest gap", () => {
  const box = "01a1f0c2b10e7d3c8a55e0f1b2c3d4e5";
  const plan = planOf([{ id: "a", kind: "wagon", target, load: [{ box: "other" }, { box }] }]);
  const check = {
    place: "a",
    headcode: "1P01",
    consist: "u300 u100",
    tokens: { exact: 400, unknown: [] },
    window_tokens: 1_000,
    worker_count: 1,
    queue_ahead: 0,
    loads: {
      begins: 0,
      entries: [
        { owner: "a", index: 0, tokens: 300 },
        { owner: "a", index: 1, tokens: 100 },
      ],
    },
  };
  const checks = new Map([["a", check]]);
  expect(seatOf(plan, checks, `box:${box}`, "a")).toEqual({ from: 0.3, to: 0.4 });
  expect(seatOf(plan, new Map(), `box:${box}`, "a")).toBeNull();
  expect(gapAt(check, "a", 0.02)).toEqual({ index: 0, share: 0 });
  expect(gapAt(check, "a", 0.31)).toEqual({ index: 1, share: 0.3 });
  expect(gapAt(check, "a", 0.9)).toEqual({ index: 2, share: 0.4 });
  expect(gapAt(undefined, "a", 0.5)).toBeNull();
});
