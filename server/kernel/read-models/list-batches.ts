// Batches of a project, newest first: each with its number in its run, who forked it, and how its lanes stand.
import type { BatchStatus } from "@/server/contract/batch";
import { framedSql } from "@/server/contract/batch-code";
import type { BatchLine, BatchPage, LaneStatus } from "@/server/contract/batch-sheet";
import { BATCH_COLUMNS, type BatchRow, batchOf } from "../batch/batch-row";
import { AT, type Place } from "../cardbox/page-cursor";
import { type WalkPieces, walk } from "../cardbox/walk";
import { columnsOf } from "../columns";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read, UNPREPARED } from "../reader";
import { readProject } from "../roster/read-project";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

export type BatchQuery = {
  project_id: string;
  root_turn_id?: string;
  /** Of the parent. */
  agent_turn_id?: string;
  status?: BatchStatus;
  limit: number;
  cursor?: string;
};

/** For a table `b` of batches: B1 is the first of its run that is drawn as a frame. Null for those that are not. */
export const BATCH_NUMBER = `
  (SELECT CASE WHEN ${framedSql("b")} THEN count(*)::int END FROM state.pmo_batches o
    WHERE o.project_id = b.project_id AND o.root_turn_id = b.root_turn_id AND ${framedSql("o")}
      AND (o.created_at, o.batch_id) <= (b.created_at, b.batch_id)) AS number`;
export const BATCH_RUN = `
  (SELECT jsonb_build_object('root_turn_id', r.root_turn_id, 'number', r.number, 'title', r.title, 'source', r.source)
    FROM state.runs r WHERE r.project_id = b.project_id AND r.root_turn_id = b.root_turn_id) AS run`;

const LIST = (p: WalkPieces) => `
  SELECT b.*, ${BATCH_NUMBER}, ${BATCH_RUN},
    (SELECT to_jsonb(p) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = b.project_id AND t.agent_turn_id = b.parent_agent_turn_id) p) AS parent,
    (SELECT coalesce(jsonb_agg(CASE WHEN k.status IN ('pending', 'dispatched') THEN coalesce(t.status, k.status) ELSE k.status END
        ORDER BY k.task_index), '[]')
      FROM state.pmo_batch_tasks k
      LEFT JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
      WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id) AS lanes
  FROM (
    SELECT ${columnsOf(BATCH_COLUMNS, "b")}, ${AT("b.created_at")} FROM (
      SELECT ${columnsOf(BATCH_COLUMNS, "b")} FROM state.pmo_batches b WHERE b.project_id = $1 AND ${p.within}
      ORDER BY b.created_at DESC, b.batch_id DESC LIMIT ${p.window}
    ) b WHERE ${p.where} ORDER BY b.created_at DESC, b.batch_id DESC LIMIT ${p.limit}
  ) b
  ORDER BY b.created_at DESC, b.batch_id DESC`;
const END = (p: WalkPieces) => `
  SELECT b.batch_id AS id, ${AT("b.created_at")} FROM (SELECT b.batch_id, b.created_at FROM state.pmo_batches b WHERE b.project_id = $1 AND ${p.within}
    ORDER BY b.created_at DESC, b.batch_id DESC OFFSET ${p.window} - 1 LIMIT 2) b ORDER BY b.created_at DESC, b.batch_id DESC`;

type Row = BatchRow & {
  at: string;
  number: number | null;
  run: BatchLine["run"] | null;
  parent: TurnRefRow | null;
  lanes: LaneStatus[];
};

/** not_found for an unknown project, bad_request for a cursor of another one. */
export async function listBatches(kernel: Kernel, query: BatchQuery): Promise<BatchPage> {
  const { project_id } = query;
  await readProject(kernel, project_id);
  const live_cursor = await readCursor(kernel, project_id);
  const { rows, next_cursor } = await walk<Row>({
    ...query,
    cursor: query.cursor,
    time: "b.created_at",
    id: "b.batch_id",
    idOf: (batch) => batch.batch_id,
    keyed: [
      ["b.root_turn_id = ?", query.root_turn_id],
      ["b.parent_agent_turn_id = ?", query.agent_turn_id],
    ],
    asked: [["b.status = ?", query.status]],
    rows: (pieces, values) => read<Row>(kernel, UNPREPARED, LIST(pieces), values),
    end: (pieces, values) => read<Place>(kernel, UNPREPARED, END(pieces), values),
  });
  return { items: rows.map(lineOf), live_cursor, ...(next_cursor !== undefined && { next_cursor }) };
}

const lineOf = (row: Row): BatchLine => ({
  ...batchOf(row),
  ...(row.number !== null && { number: row.number }),
  ...(row.run && { run: row.run }),
  ...(row.parent && { parent: turnRef(row.parent) }),
  lanes: row.lanes,
});
