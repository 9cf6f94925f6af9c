// Reads on after a cursor without skipping a transaction that commits late: only rows below the horizon (the oldest
// open write transaction) are read, in (xid, event_id) order, and whatever commits later has a higher xid than all of them.
import type { TrackedFrame } from "@/server/contract/frame";
import type { Kernel } from "../kernel";
import { type Cursor, formatCursor } from "./cursor";

type Row = { xid: string; event_id: string; frame: TrackedFrame["frame"] };

// The table's name in ORDER BY: a bare xid would be the text above it, in which 1000 comes before 999.
const TAIL = `
  SELECT xid::text AS xid, event_id::text AS event_id, frame
  FROM state.journal
  WHERE project_id = $1 AND (xid, event_id) > ($2::text::xid8, $3::bigint)
    AND xid < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY journal.xid, journal.event_id
  LIMIT $4`;

export type Tail = { frames: TrackedFrame[]; cursor: Cursor; is_full: boolean };

/** Up to `limit` frames; `is_full` = there may be more at once. */
export async function tailJournal(
  kernel: Kernel,
  input: { project_id: string; after: Cursor; limit?: number },
): Promise<Tail> {
  const limit = input.limit ?? 500;
  const { rows } = await kernel.db.pool.query<Row>({
    name: "journal_tail",
    text: TAIL,
    values: [input.project_id, input.after.xid, input.after.event_id, limit],
  });
  const last = rows.at(-1);
  return {
    frames: rows.map((r) => ({ cursor: formatCursor(input.project_id, r), frame: r.frame })),
    cursor: last ? { xid: last.xid, event_id: last.event_id } : input.after,
    is_full: rows.length === limit,
  };
}
