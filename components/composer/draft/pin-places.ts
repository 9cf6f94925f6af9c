// A drawn thing never moves by itself. Every change writes down where all else stands, so that what is laid out anew is only what
// the change added, or what has to give way to it. Pure.
import { layOutPlan } from "@/server/contract/plan/lay-out-plan";
import type { PlanOp } from "@/server/contract/plan/op";
import type { Berth, Plan } from "@/server/contract/plan/plan";
import { berthOf } from "@/server/contract/plan/plan-words";
import { placesIn } from "../drawing/places-in";

/** Fields that say nothing about who stands where. */
const STILL =
  /^\/(title|instruction|target|recipe|handover|arguments|attempts|deadline_seconds|context_tokens_max|hold|name|description|inputs|limits|run_by|gate|edits)(\/|$)/;

export const movesNothing = (op: PlanOp): boolean =>
  op.op.endsWith("_note") || (op.op === "set" && STILL.test(op.path));

/** `op` pins them; null = all of it is written down already. `stand`: where everything stands then. */
export type Pinned = { op: PlanOp | null; stand: ReadonlyMap<string, Berth> };

export function pinOp(before: Plan, after: Plan, ops: readonly PlanOp[]): Pinned {
  const stood = placesIn(before);
  if (ops.every(movesNothing)) return { op: null, stand: stood };
  const there = new Set(after.nodes.map(({ id }) => id));
  const given: Record<string, Berth> = {};
  for (const [id, berth] of stood) if (there.has(id)) given[id] = berth;
  for (const [id, berth] of Object.entries(after.layout.places)) if (there.has(id)) given[id] = berth;
  const places: Record<string, Berth> = {};
  const stand = layOutPlan(after, given);
  for (const [id, { col, row }] of stand) {
    const known = berthOf(after.layout.places, id);
    if (known?.col !== col || known.row !== row) places[id] = { col, row };
  }
  return { op: Object.keys(places).length === 0 ? null : { op: "place", places }, stand };
}
