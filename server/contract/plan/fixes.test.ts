// The remedies that problems offer: operations, and only those that help.
import fc from "fast-check";
import { expect, test } from "vitest";
import { planFaults, reuse } from "@/server/testing/plan-faults";
import { anyPlan, fork, planOf, wagon } from "@/server/testing/plans";
import { applyOp } from "./apply-op";
import { checkGraph } from "./check-graph";
import { PlanOp } from "./op";
import type { Plan } from "./plan";
import { placeOfProblem } from "./problem";

const check = (plan: Plan) => checkGraph(plan, { fork_tasks_max: 64 });
const load = (from: string) => ({ from, take: "deliverable" });

test.each<[string, unknown[]]>([
  ["F has no task", [{ op: "remove_node", node: "f" }]],
  [
    "A and B wait for each other: A → B → C",
    [{ op: "remove_track", to: "a", track: { node: "c", on: "delivered" }, index: 0 }],
  ],
  ["X and F wait", [{ op: "remove_load", to: "f.x", load: load("f"), index: 0 }]],
  ["A ends before C", [{ op: "remove_load", to: "a", load: load("c"), index: 0 }]],
  ["X and Y are tasks of one fork", [{ op: "remove_load", to: "f.y", load: load("f.x"), index: 0 }]],
  ["B has no target: F is a fork", [{ op: "set", node: "b", path: "/target/ref", value: "@f.x" }]],
  [
    "X uses input y",
    [{ op: "set", path: "/inputs", value: [{ name: "y", kind: "text", required: true, description: "" }] }],
  ],
  ["X and Y both reuse agent_1", [{ op: "set", node: "f.y", path: "/target/strategy", value: "clone" }]],
  [
    "A and B may run at once",
    [
      { op: "add_track", to: "b", track: { node: "a", on: "ended" } },
      { op: "set", node: "b", path: "/target/strategy", value: "clone" },
    ],
  ],
  ["B reuses the agent of Y", [{ op: "add_track", to: "b", track: { node: "f.y", on: "delivered" } }]],
  [
    "B loads the result of A",
    [
      { op: "set", node: "a", path: "/disabled", value: false },
      { op: "remove_load", to: "b", load: load("a"), index: 1 },
    ],
  ],
  ["B never starts: it waits for A", [{ op: "remove_track", to: "b", track: { node: "a", on: "failed" }, index: 1 }]],
  ["Input y is used nowhere", [{ op: "set", path: "/inputs/1" }]],
])("%s ...", (says, fixes) => {
  const fault = planFaults.find((one) => one.says.startsWith(says));
  const found = fault && check(fault.bad).find(({ message }) => message === fault.says);
  expect(found?.fixes).toEqual(fixes);
  for (const fix of fixes) expect(PlanOp.safeParse(fix).success).toBe(true);
});

const toldOf = ({ code, at, message }: { code: string; at: string; message: string }) =>
  `${code} at ${placeOfProblem(at)}: ${message}`;

/** Two loads of tasks with one name are told in the same words: one of them is gone then. */
function expectHelp(plan: Plan): void {
  const count = (one: Plan, told: string) => check(one).filter((problem) => toldOf(problem) === told).length;
  for (const problem of check(plan))
    for (const fix of problem.fixes ?? []) {
      const done = applyOp(plan, fix);
      if (!("plan" in done)) throw new Error(`${JSON.stringify(fix)}: ${done.refusal.path}: ${done.refusal.message}`);
      const told = toldOf(problem);
      expect(count(done.plan, told), `${JSON.stringify(fix)}: ${told}`).toBeLessThan(count(plan, told));
    }
}

test("each of them takes its problem away by itself", () => {
  for (const { bad } of planFaults) expectHelp(bad);
  fc.assert(fc.property(anyPlan, expectHelp), { numRuns: 500 });
});

test("none is offered that does not help: of two loads of one place, of wagons that wait for each other", () => {
  const twice = planOf([fork("f", [wagon("x"), wagon("y", { load: [load("f.x"), { from: "f.x", take: "output" }] })])]);
  const back = planOf([wagon("a", reuse("@b")), wagon("b", { load: [load("a")] })]);
  expect([...check(twice), ...check(back)].map(({ code, fixes }) => [code, fixes])).toEqual([
    ["together", undefined],
    ["not_before", undefined],
  ]);
});
