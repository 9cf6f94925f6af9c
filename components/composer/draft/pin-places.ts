// A drawn thing never moves by itself. Every change writes down where all else stands, so that what is laid out anew is only what
// the change added, or what has to give way to it. Pure.
import { layOutPlan } from "@/server/contract/plan/lay-out-plan";
import type { PlanOp } from "@/server/contract/plan/op";
import type { Berth, Plan } from "@/server/contract/plan/plan";
import { berthOf } from "@/server/contract/plan/plan-words";

/** Fields that say nothing about who stands where. */
const STILL =
  /^\/(title|instruction|target|recipe|handover|arguments|attempts|deadline_seconds|context_tokens_max|hold|name|description|inputs|limits|run_by|gate|edits)(\/|$)/;

export const movesNothing = (op: PlanOp): boolean =>
  op.op.endsWith("_note") || (op.op === "set" && STILL.test(op.path));

/** Where everything of a plan stands; found once for each plan. */
export function placesIn(plan: Plan): ReadonlyMap<string, Berth> {
  const known = found.get(plan) ?? layOutPlan(plan, plan.layout.places);
  found.set(plan, known);
  return known;
}
const found = new WeakMap<Plan, ReadonlyMap<string, Berth>>();

/** The operation that pins them; null = all of it is written down already. */
export function pinOp(before: Plan, after: Plan, ops: readonly PlanOp[]): PlanOp | null {
  if (ops.every(movesNothing)) return null;
  const there = new Set(after.nodes.map(({ id }) => id));
  const stood = placesIn(before);
  const given: Record<string, Berth> = {};
  for (const [id, berth] of stood) if (there.has(id)) given[id] = berth;
  for (const [id, berth] of Object.entries(after.layout.places)) if (there.has(id)) given[id] = berth;
  const places: Record<string, Berth> = {};
  for (const [id, { col, row }] of layOutPlan(after, given)) {
    const known = berthOf(after.layout.places, id);
    if (known?.col !== col || known.row !== row) places[id] = { col, row };
  }
  return Object.keys(places).length === 0 ? null : { op: "place", places };
}
