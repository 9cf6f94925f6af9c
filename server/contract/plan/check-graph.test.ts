// Every fault of a plan's graph, word for word, each beside the plan that differs in what the message asks for.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planFaults } from "@/server/testing/plan-faults";
import { anyPlan, exampleBody, fork, planFrom, planOf, wagon } from "@/server/testing/plans";
import { checkGraph, isRefused } from "./check-graph";
import { graphOf } from "./graph";
import type { Plan } from "./plan";
import { graphSeverity } from "./problem";

const limits = { fork_tasks_max: 64 };
const check = (plan: Plan) => checkGraph(plan, limits);

describe.each(planFaults.map((row, i) => [`${row.code}, row ${i}`, row] as const))(
  "%s",
  (_, { code, at, path, says, bad, good }) => {
    test("is found, and only it", () => {
      const found = check(bad).map(({ fixes: _, ...problem }) => problem);
      expect(found).toEqual([{ code, severity: graphSeverity[code], at, path, message: says }]);
    });
    test("its neighbour has nothing to say against it", () => {
      expect(check(good).filter((problem) => problem.code === code || problem.severity === "error")).toEqual([]);
    });
  },
);

test("every code has its rows", () => {
  expect(new Set(planFaults.map(({ code }) => code))).toEqual(new Set(Object.keys(graphSeverity)));
});

test.each(["storage-brief", "incident-triage"])("the example %s has no problem", (name) => {
  expect(check(planFrom(exampleBody(name, { BOX_OF_SOURCES: "box_1", CARD_OF_UNITS: "card_1" })))).toEqual([]);
});

test("problems come in starting order, those of the plan first", () => {
  const plan = planOf(
    [
      wagon("last", { load: [{ from: "f" }], instruction: "" }),
      fork("f", [wagon("x", { instruction: "" }), wagon("y", { target: undefined })], { load: [{ from: "first" }] }),
      wagon("first", { instruction: "" }),
    ],
    { inputs: [{ name: "x", kind: "text" }] },
  );
  expect(check(plan).map(({ at }) => at)).toEqual(["", "first", "f.x", "f.y", "last"]);
});

test("a plan that is not refused has no circle, and one whose nodes wait for themselves is refused", () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      const graph = graphOf(plan);
      const seen = new Set<string>();
      const isOrdered = graph.nodes.every(({ id }) => {
        const isLater = (graph.into.get(id) ?? []).every(({ from }) => seen.has(from.split(".")[0] ?? ""));
        seen.add(id);
        return isLater;
      });
      const codes = check(plan).map(({ code }) => code);
      expect(codes.some((code) => code === "circle" || code === "before" || code === "together")).toBe(!isOrdered);
      if (!isOrdered) expect(isRefused(check(plan))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
