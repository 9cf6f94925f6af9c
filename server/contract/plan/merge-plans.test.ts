// Merging: disjoint edits commute and ask nothing; what both changed is asked once, and nothing is lost in silence.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPlan, type Numbers, numbers, opFrom } from "@/server/testing/random-plans";
import { canonicalJson } from "../canonical-json";
import { applyOp, applyOps } from "./apply-op";
import { type Choose, mergePlans } from "./merge-plans";
import type { PlanOpInput } from "./op";
import { parsePlan } from "./parse-plan";
import type { Plan } from "./plan";

const edited = (plan: Plan, rolls: readonly Numbers[]): Plan => {
  let now = plan;
  for (const roll of rolls) {
    const next = applyOp(now, opFrom(now, roll));
    if ("plan" in next) now = next.plan;
  }
  return now;
};
const merged = (base: Plan, mine: Plan, theirs: Plan, choose?: Choose) => {
  const answer = mergePlans(base, mine, theirs, choose);
  if ("fault" in answer) throw new Error(`${answer.fault.path}: ${answer.fault.message}`);
  return answer;
};
const rolls = fc.array(numbers, { maxLength: 6 });

test("what only one side changed is taken as it is", () => {
  fc.assert(
    fc.property(anyPlan, rolls, (base, changes) => {
      const side = edited(base, changes);
      for (const [mine, theirs] of [
        [side, base],
        [base, side],
        [side, side],
      ] as const) {
        const { plan, conflicts } = merged(base, mine, theirs);
        if (conflicts.length > 0 || !isDeepStrictEqual(plan, side))
          throw new Error(JSON.stringify({ base, side, plan, conflicts }));
      }
    }),
    { numRuns: 150, seed: 11 },
  );
});

test("any two edits: the same conflicts from either side, a plan that parses, and none where no conflict is said", () => {
  let clean = 0;
  fc.assert(
    fc.property(anyPlan, rolls, rolls, (base, a, b) => {
      const [mine, theirs] = [edited(base, a), edited(base, b)];
      const one = merged(base, mine, theirs, () => "mine");
      const other = merged(base, theirs, mine, () => "theirs");
      const turned = other.conflicts.map(({ mine, theirs, ...rest }) => ({ ...rest, mine: theirs, theirs: mine }));
      const sorted = (list: object[]) => list.map(canonicalJson).sort();
      expect(sorted(turned)).toEqual(sorted(one.conflicts));
      // Berths and the order of notes are mine on each side.
      const { layout: _, ...plan } = one.plan;
      const { layout: __, ...mirrored } = other.plan;
      expect(isDeepStrictEqual(plan, mirrored)).toBe(true);
      expect(parsePlan(one.plan)).toHaveProperty("plan");
      let asked = 0;
      expect(merged(base, mine, theirs, () => (asked++ % 2 === 0 ? "theirs" : "mine")).conflicts).toHaveLength(asked);
      if (one.conflicts.length === 0) clean++;
    }),
    { numRuns: 150, seed: 12 },
  );
  expect(clean).toBeGreaterThan(25);
});

test("edits of different nodes commute: either order of merging is both applied", () => {
  const free = [
    { path: "/instruction", value: "Mine" },
    { path: "/title", value: "Title" },
    { path: "/hold", value: true },
    { path: "/load", value: [{ box: "box9" }] },
    { path: "/after", value: [] },
  ];
  fc.assert(
    fc.property(anyPlan, fc.nat(), fc.nat(), fc.nat(), fc.nat(), (base, i, j, k, l) => {
      const nodes = base.nodes.filter(({ kind }) => kind !== "fork").map(({ id }) => id);
      const [mineAt, theirsAt] = [nodes[i % nodes.length], nodes[j % nodes.length]];
      fc.pre(mineAt !== undefined && theirsAt !== undefined);
      const a = { op: "set", node: mineAt, ...free[k % free.length] } as PlanOpInput;
      const b = { op: "set", node: theirsAt, ...free[l % free.length] } as PlanOpInput;
      fc.pre(mineAt !== theirsAt || k % free.length !== l % free.length);
      const [mine, theirs, both] = [applyOps(base, [a]), applyOps(base, [b]), applyOps(base, [a, b])];
      if (!("plan" in mine && "plan" in theirs && "plan" in both)) throw new Error("refused");
      expect(merged(base, mine.plan, theirs.plan)).toEqual({ plan: both.plan, conflicts: [] });
      expect(merged(base, theirs.plan, mine.plan)).toEqual({ plan: both.plan, conflicts: [] });
    }),
    { numRuns: 100, seed: 13 },
  );
});

const plan = (nodes: object[], more: object = {}): Plan => {
  const read = parsePlan({ switchyard: "plan/1", nodes, ...more });
  if ("fault" in read) throw new Error(read.fault.message);
  return read.plan;
};
const base = plan([{ id: "a" }, { id: "b", load: [{ from: "a" }] }, { id: "f", kind: "fork", tasks: [{ id: "t" }] }]);
const act = (...ops: PlanOpInput[]): Plan => {
  const next = applyOps(base, ops);
  if ("refusal" in next) throw new Error(next.refusal.message);
  return next.plan;
};
const set = (node: string, path: string, value: unknown) => ({ op: "set", node, path, value }) as PlanOpInput;

test("both changed one field: it is asked by node and field, and the choice stands", () => {
  const [mine, theirs] = [act(set("f.t", "/instruction", "M")), act(set("f.t", "/instruction", "T"))];
  const { plan, conflicts } = merged(base, mine, theirs);
  expect(conflicts).toEqual([{ node: "f.t", field: "instruction", mine: "M", theirs: "T", base: "" }]);
  expect(plan).toEqual(mine);
  expect(merged(base, mine, theirs, () => "theirs").plan).toEqual(theirs);
});

test("one removed what the other changed or lets something new read: it is asked, never dropped", () => {
  const removed = act({ op: "remove_node", node: "a" });
  const read = act({ op: "add_load", to: "f.t", load: { from: "a" } });
  const { plan, conflicts } = merged(base, removed, read);
  expect(conflicts).toMatchObject([{ node: "a", field: "", mine: null, theirs: { id: "a" } }]);
  expect(plan).toEqual(removed);
  const kept = merged(base, removed, read, () => "theirs");
  expect(kept.plan.nodes.map(({ id }) => id)).toEqual(["a", "b", "f"]);
  expect(kept.plan.nodes[2]).toMatchObject({ tasks: [{ load: [{ from: "a" }] }] });
  expect(merged(base, removed, act(set("a", "/title", "A"))).conflicts).toHaveLength(1);
  expect(merged(base, removed, act({ op: "remove_node", node: "b" })).conflicts).toEqual([]);
});

test("a recipe here and a hand-over there are one conflict; two added nodes stand in one order", () => {
  const recipe = merged(base, act(set("b", "/recipe", "brief")), act(set("b", "/handover", {})));
  expect(recipe.conflicts).toMatchObject([{ node: "b", field: "recipe", mine: { recipe: "brief" } }]);
  const add = (id: string) => act({ op: "add_node", node: { kind: "wagon", id }, at: 1 });
  const ids = (p: Plan) => p.nodes.map(({ id }) => id).join(" ");
  expect(ids(merged(base, add("x"), add("w")).plan)).toBe("a w x b f");
  expect(ids(merged(base, add("w"), add("x")).plan)).toBe("a w x b f");
});
