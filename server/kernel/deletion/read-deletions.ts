// What was deleted from a project, by whom and why: the record outlives what it is about.
import type { Deletion } from "@/server/contract/answers/deletions";
import { KernelError } from "@/server/contract/errors";
import { AT, formatPageCursor, parsePageCursor } from "../cardbox/page-cursor";
import { type Reader, read } from "../reader";
import { type DeletionRow, deletionColumns, toDeletion } from "../roster/deletion-record";
import type { DeletionKey } from "./deletion-row";

const ONE = `SELECT ${deletionColumns} FROM state.deletions d WHERE d.project_id = $1 AND d.deletion_id = $2`;
const LIST = `
  SELECT ${deletionColumns}, ${AT("d.begun_at")} FROM state.deletions d
  WHERE d.project_id = $1 AND (d.begun_at, d.deletion_id) < (coalesce($2::timestamptz, 'infinity'), coalesce($3::text, ''))
  ORDER BY d.begun_at DESC, d.deletion_id DESC LIMIT $4`;

/** not_found for one of another project too. */
export async function readDeletion(reader: Reader, { project_id, deletion_id }: DeletionKey): Promise<Deletion> {
  const [row] = await read<DeletionRow>(reader, "deletion_read", ONE, [project_id, deletion_id]);
  if (!row) throw new KernelError("not_found", `deletion ${deletion_id} not found in project ${project_id}`);
  return toDeletion(row);
}

/** Newest first. */
export async function listDeletions(
  reader: Reader,
  { project_id, limit = 50, cursor }: { project_id: string; limit?: number; cursor?: string },
): Promise<{ items: Deletion[]; next_cursor?: string }> {
  const place = parsePageCursor(project_id, cursor);
  const values = [project_id, place?.at ?? null, place?.id ?? null, limit + 1];
  const rows = await read<DeletionRow & { at: string }>(reader, "deletion_list", LIST, values);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(({ at: _at, ...row }) => toDeletion(row)),
    ...(last &&
      rows.length > limit && { next_cursor: formatPageCursor(project_id, { at: last.at, id: last.deletion_id }) }),
  };
}
