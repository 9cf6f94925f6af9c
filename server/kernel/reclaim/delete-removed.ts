// Deletes removed projects when the time for an undo is over, for at most a second per tick, one after the other.
import type { Kernel } from "../kernel";
import { beginDeletion } from "../roster/delete-project";
import { purgeProject } from "../roster/purge-project";
import { unlessGone } from "../roster/removed";
import { eachRow, failureJoin, IS_TRIED, rowKey, type WatchedRow } from "./each-row";

const DUE_MAX = 20;
const DUE = `
  SELECT p.project_id, p.deleting_at IS NOT NULL AS is_begun, ${rowKey("p.project_id")}
  FROM projects p ${failureJoin("delete-removed", "p.project_id", "p.project_id")}
  WHERE (p.deleting_at IS NOT NULL OR p.removed_at <= now() - $1 * interval '1 ms') AND ${IS_TRIED}
  ORDER BY f.row_key IS NOT NULL, p.removed_at LIMIT ${DUE_MAX}`;

/** How many are gone. */
export async function deleteRemoved(kernel: Kernel): Promise<number> {
  const { removedMs, purgeTickMs } = kernel.tunables;
  const { rows } = await kernel.db.pool.query<WatchedRow & { is_begun: boolean }>({
    name: "projects_removed",
    text: DUE,
    values: [removedMs],
  });
  const due = { rule: "delete-removed", rows, isWhole: rows.length < DUE_MAX } as const;
  const end = Date.now() + purgeTickMs;
  let left = rows.length;
  return eachRow(kernel, due, async ({ project_id, is_begun }, brief) => {
    // Each gets a share of the time that is left, so that a large one does not delay the others.
    const untilMs = Date.now() + (end - Date.now()) / left--;
    try {
      if (!is_begun) await beginDeletion(brief, project_id, { removedForMs: removedMs });
    } catch (error) {
      unlessGone(error);
      return false;
    }
    return purgeProject(brief, { project_id, untilMs });
  });
}
