// What a statement tells of the rows it writes, written by itself: rows of sixteen or sixty-four turns used to be sent to the
// process that moved them, and sent back as frames. Kept as rows too; whoever reads them makes frames of them (frames_of, in
// the migration turns_told_as_rows): to make JSON of each move of each turn took two fifths of the statements that move them.
import { PACK_MAX } from "./write-frames";

/**
 * Parts of a WITH that put the rows of `query` (columns project_id text, told of that type) into packs. Of kinds that nobody looks for
 * by themselves (write-frames.ts).
 */
export const toldTurnsSql = (query: string) => packsSql("turns", "state.told_turn", query);
export const toldAgentsSql = (query: string) => packsSql("agents", "state.told_agent", query);

const packsSql = (column: string, type: string, query: string) => `packs AS (
    INSERT INTO state.journal_packs (project_id, ${column})
    SELECT project_id, array_agg(told ORDER BY n)::${type}[]
    FROM (SELECT project_id, told, row_number() OVER () AS n FROM (${query}) AS rows) AS told
    GROUP BY project_id, (n - 1) / ${PACK_MAX}
  )`;

/** The same of frames that are JSON already, one a pack (columns project_id text, frame jsonb). */
export const toldFramesSql = (query: string) => `told AS (
    INSERT INTO state.journal_packs (project_id, frames)
    SELECT project_id, jsonb_build_array(frame) FROM (${query}) AS rows
  )`;

/** A LATERAL of a pack's frames with their numbers in it; `pack` names a row of state.journal_packs. */
export const framesOf = (pack: string) => `state.frames_of(${pack}.frames, ${pack}.turns, ${pack}.agents)`;

/** A time as JavaScript writes it: UTC, milliseconds. */
export const isoSql = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
