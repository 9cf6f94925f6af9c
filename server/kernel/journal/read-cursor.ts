// Where the journal stands now: read it before what it shall be true for, and frames after it complete that.
import type { Kernel } from "../kernel";
import { formatCursor } from "./cursor";

export async function readCursor(kernel: Kernel, project_id: string): Promise<string> {
  const { rows } = await kernel.db.pool.query<{ xid: string }>({
    name: "journal_cursor",
    text: "SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid",
  });
  return formatCursor(project_id, { xid: rows[0]?.xid ?? "0", event_id: "0" });
}
