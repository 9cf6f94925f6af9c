// A row of state.runs and the frame the live view sees of it.
import type { RunFrame } from "@/server/contract/frame";
import type { RunHold } from "@/server/contract/run-hold";
import type { RunLimits } from "@/server/contract/run-limits";

export type RunRow = Omit<RunFrame, "kind" | "id" | "limits" | "held"> & {
  limits: RunLimits | null;
  held: RunHold | null;
};

export const RUN_COLUMNS = [
  "root_turn_id",
  "rev",
  "number",
  "title",
  "source",
  "metadata",
  "created_at",
  "limits",
  "held",
] as const satisfies readonly (keyof RunRow)[];

export const runFrame = (row: RunRow): RunFrame => ({
  kind: "run",
  id: row.root_turn_id,
  rev: row.rev,
  root_turn_id: row.root_turn_id,
  number: row.number,
  title: row.title,
  source: row.source,
  metadata: row.metadata,
  created_at: new Date(row.created_at).toISOString(),
  ...(row.limits !== null && { limits: row.limits }),
  ...(row.held !== null && { held: row.held }),
});
