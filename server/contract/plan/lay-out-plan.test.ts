// Where the nodes of a plan stand: right of what they wait for, never on each other, and where they were put before.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockCells, blockShape } from "../lanes";
import { gateColumn, layOutPlan } from "./lay-out-plan";
import { type Berth, type Plan, type PlanNode, PlanShape } from "./plan";

const target = { ref: "Search" };
const plan = (nodes: unknown[]): Plan => PlanShape.parse({ switchyard: "plan/1", nodes });
const wagon = (id: string, after: string[] = [], kind = "wagon") => ({
  id,
  kind,
  target,
  after: after.map((node) => ({ node })),
});
const fork = (id: string, tasks: number, after: string[] = []) => ({
  id,
  kind: "fork",
  after: after.map((node) => ({ node })),
  tasks: Array.from({ length: tasks }, (_, i) => ({ id: `t${i}`, target })),
});
const placed = (nodes: unknown[], given: Record<string, Berth> = {}) =>
  Object.fromEntries([...layOutPlan(plan(nodes), given)].map(([id, { col, row }]) => [id, [col, row]]));

describe("places of a plan", () => {
  it("stands a line in a row, the gate's follower in the gate's column, and an ask above its reader", () => {
    expect(
      placed([
        wagon("frame"),
        wagon("wacc", ["frame"], "ask"),
        fork("searches", 3, ["frame"]),
        wagon("brief", ["searches", "wacc"]),
        wagon("tables", ["brief"]),
      ]),
    ).toEqual({ frame: [1, 0], searches: [2, -1], wacc: [2, -3], brief: [3, 0], tables: [4, 0] });
  });

  it("leaves the first column to the person where a fork begins the plan", () => {
    expect(placed([fork("a", 2)])).toEqual({ a: [2, 0] });
  });

  it("stands what waits for one task behind the gate's column, and a fork after a gate too", () => {
    expect(placed([fork("a", 2), wagon("early", ["a.t1"]), fork("b", 2, ["a"])])).toEqual({
      a: [2, 0],
      early: [4, 0],
      b: [4, 2],
    });
  });

  it("keeps a place that was given, also when more is added, and moves one that is left of what it waits for", () => {
    const nodes = [wagon("a"), wagon("b", ["a"])];
    expect(placed(nodes, { b: { col: 5, row: 4 } })).toEqual({ a: [1, 0], b: [5, 4] });
    expect(placed([...nodes, wagon("c", ["a"])], { a: { col: 1, row: 0 }, b: { col: 2, row: 0 } })).toEqual({
      a: [1, 0],
      b: [2, 0],
      c: [2, 1],
    });
    expect(placed(nodes, { a: { col: 3, row: 0 }, b: { col: 1, row: 0 } })).toEqual({ a: [3, 0], b: [4, 0] });
  });

  it("counts the row of a fork from its first lane", () => {
    expect(placed([fork("a", 3)], { a: { col: 2, row: 7 } })).toEqual({ a: [2, 7] });
  });

  it("places nodes in a circle too, for a draft", () => {
    expect(Object.keys(placed([wagon("a", ["b"]), wagon("b", ["a"])]))).toEqual(["a", "b"]);
  });

  it("never stands two on each other, stands all right of what they wait for, and answers the same once written", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), fc.nat(14), fc.array(fc.nat(30), { maxLength: 3 })), { maxLength: 30 }),
        (drawn) => {
          const nodes = drawn.map(([kind, tasks, after], i) => {
            const before = i === 0 ? [] : [...new Set(after.map((at) => `n${at % i}`))];
            if (kind === 3) return fork(`n${i}`, tasks + 1, before);
            return wagon(`n${i}`, before, kind === 2 ? "ask" : "wagon");
          });
          const body = plan(nodes);
          const places = layOutPlan(body);
          const held = new Map<string, string>();
          for (const node of body.nodes) {
            const at = places.get(node.id) ?? { col: 0, row: 0 };
            for (const cell of cellsOf(node, at)) {
              const holder = held.get(cell);
              expect(holder === undefined || isBehind(node, holder, body, places), `${node.id} on ${holder}`).toBe(
                true,
              );
              held.set(cell, node.id);
            }
            for (const { node: from } of node.after) expect(at.col).toBeGreaterThan(places.get(from)?.col ?? 99);
          }
          expect(layOutPlan(body, Object.fromEntries(places))).toEqual(places);
        },
      ),
      { numRuns: 200 },
    );
  });
});

function cellsOf(node: PlanNode, { col, row }: Berth): string[] {
  if (node.kind !== "fork") return [`${col} ${row}`];
  const { left, right, top, bottom } = blockCells({
    col,
    row,
    ...blockShape(node.tasks.length, false),
    is_folded: false,
  });
  const cells: string[] = [];
  for (let c = left; c <= right; c++) for (let r = top; r <= bottom; r++) cells.push(`${c} ${r}`);
  return cells;
}

function isBehind(node: PlanNode, holder: string, body: Plan, places: ReadonlyMap<string, Berth>): boolean {
  const pair = [node.id, holder].map((id) => body.nodes.find((one) => one.id === id));
  const gate = pair.find((one) => one?.kind === "fork");
  const other = pair.find((one) => one !== gate);
  const [at, own] = [places.get(gate?.id ?? ""), places.get(other?.id ?? "")];
  return (
    gate?.kind === "fork" &&
    at !== undefined &&
    other?.after.some(({ node: from }) => from === gate.id) === true &&
    gateColumn(at, gate.tasks.length) === own?.col
  );
}
