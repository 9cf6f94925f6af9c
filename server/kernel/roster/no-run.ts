// A run that is not there: never was, is of another project, or was deleted, which the record of the deletion still tells.
import type { Deletion } from "@/server/contract/answers/deletions";
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../reader";
import { type DeletionRow, deletionColumns, toDeletion } from "./deletion-record";

export type RunRef = { project_id: string; root_turn_id: string };

const OF_RUN = `
  SELECT ${deletionColumns} FROM state.deletions d
  WHERE d.project_id = $1 AND d.kind = 'run' AND d.subject_id = $2 ORDER BY d.begun_at DESC LIMIT 1`;

/** null = it was not deleted from this project. */
export async function readRunDeletion(reader: Reader, { project_id, root_turn_id }: RunRef): Promise<Deletion | null> {
  const [row] = await read<DeletionRow>(reader, "deletion_of_run", OF_RUN, [project_id, root_turn_id]);
  return row ? toDeletion(row) : null;
}

/** What a read of it is refused with. */
export async function noRun(reader: Reader, run: RunRef): Promise<KernelError> {
  const deletion = await readRunDeletion(reader, run);
  if (!deletion) return new KernelError("not_found", `run ${run.root_turn_id} not found in project ${run.project_id}`);
  const { number, deleted_by, begun_at, reason, deletion_id } = deletion;
  const why = reason === "" ? "" : `: ${reason}`;
  return new KernelError(
    "not_found",
    `run ${number ?? run.root_turn_id} was deleted by ${deleted_by} on ${begun_at.slice(0, 10)}${why}`,
    { deletion_id },
  );
}
