// Frames that a statement creates from the rows it writes, and writes itself: rows of sixteen or sixty-four turns used to be
// sent to the process that moved them, and sent back as frames.
import { PACK_MAX } from "./write-frames";

/**
 * Parts of a WITH that put the frames of `query` (columns project_id text, frame json) into packs. Of kinds that nobody looks for by
 * themselves (write-frames.ts).
 */
export const toldSql = (query: string) => `told AS (
    SELECT project_id, frame, row_number() OVER () AS n FROM (${query}) AS frames
  ), packs AS (
    INSERT INTO state.journal_packs (project_id, frames)
    SELECT project_id, json_agg(frame ORDER BY n)::jsonb FROM told GROUP BY project_id, (n - 1) / ${PACK_MAX}
  )`;

/** A time as JavaScript writes it: UTC, milliseconds. */
export const isoSql = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
