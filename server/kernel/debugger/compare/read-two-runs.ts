// The two runs that are compared. One statement.

import { KernelError } from "@/server/contract/errors";
import type { RunFrame } from "@/server/contract/frame";
import { askableIds, type Reader, read } from "../../reader";
import { noRun, readRunDeletion } from "../../roster/no-run";

const RUNS = `
  SELECT r.root_turn_id, r.number, r.title, r.source, r.created_at, r.metadata ->> 'times' IS DISTINCT FROM 'synthetic' AS is_timed
  FROM state.runs r
  WHERE r.project_id = $1 AND r.root_turn_id = ANY ($2::text[])`;

export type RunHead = Pick<RunFrame, "root_turn_id" | "number" | "title" | "source" | "created_at"> & {
  /** False for an imported log without times: those of its turns only say their order. */
  is_timed: boolean;
};
export type Two<T> = { a: T; b: T };

/** not_found names the run that is missing, or is of another project. */
export async function readTwoRuns(
  reader: Reader,
  { project_id, a, b }: Two<string> & { project_id: string },
): Promise<Two<RunHead>> {
  const rows = await read<RunHead>(reader, "compare_runs", RUNS, [project_id, askableIds([a, b])]);
  const find = async (id: string): Promise<RunHead> => {
    const row = rows.find(({ root_turn_id }) => root_turn_id === id);
    if (row) return { ...row, created_at: new Date(row.created_at).toISOString() };
    const deletion = await readRunDeletion(reader, { project_id, root_turn_id: id });
    if (deletion) throw await noRun(reader, { project_id, root_turn_id: id });
    throw new KernelError(
      "not_found",
      `run ${id} not found in project ${project_id}. A run is named by the id of its first turn; search for kind:run lists them`,
      { root_turn_id: id },
    );
  };
  return { a: await find(a), b: await find(b) };
}
