// What travels on a track: "3 cards", "output box", "on failure". Order alone has no words. Pure.

import { wayWords } from "@/components/ground/signs";
import { formatCount } from "@/components/ui/format";
import { partsOf } from "@/server/contract/plan/graph";
import type { Load, Plan, PlanNode, PlanTask } from "@/server/contract/plan/plan";
import type { DrawnRoute } from "./drawing";

export function carriedWords(plan: Plan, { from, to, on }: Pick<DrawnRoute, "from" | "to" | "on">): string {
  if (from === null) return "";
  const parts = partsOf(plan);
  const reader = parts.get(to);
  const taken = reader && takesOf(reader).get(from);
  const source = parts.get(from);
  const count = source && "tasks" in source ? source.tasks.length : 1;
  const words = [
    on !== undefined && on !== "delivered" ? wayWords[on] : "",
    taken?.has("deliverable") ? formatCount(count, "card") : "",
    taken?.has("output") ? (count === 1 ? "output box" : `${count} output boxes`) : "",
    taken?.has("summary") ? "summary" : "",
  ];
  return words.filter(Boolean).join(", ");
}

type Take = Extract<Load, { from: string }>["take"];
/** What a node and its tasks take, by where from. Found once for each node: a drawing asks for each of its tracks. */
function takesOf(node: PlanNode | PlanTask): ReadonlyMap<string, Set<Take>> {
  const known = found.get(node);
  if (known) return known;
  const takes = new Map<string, Set<Take>>();
  for (const load of [node.load, ...("tasks" in node ? node.tasks.map((task) => task.load) : [])].flat())
    if ("from" in load) takes.set(load.from, (takes.get(load.from) ?? new Set<Take>()).add(load.take));
  found.set(node, takes);
  return takes;
}

const found = new WeakMap<PlanNode | PlanTask, ReadonlyMap<string, Set<Take>>>();
