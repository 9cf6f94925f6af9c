// What travels on a track: "3 cards", "output box", "on failure". Order alone has no words. Pure.

import { wayWords } from "@/components/ground/signs";
import { formatCount } from "@/components/ui/format";
import type { Plan } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import type { DrawnRoute } from "./drawing";

export function carriedWords({ nodes }: Plan, { from, to, on }: Pick<DrawnRoute, "from" | "to" | "on">): string {
  const node = nodes.find(({ id }) => id === to);
  if (!node || from === null) return "";
  const loads = [node.load, ...(node.kind === "fork" ? node.tasks.map(({ load }) => load) : [])].flat();
  const takes = new Set(loads.flatMap((load) => ("from" in load && load.from === from ? [load.take] : [])));
  const source = nodes.find(({ id }) => id === nodeIdOf(from));
  const count = source?.kind === "fork" && source.id === from ? source.tasks.length : 1;
  const words = [
    on !== undefined && on !== "delivered" ? wayWords[on] : "",
    takes.has("deliverable") ? formatCount(count, "card") : "",
    takes.has("output") ? (count === 1 ? "output box" : `${count} output boxes`) : "",
    takes.has("summary") ? "summary" : "",
  ];
  return words.filter(Boolean).join(", ");
}
