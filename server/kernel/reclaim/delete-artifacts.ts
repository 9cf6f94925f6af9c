// Files of expired cards are deleted when no other card refers to them. Those of a deleted card were deleted with it.
import { dropUnused } from "../artifacts/drop-unused";
import { isReferred } from "../artifacts/is-referred";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { eachRow, failureJoin, IS_TRIED, inTurn, LIST_MAX, rowKey, type WatchedRow } from "./each-row";

const UNUSED = `
  SELECT a.project_id, ${rowKey("a.sha256")}
  FROM (
    SELECT DISTINCT c.tenant_id AS project_id, r ->> 'sha256' AS sha256
    FROM cards c CROSS JOIN LATERAL jsonb_array_elements(c.content -> 'artifacts') AS r
    WHERE c.content ? 'artifacts' AND c.expires_at IS NOT NULL AND c.expires_at <= now()
  ) e
  JOIN resource.artifacts a ON a.project_id = e.project_id AND a.sha256 = e.sha256
  ${failureJoin("delete-artifacts", "a.project_id", "a.sha256")}
  WHERE ${IS_TRIED} AND NOT ${isReferred("a")}
  ORDER BY ${inTurn("a.project_id", "a.sha256")} LIMIT ${LIST_MAX}`;

/** Answers how many went. */
export async function deleteArtifacts(kernel: Kernel): Promise<number> {
  const { rows } = await kernel.db.pool.query<WatchedRow>({ name: "reclaim_artifacts", text: UNUSED });
  const due = { rule: "delete-artifacts", rows, isWhole: rows.length < LIST_MAX } as const;
  return eachRow(kernel, due, ({ project_id, row_key }, brief) =>
    withUnit(brief, (unit) => dropUnused(unit, { project_id, sha256s: [row_key] })),
  );
}
