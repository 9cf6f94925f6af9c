// Plans for tests: written briefly, read from the examples, or drawn at random.
import fs from "node:fs";
import fc from "fast-check";
import { parse } from "yaml";
import { parsePlan } from "@/server/contract/plan/parse-plan";
import type { Plan } from "@/server/contract/plan/plan";

export function planFrom(body: unknown): Plan {
  const read = parsePlan(body);
  if (!("plan" in read)) throw new Error(`${read.fault.path}: ${read.fault.message}`);
  return read.plan;
}

export const planOf = (nodes: unknown[], more: object = {}): Plan => planFrom({ switchyard: "plan/1", nodes, ...more });

const ready = (id: string) => ({ id, target: { ref: "A" }, instruction: `Do ${id}` });
/** Ready to run, and named by its title. */
export const wagon = (id: string, more: object = {}) => ({ title: id.toUpperCase(), ...ready(id), ...more });
export const fork = (id: string, tasks: unknown[], more: object = {}) => ({
  id,
  kind: "fork",
  title: id.toUpperCase(),
  tasks,
  ...more,
});

/** An example of the repository, with ids in the place of its placeholders. */
export function exampleBody(name: string, ids: Record<string, string>): unknown {
  const text = fs.readFileSync(`examples/plans/${name}.yaml`, "utf8");
  return parse(text.replace(/\b(?:BOX|CARD)_OF_[A-Z]+\b/g, (id) => ids[id] ?? id));
}

const any = {
  on: fc.constantFrom("delivered", "success", "failed", "ended"),
  rarely: fc.nat({ max: 9 }).map((n) => n === 0),
  ref: fc.nat({ max: 999 }),
};
const NodeDraft = fc.record({
  kind: fc.constantFrom("wagon", "wagon", "ask", "fork"),
  tasks: fc.integer({ min: 1, max: 3 }),
  after: fc.array(fc.record({ ref: any.ref, on: any.on }), { maxLength: 2 }),
  loads: fc.array(fc.record({ ref: any.ref, holder: fc.nat({ max: 3 }) }), { maxLength: 2 }),
  hold: any.rarely,
  disabled: any.rarely,
  rank: any.ref,
});

/** Small graphs with everything that decides when a node starts. Most have no circle. */
export const anyPlan: fc.Arbitrary<Plan> = fc
  .tuple(fc.array(NodeDraft, { minLength: 1, maxLength: 8 }), any.rarely, fc.option(any.ref))
  .map(([drafts, mayCircle, result]) => {
    const places = drafts.map(({ kind, tasks }, i) => [
      `n${i}`,
      ...(kind === "fork" ? Array.from({ length: tasks }, (_, j) => `n${i}.t${j}`) : []),
    ]);
    const nodes = drafts.map(({ kind, tasks, after, loads, hold, disabled, rank }, i) => {
      const open = (mayCircle ? places : places.slice(0, i)).flat();
      const at = (ref: number) => open[ref % open.length];
      const loadOf = (holder: number) =>
        open.length === 0 ? [] : loads.filter((load) => load.holder === holder).map(({ ref }) => ({ from: at(ref) }));
      const node = {
        kind,
        ...ready(`n${i}`),
        after: open.length === 0 ? [] : after.map(({ ref, on }) => ({ node: at(ref), on })),
        load: loadOf(0),
        hold,
        disabled,
      };
      if (kind !== "fork") return { rank, node };
      const { target: _, instruction: __, ...frame } = node;
      const inside = Array.from({ length: tasks }, (_, j) => ({ ...ready(`t${j}`), load: loadOf(j + 1) }));
      return { rank, node: { ...frame, tasks: inside } };
    });
    const written = [...nodes].sort((a, b) => a.rank - b.rank).map(({ node }) => node);
    return planOf(written, result === null ? {} : { result: `n${result % drafts.length}` });
  });
