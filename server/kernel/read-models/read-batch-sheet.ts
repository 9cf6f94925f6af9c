// A batch as its board needs it, from one statement, so that the cursor is true for what was read: every branch with its
// turn, its steps and the first words of what it delivered, and the card of the join: an agent gets a result,
// a person's turn ends with it.
import type { BatchSheet, Branch, JoinCard } from "@/server/contract/batch-sheet";
import { type BatchRow, type BatchTaskRow, batchOf, taskOf } from "../batch/batch-row";
import { noBatch } from "../batch/no-batch";
import { CARD_LINE, type CardLineRow, cardLine } from "../cardbox/card-line";
import { SHOWN_CONTENT } from "../cardbox/card-row";
import { cursorHere, HERE } from "../journal/cursor";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { type TurnRow, turnFrame } from "../turns/turn-row";
import { BATCH_NUMBER, BATCH_RUN } from "./list-batches";
import { type StepTimeRow, stepTimeOf, stepTimes } from "./read-step-times";

// A turn with ever more steps would make the board slow; its bar is drawn from the first ones.
const STEPS_MAX = 100;

const SHEET = `
  SELECT to_jsonb(b) AS batch, ${HERE}, ${BATCH_NUMBER}, ${BATCH_RUN},
    (SELECT to_jsonb(p) FROM state.agent_turns p
      WHERE p.project_id = $1 AND p.agent_turn_id = b.parent_agent_turn_id) AS parent,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('task', to_jsonb(k), 'turn', to_jsonb(t), 'steps',
        ${stepTimes(STEPS_MAX)},
        'deliverable', (SELECT to_jsonb(l) FROM (SELECT ${CARD_LINE} FROM cards c
          WHERE c.tenant_id = $1 AND c.card_id = t.deliverable_card_id) l)) ORDER BY k.task_index), '[]')
      FROM state.pmo_batch_tasks k
      LEFT JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = k.agent_turn_id
      WHERE k.project_id = $1 AND k.batch_id = $2 AND ($3::int[] IS NULL OR k.task_index = ANY ($3))) AS branches,
    coalesce(
      (SELECT jsonb_build_object('card_id', c.card_id, 'type', 'tool.result', 'result', coalesce(s.content -> 'result', s.content -> 'error'),
          'token_count', c.token_count, 'created_at', c.created_at, 'applied_at',
          (SELECT max(w.updated_at) FROM state.turn_waiting_tools w WHERE w.project_id = $1
            AND w.tool_call_id = b.parent_tool_call_id AND w.wait_status = 'applied'))
        FROM cards c CROSS JOIN LATERAL (SELECT ${SHOWN_CONTENT} AS content) s WHERE c.tenant_id = $1 AND c.tool_call_id = b.parent_tool_call_id AND (c.metadata ->> 'type') = 'tool.result'
        ORDER BY (c.metadata ? 'supersedes') DESC LIMIT 1),
      (SELECT jsonb_build_object('card_id', c.card_id, 'type', 'task.deliverable', 'result', (${SHOWN_CONTENT}) -> 'data',
          'token_count', c.token_count, 'created_at', c.created_at, 'applied_at', p.ended_at)
        FROM state.agent_turns p JOIN cards c ON c.tenant_id = $1 AND c.card_id = p.deliverable_card_id
        WHERE p.project_id = $1 AND p.agent_turn_id = b.parent_agent_turn_id AND c.content -> 'data' ->> 'batch_id' = $2)
    ) AS join_card
  FROM state.pmo_batches b WHERE b.project_id = $1 AND b.batch_id = $2`;

type BranchRow = { task: BatchTaskRow; turn: TurnRow | null; steps: StepTimeRow[]; deliverable: CardLineRow | null };
type Row = {
  batch: BatchRow;
  xid: string;
  generation: string;
  number: number | null;
  run: BatchSheet["run"] | null;
  parent: TurnRow | null;
  branches: BranchRow[];
  join_card: (Omit<JoinCard, "applied_at"> & { applied_at: string | null }) | null;
};

export type BatchSheetInput = {
  project_id: string;
  batch_id: string;
  /** Only these branches: the ones that a frame has named. */
  task_indexes?: number[];
};

/** not_found for an unknown batch and for one of another project alike. */
export async function readBatchSheet(kernel: Kernel, input: BatchSheetInput): Promise<BatchSheet> {
  const { project_id, batch_id, task_indexes } = input;
  const [row] = await read<Row>(kernel, "batch_sheet", SHEET, [project_id, batch_id, task_indexes ?? null]);
  if (!row) throw noBatch(project_id, batch_id);
  return {
    ...batchOf(row.batch),
    ...(row.number !== null && { number: row.number }),
    ...(row.run && { run: row.run }),
    ...(row.parent && { parent: turnFrame(row.parent) }),
    tasks: row.branches.map(branchOf),
    ...(row.join_card && { join: joinOf(row.join_card) }),
    attempts_max: kernel.tunables.dispatchAttemptsMax,
    cursor: cursorHere(project_id, row),
  };
}

const branchOf = (row: BranchRow): Branch => ({
  ...taskOf(row.task),
  ...(row.turn && { turn: turnFrame(row.turn) }),
  steps: row.steps.map(stepTimeOf),
  ...(row.deliverable && {
    deliverable: cardLine({ ...row.deliverable, created_at: iso(row.deliverable.created_at) }),
  }),
});

const joinOf = ({ applied_at, ...card }: NonNullable<Row["join_card"]>): JoinCard => ({
  ...card,
  created_at: iso(card.created_at),
  ...(applied_at !== null && { applied_at: iso(applied_at) }),
});

/** Times inside a row made by to_jsonb keep Postgres' spelling. */
const iso = (time: string): string => new Date(time).toISOString();
