// Stands several nodes in one row or one column. Pure.

import type { Plan } from "@/server/contract/plan/plan";
import { nodeIdOf } from "@/server/contract/plan/plan-words";
import type { Drawing } from "../drawing/drawing";
import type { Change } from "./drawing-store";

/** In the row or column of the one that was selected first. Null = there is nothing to align. */
export function aligning(plan: Plan, drawing: Drawing, selection: readonly string[], by: "row" | "col"): Change | null {
  const ids = [...new Set(selection.map((id) => nodeIdOf(id.replace(/^gate:/, ""))))].filter((id) =>
    drawing.stops.has(id),
  );
  const first = drawing.stops.get(ids[0] ?? "");
  if (!first || ids.length < 2 || plan.nodes.length < 2) return null;
  const places = Object.fromEntries(
    ids.flatMap((id) => {
      const stop = drawing.stops.get(id);
      return stop ? [[id, by === "row" ? { col: stop.col, row: first.row } : { col: first.col, row: stop.row }]] : [];
    }),
  );
  return { label: `${ids.length} in one ${by === "row" ? "row" : "column"}`, ops: [{ op: "place", places }] };
}
