// A turn as its page needs it: the detail, its neighbours in the run, whom it called, what was forked from it, and what a stop
// would meet. The cursor is read first, so that frames after it complete the rest.

import type { TurnStatus } from "@/server/contract/turn";
import type { TurnSheet } from "@/server/contract/turn-sheet";
import { type BatchRow, batchFrame } from "../batch/batch-row";
import { columnsOf } from "../columns";
import { readCursor } from "../journal/read-cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "../turns/turn-row";
import { BATCH_NUMBER } from "./list-batches";
import { DOWN } from "./read-subtree";
import { readTurnDetail } from "./read-turn-detail";
import { TURN_REF, type TurnRefRow, turnRef } from "./turn-ref";

/** If there are more callees than this, they are read from their batches. */
const CALLEES_MAX = 64;
const FORKS_MAX = 50;
/** A stop of more turns than this shows too small a number; the subtree's `live` is exact. */
const BELOW_MAX = 1_000;

const lanes = (batch: string) => `
  (SELECT coalesce(jsonb_agg(jsonb_build_object('task_index', k.task_index, 'status',
      CASE WHEN k.status IN ('pending', 'dispatched') THEN coalesce(c.status, 'pending') ELSE k.status END) ORDER BY k.task_index), '[]')
    FROM state.pmo_batch_tasks k
    LEFT JOIN state.agent_turns c ON c.project_id = $1 AND c.agent_turn_id = k.agent_turn_id
    WHERE k.project_id = $1 AND k.batch_id = ${batch})`;

const SHEET = `
  WITH RECURSIVE ${DOWN}
  SELECT
    (SELECT jsonb_build_object('root_turn_id', r.root_turn_id, 'number', r.number, 'title', r.title, 'source', r.source)
      FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = t.root_turn_id) AS run,
    (SELECT jsonb_build_object('batch', to_jsonb(b), 'number', n.number, 'caller', p.headcode, 'lanes', ${lanes("b.batch_id")})
      FROM state.pmo_batches b
      CROSS JOIN LATERAL (SELECT ${BATCH_NUMBER}) n
      LEFT JOIN state.agent_turns p ON p.project_id = $1 AND p.agent_turn_id = b.parent_agent_turn_id
      WHERE b.project_id = $1 AND b.batch_id = t.batch_id) AS branch,
    (SELECT coalesce(jsonb_agg(to_jsonb(k)), '[]') FROM (SELECT ${TURN_REF} FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.parent_turn_id = $2 ORDER BY t.created_at, t.agent_turn_id LIMIT ${CALLEES_MAX}) k) AS callees,
    (SELECT coalesce(jsonb_agg(to_jsonb(f)), '[]') FROM (SELECT ${TURN_REF}, (t.forked_from ->> 'ordinal')::int AS ordinal
      FROM state.agent_turns t WHERE t.project_id = $1 AND t.forked_from ->> 'agent_turn_id' = $2 AND t.forked_from IS NOT NULL
      ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${FORKS_MAX}) f) AS forks,
    (SELECT coalesce(jsonb_object_agg(a.step_id, a.at), '{}') FROM (
      SELECT c.metadata ->> 'step_id' AS step_id, min(c.created_at) AS at FROM cards c
      WHERE c.tenant_id = $1 AND c.metadata ->> 'agent_turn_id' = $2 AND c.metadata ->> 'type' = 'agent.thought'
        AND c.metadata ->> 'step_id' IS NOT NULL
      GROUP BY 1) a) AS answered_at,
    (SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.root_turn_id = t.root_turn_id
      AND (o.created_at, o.agent_turn_id) < (t.created_at, t.agent_turn_id)
      ORDER BY o.created_at DESC, o.agent_turn_id DESC LIMIT 1) AS previous,
    (SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = $1 AND o.root_turn_id = t.root_turn_id
      AND (o.created_at, o.agent_turn_id) > (t.created_at, t.agent_turn_id)
      ORDER BY o.created_at, o.agent_turn_id LIMIT 1) AS next,
    (SELECT coalesce(sum(h.rev), 0)::int FROM state.human_requests h
      WHERE h.project_id = $1 AND h.agent_turn_id = $2) AS request_revs,
    (SELECT coalesce(jsonb_agg(to_jsonb(l)), '[]') FROM (SELECT ${columnsOf(TURN_COLUMNS, "o")} FROM down
      JOIN state.agent_turns o ON o.project_id = $1 AND o.agent_turn_id = down.id
      WHERE o.ended_at IS NULL AND o.agent_turn_id <> $2 ORDER BY o.created_at, o.agent_turn_id LIMIT ${BELOW_MAX}) l) AS below,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('batch', to_jsonb(b), 'number', n.number,
        'held', (SELECT count(*) FROM state.pmo_batch_tasks k WHERE k.project_id = $1 AND k.batch_id = b.batch_id AND k.status = 'pending'))), '[]')
      FROM down JOIN state.pmo_batches b ON b.project_id = $1 AND b.parent_agent_turn_id = down.id
      CROSS JOIN LATERAL (SELECT ${BATCH_NUMBER}) n
      WHERE b.status = 'running') AS running
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = $2`;

type Numbered = { batch: BatchRow; number: number | null };
type Row = {
  run: TurnSheet["run"] | null;
  branch:
    | (Numbered & { caller: string | null; lanes: { task_index: number; status: TurnStatus | "pending" }[] })
    | null;
  callees: TurnRefRow[];
  forks: (TurnRefRow & { ordinal: number })[];
  answered_at: Record<string, string>;
  previous: string | null;
  next: string | null;
  request_revs: number;
  below: TurnRow[];
  running: (Numbered & { held: number })[];
};

/** not_found for an unknown turn and for one of another project alike. */
export async function readTurnSheet(
  kernel: Kernel,
  input: { project_id: string; agent_turn_id: string },
): Promise<TurnSheet> {
  const { project_id, agent_turn_id } = input;
  const cursor = await readCursor(kernel, project_id);
  const [detail, [row]] = await Promise.all([
    readTurnDetail(kernel, input),
    read<Row>(kernel, "turn_sheet", SHEET, [project_id, agent_turn_id]),
  ]);
  if (!row) throw new Error(`turn ${agent_turn_id} was there and is gone`);
  const { branch, previous, next } = row;
  return {
    ...detail,
    ...(row.run && { run: row.run }),
    ...(branch && {
      branch: {
        ...numbered(branch),
        caller: branch.caller ?? "its caller",
        others: branch.lanes.filter((lane) => lane.task_index !== detail.task_index).map((lane) => lane.status),
      },
    }),
    callees: row.callees.map(turnRef),
    answered_at: Object.fromEntries(
      Object.entries(row.answered_at).map(([step_id, at]) => [step_id, new Date(at).toISOString()]),
    ),
    forks: row.forks.map((fork) => ({ ...turnRef(fork), ordinal: fork.ordinal })),
    ...(previous !== null && { previous }),
    ...(next !== null && { next }),
    request_revs: row.request_revs,
    below: row.below.map(turnFrame),
    running: row.running.map((one) => ({ ...numbered(one), held: one.held })),
    cursor,
  };
}

const numbered = ({ batch, number }: Numbered) => ({ batch: batchFrame(batch), ...(number !== null && { number }) });
