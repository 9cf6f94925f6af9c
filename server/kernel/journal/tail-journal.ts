// Reads on after a cursor without skipping a transaction that commits late: only packs below the horizon (the oldest
// open write transaction) are read, in (xid, event_id) order, and whatever commits later has a higher xid than all of them.
import type { TrackedFrame } from "@/server/contract/frame";
import type { Kernel } from "../kernel";
import { type Cursor, formatCursor } from "./cursor";

type Row = { xid: string; event_id: string; frame: TrackedFrame["frame"] };

// Packs in the order of their key, each unpacked only when the ones before it did not fill the limit: an import is thousands
// of frames, and whoever reads it five hundred at a time must not unpack all of it each time. The inner limit is for that
// alone: a pack holds at least one frame, and those of the first may all have been read. Packs come in order from within, and
// frames from theirs: ordered once more outside, all of them were unpacked whenever statistics did not know of them yet.
export const TAIL = `
  SELECT p.xid::text AS xid, (p.pack_id * 1000 + f.n)::text AS event_id, f.frame
  FROM (
    SELECT xid, pack_id, frames FROM state.journal_packs
    WHERE project_id = $1 AND (xid, pack_id) >= ($2::text::xid8, ($3::bigint + 1) / 1000)
      AND xid < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY journal_packs.xid, journal_packs.pack_id
    LIMIT $4::bigint + 1
  ) p CROSS JOIN LATERAL (
    SELECT frame, n FROM jsonb_array_elements(p.frames) WITH ORDINALITY AS e(frame, n) ORDER BY n
  ) f
  WHERE (p.xid, p.pack_id * 1000 + f.n) > ($2::text::xid8, $3::bigint)
  ORDER BY p.xid, p.pack_id
  LIMIT $4::bigint`;

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
  const isFull = rows.length === limit;
  return {
    frames: rows.map((r) => ({ cursor: formatCursor(input.project_id, r), frame: r.frame })),
    cursor: last ? { xid: last.xid, event_id: isFull ? last.event_id : behindPack(last.event_id) } : input.after,
    is_full: isFull,
  };
}

/** Whoever has read all there is looks again every second: not into the last pack, which would be unpacked each time. */
const behindPack = (event_id: string): string => `${event_id.slice(0, -3)}999`;
