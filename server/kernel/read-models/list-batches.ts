// Batches of a project, newest first: each with its number in its run, who forked it, and how its lanes stand.
import type { BatchStatus } from "@/server/contract/batch";
import { framedSql } from "@/server/contract/batch-code";
import type { BatchLine, BatchPage, LaneStatus } from "@/server/contract/batch-sheet";
import { BATCH_COLUMNS, type BatchRow, batchOf } from "../batch/batch-row";
import { AT, formatPageCursor, parsePageCursor } from "../cardbox/page-cursor";
import { columnsOf } from "../columns";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
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

const LIST = `
  SELECT b.*, ${BATCH_NUMBER}, ${BATCH_RUN},
    (SELECT to_jsonb(p) FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = b.project_id AND t.agent_turn_id = b.parent_agent_turn_id) p) AS parent,
    (SELECT coalesce(jsonb_agg(CASE WHEN k.status IN ('pending', 'dispatched') THEN coalesce(t.status, k.status) ELSE k.status END
        ORDER BY k.task_index), '[]')
      FROM state.pmo_batch_tasks k
      LEFT JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
      WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id) AS lanes
  FROM (
    SELECT ${columnsOf(BATCH_COLUMNS, "b")}, ${AT("b.created_at")} FROM state.pmo_batches b
    WHERE b.project_id = $1 AND ($2::text IS NULL OR b.root_turn_id = $2) AND ($3::text IS NULL OR b.parent_agent_turn_id = $3)
      AND ($4::text IS NULL OR b.status = $4)
      AND ($5::timestamptz IS NULL OR (b.created_at, b.batch_id) < ($5::timestamptz, $6::text))
    ORDER BY b.created_at DESC, b.batch_id DESC LIMIT $7
  ) b
  ORDER BY b.created_at DESC, b.batch_id DESC`;

type Row = BatchRow & {
  at: string;
  number: number | null;
  run: BatchLine["run"] | null;
  parent: TurnRefRow | null;
  lanes: LaneStatus[];
};

/** not_found for an unknown project, bad_request for a cursor of another one. */
export async function listBatches(kernel: Kernel, query: BatchQuery): Promise<BatchPage> {
  const { project_id, limit } = query;
  const after = parsePageCursor(project_id, query.cursor);
  await readProject(kernel, project_id);
  const live_cursor = await readCursor(kernel, project_id);
  const rows = await read<Row>(kernel, "batch_list", LIST, [
    project_id,
    query.root_turn_id ?? null,
    query.agent_turn_id ?? null,
    query.status ?? null,
    after?.at ?? null,
    after?.id ?? null,
    limit + 1,
  ]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map(lineOf),
    live_cursor,
    ...(last && { next_cursor: formatPageCursor(project_id, { at: last.at, id: last.batch_id }) }),
  };
}

const lineOf = (row: Row): BatchLine => ({
  ...batchOf(row),
  ...(row.number !== null && { number: row.number }),
  ...(row.run && { run: row.run }),
  ...(row.parent && { parent: turnRef(row.parent) }),
  lanes: row.lanes,
});
