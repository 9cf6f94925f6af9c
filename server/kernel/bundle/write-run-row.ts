// The row of a run that was brought along: last, because launches of the project wait for its number.
import type { RunLine } from "@/server/contract/bundle/lines";
import { columnsOf } from "../columns";
import { RUN_COLUMNS, type RunRow, runFrame } from "../turns/run-row";
import type { ImportedBundle } from "./piece";
import type { Writing } from "./writing";

const RUN = `
  WITH project AS (
    UPDATE projects SET run_count = run_count + 1, updated_at = now() WHERE project_id = $1 RETURNING run_count
  )
  INSERT INTO state.runs (project_id, root_turn_id, number, title, source, letters, metadata, env_rev, limits, created_at)
  SELECT $1, $2, run_count, $3, 'import', $4::jsonb, $5::jsonb, $6, $7::jsonb, $8 FROM project
  RETURNING ${columnsOf(RUN_COLUMNS, "runs")}`;

export async function writeRunRow({ unit, project_id, source }: Writing, run: RunLine): Promise<void> {
  const bundle: ImportedBundle = { source: source.source, notes: source.notes, sha256: source.sha256 };
  const [row] = await unit.query<RunRow>("bundle_run_add", RUN, [
    project_id,
    run.root_turn_id,
    run.title,
    JSON.stringify(run.letters),
    JSON.stringify({ ...run.metadata, bundle }),
    run.env_rev,
    run.limits === null ? null : JSON.stringify(run.limits),
    run.created_at,
  ]);
  if (!row) throw new Error(`project ${project_id} was deleted while a run was being imported into it`);
  unit.frame(project_id, runFrame(row));
}
