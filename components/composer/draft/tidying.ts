// Lays the plan out anew around what is selected, which stays where it is. Pure.
import { layOutPlan } from "@/server/contract/plan/lay-out-plan";
import type { Berth, Plan } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import { placesIn } from "../drawing/places-in";
import type { Change } from "./drawing-store";

/** With several nodes selected only those are laid out; the others keep their places. */
export function tidying(plan: Plan, selection: readonly string[]): Change {
  const ids = [...new Set(selection.map((id) => nodeIdOf(id.replace(/^gate:/, ""))))].filter((id) =>
    plan.nodes.some((node) => node.id === id),
  );
  const stood = placesIn(plan);
  const isPart = ids.length > 1;
  const given: Record<string, Berth> = {};
  if (isPart) for (const [id, berth] of stood) if (!ids.includes(id)) given[id] = { col: berth.col, row: berth.row };
  const fresh = layOutPlan(plan, given);
  const anchor = ids[0] ?? plan.nodes[0]?.id ?? "";
  const by = isPart ? 0 : (stood.get(anchor)?.row ?? 0) - (fresh.get(anchor)?.row ?? 0);
  const places = Object.fromEntries([...fresh].map(([id, { col, row }]) => [id, { col, row: row + by }]));
  return { label: isPart ? `${ids.length} tidied` : "Tidied", ops: [{ op: "place", places }] };
}
