// An edit of a run touches nothing that has started, whatever the operations (K22).
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPlan, numbers, opFrom } from "@/server/testing/random-plans";
import { sameJson } from "../same-json";
import { editRun } from "./edit-run";
import { parsePlan } from "./parse-plan";
import type { Plan } from "./plan";
import { type PlanNodeStatus, planNodeStatuses } from "./plan-run";

const plan = (nodes: object[], more: object = {}): Plan => {
  const read = parsePlan({ switchyard: "plan/1", name: "p", nodes, ...more });
  if (!("plan" in read)) throw new Error(read.fault.message);
  return read.plan;
};
const wagon = (id: string, more: object = {}) => ({ id, target: { ref: "P" }, instruction: `Do ${id}`, ...more });
const flow = plan([wagon("a"), wagon("b", { load: [{ from: "a" }] }), wagon("c", { after: [{ node: "b" }] })]);
const standing = (given: Record<string, PlanNodeStatus>) => (id: string) => given[id];
const halfway = standing({ a: "running", b: "waiting", c: "held" });

test("waiting and held nodes change, nodes are added and taken away", () => {
  const edited = editRun(flow, halfway, [
    { op: "set", node: "b", path: "/instruction", value: "Do it well" },
    { op: "remove_node", node: "c" },
    { op: "add_node", node: { kind: "wagon", ...wagon("d", { after: [{ node: "a" }] }) } as never },
  ]);
  expect(edited).toMatchObject({ added: ["d"], changed: ["b"], removed: ["c"] });
});

test.each([
  ["running", "a is packed. Stop or fork it, or change what comes after.", "running"],
  ["over", "a is packed. Stop or fork it, or change what comes after.", "success"],
  ["skipped", "a was skipped. Retry it first, or add another wagon.", "skipped"],
] as const)("a node that is %s takes no operation", (_what, message, status) => {
  const titled = plan([wagon("a", { title: "a" }), wagon("b")]);
  const ops = [{ op: "set" as const, node: "a", path: "/instruction", value: "x" }];
  expect(editRun(titled, standing({ a: status, b: "waiting" }), ops)).toEqual({
    code: "packed",
    refusal: { path: "a", message },
  });
});

test("a skipped node loses what it waited for when that is taken away", () => {
  const stands = standing({ a: "running", b: "waiting", c: "skipped" });
  expect(editRun(flow, stands, [{ op: "remove_node", node: "b" }])).toMatchObject({ removed: ["b"], changed: ["c"] });
});

test.each([
  ["name", { op: "set" as const, path: "/name", value: "q" }],
  ["inputs", { op: "set" as const, path: "/inputs", value: [{ name: "x", kind: "text" }] }],
  ["run_by", { op: "set" as const, path: "/run_by", value: { profiles: ["P"] } }],
])("%s stays as launched", (field, op) => {
  expect(editRun(flow, halfway, [op])).toMatchObject({ code: "refused", refusal: { path: field } });
});

test("whatever the operations: a node that has started is the same object of the plan before and after", {
  timeout: 30_000,
}, () => {
  let accepted = 0;
  fc.assert(
    fc.property(
      anyPlan,
      fc.array(numbers, { maxLength: 8 }),
      fc.array(fc.constantFrom(...planNodeStatuses), { minLength: 8, maxLength: 8 }),
      (before, picks, statuses) => {
        const given = new Map(before.nodes.map(({ id }, i) => [id, statuses[i % 8]]));
        const edited = editRun(
          before,
          (id) => given.get(id),
          picks.map((pick) => opFrom(before, pick)),
        );
        if ("refusal" in edited) return;
        accepted++;
        for (const node of before.nodes) {
          const status = given.get(node.id);
          if (status === "waiting" || status === "held" || status === "skipped") continue;
          expect(
            sameJson(
              edited.plan.nodes.find(({ id }) => id === node.id),
              node,
            ),
          ).toBe(true);
        }
      },
    ),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
