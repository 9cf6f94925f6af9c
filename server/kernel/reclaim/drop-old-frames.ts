// The journal keeps `journalKeepDays`; what is dropped is remembered, so that an older cursor is told to start over.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

// Those of another server's transactions say nothing about today's cursors: their ids may be above all of ours.
// Whole packs. The frame that says a project was deleted stays: it is stored nowhere else.
const DROP = `
  WITH old AS (
    SELECT project_id, xid, pack_id FROM state.journal_packs
    WHERE created_at < now() - $1 * interval '1 day'
      AND (kind IS DISTINCT FROM 'project' OR frames -> 0 -> 'is_deleted' IS DISTINCT FROM 'true'::jsonb)
    ORDER BY created_at LIMIT 5000 FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM state.journal_packs j USING old
    WHERE j.project_id = old.project_id AND j.xid = old.xid AND j.pack_id = old.pack_id
    RETURNING j.xid, j.pack_id
  ), floor AS (
    INSERT INTO state.journal_floor (dropped_xid) SELECT max(xid::text::numeric)::text::xid8 FROM gone
    WHERE pack_id > (SELECT journal_from FROM state.installation) HAVING count(*) > 0
    ON CONFLICT (is_one) DO UPDATE SET dropped_xid = greatest(journal_floor.dropped_xid, excluded.dropped_xid)
  )
  SELECT count(*)::int AS dropped FROM gone`;

export async function dropOldFrames(kernel: Kernel): Promise<number> {
  const [row] = await withUnit(kernel, (unit) =>
    unit.query<{ dropped: number }>("journal_drop", DROP, [kernel.tunables.journalKeepDays]),
  );
  return row?.dropped ?? 0;
}
