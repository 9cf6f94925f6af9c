// How the arrows go from one agent to the next. Pure.
import type { AgentsLayout } from "./agents-layout";

/** Up and down within a column, left and right to the nearest of the next one; in reading order with Home and End. */
export function walkAgents({ order, places }: AgentsLayout, from: string | null, key: string): string | null {
  const here = places.get(from ?? "");
  if (!here) return key in steps ? (order[0] ?? null) : null;
  const at = order.indexOf(here.agent_id);
  const step = steps[key];
  if (step === "first") return order[0] ?? null;
  if (step === "last") return order.at(-1) ?? null;
  if (step === 1 || step === -1) return order[at + step] ?? null;
  if (step === undefined) return null;
  const sign = step === "right" ? 1 : -1;
  const beside = [...places.values()].filter(({ col }) => (col - here.col) * sign > 0);
  const near = Math.min(...beside.map(({ col }) => Math.abs(col - here.col)));
  const column = beside.filter(({ col }) => Math.abs(col - here.col) === near);
  return column.sort((a, b) => Math.abs(a.row - here.row) - Math.abs(b.row - here.row))[0]?.agent_id ?? null;
}

const steps: Record<string, 1 | -1 | "left" | "right" | "first" | "last"> = {
  ArrowDown: 1,
  ArrowUp: -1,
  j: 1,
  k: -1,
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "first",
  End: "last",
};
