// Who waits for whom, and in which order: what loads add, and what nodes that are switched off leave behind.
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPlan, fork, planOf, wagon } from "@/server/testing/plans";
import { endsBefore } from "./ends-before";
import { graphOf, placesInOrder } from "./graph";
import type { Plan } from "./plan";
import { nodeIdOf } from "./plan-words";

const waits = (plan: Plan) =>
  Object.fromEntries(
    [...graphOf(plan).into].map(([id, tracks]) => [id, tracks.map(({ from, on }) => `${from} ${on}`)]),
  );

test("a load is waited for, unless it is written when", () => {
  const plan = planOf([
    wagon("a"),
    wagon("b", { load: [{ from: "a" }, { from: "a", take: "output" }] }),
    wagon("c", {
      load: [{ from: "a" }],
      after: [
        { node: "a", on: "ended" },
        { node: "b", on: "failed" },
      ],
    }),
    fork("f", [wagon("x", { load: [{ from: "b" }] }), wagon("y")], { load: [{ from: "a" }] }),
    wagon("d", { load: [{ from: "f.x" }] }),
  ]);
  expect(waits(plan)).toEqual({
    a: [],
    b: ["a delivered"],
    c: ["a ended", "b failed"],
    f: ["a delivered", "b delivered"],
    d: ["f.x delivered"],
  });
  expect(graphOf(plan).into.get("f")?.[1]).toEqual({
    from: "b",
    on: "delivered",
    at: "f.x",
    path: "nodes.3.tasks.0.load.0",
    is_load: true,
  });
});

test("what waited for a node that is off waits for what that node waited for", () => {
  const off = { disabled: true };
  const plan = planOf([
    wagon("a"),
    wagon("b", { after: [{ node: "a", on: "success" }], ...off }),
    fork("f", [wagon("x", { load: [{ from: "a" }] })], { load: [{ from: "b" }], ...off }),
    wagon("c", { load: [{ from: "f.x" }], after: [{ node: "b", on: "failed" }] }),
    wagon("d", { after: [{ node: "e" }], ...off }),
    wagon("e", { after: [{ node: "d" }], ...off }),
    wagon("g", { after: [{ node: "e" }] }),
  ]);
  expect(waits(plan)).toEqual({ a: [], c: ["a success", "a delivered"], g: [] });
});

test("nodes start as written, after what they wait for; the wagons of a fork in task order", () => {
  const plan = planOf([
    wagon("late", { after: [{ node: "f" }] }),
    wagon("b"),
    fork("f", [wagon("y"), wagon("x")], { load: [{ from: "a" }] }),
    wagon("a"),
    wagon("free"),
  ]);
  expect(placesInOrder(graphOf(plan))).toEqual(["b", "a", "f.y", "f.x", "late", "free"]);
});

test.each<[string, unknown[], object, string[]]>([
  ["the last", [wagon("a"), wagon("b", { load: [{ from: "a" }] })], {}, ["b"]],
  ["the one named", [wagon("a"), wagon("b", { load: [{ from: "a" }] })], { result: "a" }, ["a"]],
  ["not one that is off", [wagon("a"), wagon("b", { load: [{ from: "a" }], disabled: true })], { result: "b" }, ["a"]],
  [
    "several",
    [wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { load: [{ from: "a" }] })],
    {},
    ["b", "c"],
  ],
  [
    "one that others follow only if it fails",
    [wagon("a"), wagon("b", { after: [{ node: "a", on: "failed" }] })],
    {},
    ["a", "b"],
  ],
])("the result is %s", (_, nodes, more, results) => expect(graphOf(planOf(nodes, more)).results).toEqual(results));

test("a task is over before a node starts when the node waits for it, or for its fork, however far away", () => {
  const graph = graphOf(
    planOf([
      fork("f", [wagon("x"), wagon("y")]),
      wagon("a", { load: [{ from: "f.x" }] }),
      wagon("b", { load: [{ from: "a" }, { from: "f" }] }),
      wagon("c", { after: [{ node: "a", on: "failed" }] }),
    ]),
  );
  const isOver = endsBefore(graph);
  const over = (id: string) => ["f", "f.x", "f.y", "a", "b"].filter((place) => isOver(place, id));
  expect([over("a"), over("b"), over("c")]).toEqual([["f.x"], ["f", "f.x", "f.y", "a"], ["f.x", "a"]]);
});

test("of every plan: each node that is on stands once, and after what it waits for unless they are in a circle", () => {
  fc.assert(
    fc.property(anyPlan, (plan) => {
      const graph = graphOf(plan);
      const order = graph.nodes.map(({ id }) => id);
      expect([...order].sort()).toEqual(
        plan.nodes
          .filter(({ disabled }) => !disabled)
          .map(({ id }) => id)
          .sort(),
      );
      const waitsFor = (id: string) => new Set((graph.into.get(id) ?? []).map(({ from }) => nodeIdOf(from)));
      const reach = (id: string) => {
        const seen = waitsFor(id);
        for (const one of seen) for (const other of waitsFor(one)) seen.add(other);
        return seen;
      };
      const hasCircle = order.some((id) => reach(id).has(id));
      if (hasCircle) return;
      for (const [i, id] of order.entries())
        expect([...waitsFor(id)].every((from) => order.indexOf(from) < i)).toBe(true);
      const isOver = endsBefore(graph);
      for (const id of order) for (const other of order) if (isOver(other, id)) expect(reach(id)).toContain(other);
    }),
  );
});
