// Reads frames after a cursor without skipping a transaction that commits late: only packs below the horizon (the oldest open
// write transaction) are read, in (xid, event_id) order, and everything that commits later has a higher xid than all of them.
import type { TrackedFrame } from "@/server/contract/frame";
import type { Kernel } from "../kernel";
import { type Cursor, formatCursor, type Place } from "./cursor";
import { framesOf } from "./told";

type Row = { generation: string; horizon: string } & (
  | { xid: string; event_id: string; frame: TrackedFrame["frame"] }
  | { xid: null }
);

// Packs in the order of their key, each unpacked only if the ones before it did not fill the limit: an import is thousands
// of frames, and a reader that takes five hundred at a time must not unpack all of it each time. The inner limit is only for
// that: a pack holds at least one frame, and those of the first may all have been read. The inner query returns packs and
// their frames in order: when they were sorted again outside, all were unpacked whenever the statistics did not include them.
// Packs of another server's transactions are for people and reports: by their ids they would be sent again as new.
export const TAIL = `
  SELECT p.xid::text AS xid, (p.pack_id * 1000 + f.n)::text AS event_id, f.frame
  FROM (
    SELECT xid, pack_id, frames, turns, agents FROM state.journal_packs
    WHERE project_id = $1 AND (xid, pack_id) >= ($2::text::xid8, ($3::bigint + 1) / 1000)
      AND xid < pg_snapshot_xmin(pg_current_snapshot())
      AND pack_id > (SELECT journal_from FROM state.installation)
    ORDER BY journal_packs.xid, journal_packs.pack_id
    LIMIT $4::bigint + 1
  ) p CROSS JOIN LATERAL (
    SELECT frame, n FROM ${framesOf("p")} ORDER BY n
  ) f
  WHERE (p.xid, p.pack_id * 1000 + f.n) > ($2::text::xid8, $3::bigint)
  ORDER BY p.xid, p.pack_id
  LIMIT $4::bigint`;

// The generation of the frames, read in the same statement: the server may change between two.
const LOOK = `
  SELECT i.generation::text AS generation, pg_snapshot_xmin(pg_current_snapshot())::text AS horizon, t.*
  FROM state.installation i LEFT JOIN LATERAL (${TAIL}) t ON true`;

export type Tail = { frames: TrackedFrame[]; cursor: Cursor; is_full: boolean };

/** Up to `limit` frames; `is_full` = there may be more. The cursor after them contains their generation. */
export async function tailJournal(
  kernel: Kernel,
  input: { project_id: string; after: Place; limit?: number },
): Promise<Tail> {
  const { project_id, after, limit = 500 } = input;
  const { rows } = await kernel.db.pool.query<Row>({
    name: "journal_tail",
    text: LOOK,
    values: [project_id, after.xid, after.event_id, limit],
  });
  const [look] = rows;
  if (!look) throw new Error("state.installation holds no row; it is written when a process connects");
  const { generation, horizon } = look;
  const frames = rows.flatMap((row) => (row.xid === null ? [] : [row]));
  const last = frames.at(-1);
  const isFull = frames.length === limit;
  return {
    frames: frames.map((row) => ({ cursor: formatCursor(project_id, { ...row, generation }), frame: row.frame })),
    cursor: { generation, ...(isFull && last ? { xid: last.xid, event_id: last.event_id } : readUpTo(after, horizon)) },
    is_full: isFull,
  };
}

/**
 * A reader that has caught up reads again every second: not the last pack, which would be unpacked each time, and not what
 * another server's transactions left behind. Everything below the horizon has been read.
 */
const readUpTo = (after: Place, horizon: string): Place =>
  BigInt(horizon) > BigInt(after.xid) ? { xid: horizon, event_id: "0" } : after;
