// Pieces of uploads that stopped half-way: their process died, or could not reach the database to delete them.

import { dropBlob } from "../artifacts/receive-blob";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { eachRow, failureJoin, IS_TRIED, inTurn, LIST_MAX, rowKey, type WatchedRow } from "./each-row";

/** Longer than a sender may be silent and a statement may take, many times over. */
const LEFT_MINUTES = 10;

const LEFT = `
  SELECT b.project_id, ${rowKey("b.blob_id")} FROM resource.artifact_blobs b
  ${failureJoin("delete-uploads", "b.project_id", "b.blob_id")}
  WHERE b.touched_at < now() - ${LEFT_MINUTES} * interval '1 minute' AND ${IS_TRIED}
    AND NOT EXISTS (SELECT 1 FROM resource.artifacts a WHERE a.project_id = b.project_id AND a.blob_id = b.blob_id)
  ORDER BY ${inTurn("b.project_id", "b.blob_id")} LIMIT ${LIST_MAX}`;

/** Answers how many went. */
export async function deleteUploads(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<WatchedRow>({ name: "reclaim_uploads", text: LEFT });
  const due = { rule: "delete-uploads", rows, isWhole: rows.length < LIST_MAX } as const;
  return eachRow(kernel, due, async ({ project_id, row_key }, brief) => {
    await withUnit(brief, (unit) => dropBlob(unit, { project_id, blob_id: row_key }));
    return 1;
  });
}
