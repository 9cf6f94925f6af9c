// The difference of two plans: its operations lead exactly from one to the other, and its verdicts say what a person reads.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPlan, numbers, opFrom } from "@/server/testing/random-plans";
import { applyOp, applyOps } from "./apply-op";
import { diffPlans } from "./diff-plans";
import { parsePlan } from "./parse-plan";
import type { Plan } from "./plan";

const leads = (from: Plan, to: Plan): void => {
  const { ops } = diffPlans(from, to);
  const made = applyOps(from, ops);
  if (!("plan" in made && isDeepStrictEqual(made.plan, to)))
    throw new Error(`${JSON.stringify(ops)} made ${JSON.stringify(made)} of ${JSON.stringify(from)}`);
};

test("from any plan to any other", () => {
  fc.assert(fc.property(anyPlan, anyPlan, leads), { numRuns: 80, seed: 3 });
});

test("from any plan to what a few operations make of it", () => {
  fc.assert(
    fc.property(anyPlan, fc.array(numbers, { maxLength: 8 }), (from, rolls) => {
      let to = from;
      for (const roll of rolls) {
        const next = applyOp(to, opFrom(to, roll));
        if ("plan" in next) to = next.plan;
      }
      leads(from, to);
      leads(to, from);
    }),
    { numRuns: 150, seed: 5 },
  );
});

const plan = (nodes: object[], more: object = {}): Plan => {
  const read = parsePlan({ switchyard: "plan/1", nodes, ...more });
  if ("fault" in read) throw new Error(read.fault.message);
  return read.plan;
};

test("verdicts name the fields, also of tasks; where a node stands is no change of it", () => {
  const from = plan([
    { id: "a" },
    { id: "b", instruction: "x" },
    { id: "f", kind: "fork", tasks: [{ id: "t" }, { id: "u" }, { id: "v" }] },
    { id: "gone" },
  ]);
  const to = plan(
    [
      { id: "a" },
      { id: "new" },
      { id: "b", instruction: "y", after: [{ node: "a" }] },
      { id: "f", kind: "fork", gate: { fail_fast: true }, tasks: [{ id: "u", attempts: 2 }, { id: "t" }, { id: "w" }] },
    ],
    { name: "Named", layout: { places: { a: { col: 1, row: 1 } } } },
  );
  const { nodes, fields } = diffPlans(from, to);
  expect(nodes).toEqual([
    { id: "a", verdict: "same", fields: [] },
    { id: "new", verdict: "added", fields: [] },
    { id: "b", verdict: "changed", fields: ["after", "instruction"] },
    { id: "f", verdict: "changed", fields: ["tasks.u.attempts", "tasks.v", "tasks.w", "gate"] },
    { id: "gone", verdict: "removed", fields: [] },
  ]);
  expect(fields).toEqual(["name"]);
});

test("small changes take few operations: a node that moved is one, and so is a load", () => {
  const nodes = ["a", "b", "c", "d"].map((id) => ({ id, load: [{ from: "a" }, { box: "1" }, { box: "2" }] }));
  const from = plan(nodes);
  const [a, b, c, d] = nodes;
  expect(diffPlans(from, plan([b, c, d, a] as object[])).ops).toEqual([{ op: "move_node", node: "a", at: 3 }]);
  const turned = { ...d, load: [{ box: "2" }, { from: "a" }, { box: "1" }] };
  expect(diffPlans(from, plan([a, b, c, turned] as object[])).ops).toEqual([
    { op: "move_load", to: "d", load: { box: "2" }, index: 2, at: 0 },
  ]);
  expect(diffPlans(from, from)).toMatchObject({ ops: [], fields: [] });
});
