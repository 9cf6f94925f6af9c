// What travels on a track: "3 cards", "output box", "on failure". Order alone has no words. Pure.

import { wayWords } from "@/components/ground/signs";
import { formatCount } from "@/components/ui/format";
import type { Load, Plan, PlanNode } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import type { DrawnRoute } from "./drawing";

export function carriedWords(plan: Plan, { from, to, on }: Pick<DrawnRoute, "from" | "to" | "on">): string {
  if (from === null) return "";
  const { nodes, takes } = loadsIn(plan);
  const taken = takes.get(to)?.get(from);
  const source = nodes.get(nodeIdOf(from));
  const count = source?.kind === "fork" && source.id === from ? source.tasks.length : 1;
  const words = [
    on !== undefined && on !== "delivered" ? wayWords[on] : "",
    taken?.has("deliverable") ? formatCount(count, "card") : "",
    taken?.has("output") ? (count === 1 ? "output box" : `${count} output boxes`) : "",
    taken?.has("summary") ? "summary" : "",
  ];
  return words.filter(Boolean).join(", ");
}

type Take = Extract<Load, { from: string }>["take"];
/** `takes`: what each node takes, by where from. */
type LoadsIn = { nodes: ReadonlyMap<string, PlanNode>; takes: ReadonlyMap<string, ReadonlyMap<string, Set<Take>>> };

/** Found once for each plan: a drawing asks for each of its tracks. */
function loadsIn(plan: Plan): LoadsIn {
  const known = found.get(plan);
  if (known) return known;
  const takes = new Map<string, Map<string, Set<Take>>>();
  for (const node of plan.nodes) {
    const own = new Map<string, Set<Take>>();
    for (const load of [node.load, ...(node.kind === "fork" ? node.tasks.map((task) => task.load) : [])].flat())
      if ("from" in load) own.set(load.from, (own.get(load.from) ?? new Set<Take>()).add(load.take));
    takes.set(node.id, own);
  }
  const loads = { nodes: new Map(plan.nodes.map((node) => [node.id, node])), takes };
  found.set(plan, loads);
  return loads;
}

const found = new WeakMap<Plan, LoadsIn>();
