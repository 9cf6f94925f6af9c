// Ends a batch once (K7): stops its running branches, writes its branches and its result, and wakes the turn that waits for
// it, all in the transaction that ends it.
import type { BranchResult, ClosedBy, JoinResult } from "@/server/contract/batch";
import type { TurnCode } from "@/server/contract/failure-codes";
import type { EndStatus } from "@/server/contract/turn";
import { columnsOf } from "../columns";
import { heardLater } from "../heard-later";
import { draftResult, type PostedResult, postResults } from "../inbox/post-results";
import { endTurn } from "../turns/end-turn";
import { stopTurns } from "../turns/stop-turns";
import { TURN_COLUMNS, type TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import type { BatchEnd, SentResult } from "./batch-end";
import {
  BATCH_COLUMNS,
  type BatchRow,
  type BatchTaskRow,
  batchTaskFrame,
  draftBatchFrame,
  TASK_COLUMNS,
  toldBatchSql,
} from "./batch-row";
import { closedBy, joinOf, lateOf } from "./close-gate";
import { decide } from "./decide";
import { branchResult, toolResult } from "./join-result";
import { type Branch, readBranches, type Standing } from "./read-standing";

const END = `
  WITH tasks AS (
    UPDATE state.branch_extra k SET status = g.status, result_view = g.result_view, output_box_id = coalesce(g.output_box_id, k.output_box_id),
      error_detail = coalesce(g.error, k.error_detail), next_retry_at = NULL, metadata = k.metadata - 'turn', rev = k.rev + 1, updated_at = now()
    FROM jsonb_to_recordset($4::jsonb) AS g(task_index int, status text, result_view jsonb, output_box_id text, error text)
    WHERE k.project_id = $1 AND k.batch_id = $2 AND k.task_index = g.task_index AND k.status IS NOT NULL AND k.result_view IS NULL
    RETURNING ${columnsOf(TASK_COLUMNS, "k")}
  ), batch AS (
    UPDATE state.pmo_batches SET status = $3, ended_at = now(), rev = rev + 1, arrivals = $5::int[], late = $6::int[], closed_by = $7
    WHERE project_id = $1 AND batch_id = $2 AND status = 'running' RETURNING ${columnsOf(BATCH_COLUMNS, "pmo_batches")}
  ), due AS (
    INSERT INTO state.alarm_due (project_id, subject_kind, subject_id) SELECT b.project_id, 'batch', b.batch_id FROM batch b
  ), ${toldBatchSql("$8")}
  SELECT EXISTS (SELECT 1 FROM batch) AS is_ended, (SELECT jsonb_agg(to_jsonb(t)) FROM tasks t) AS tasks`;

/** Batch and parent are locked (lockStanding). Wakes nobody if the parent itself has ended, or waits for a plan that goes on. */
export async function endBatch(unit: Unit, standing: Standing, wanted: BatchEnd): Promise<void> {
  const { project_id, batch_id } = standing.batch;
  const late = lateOf(standing, wanted);
  const { branches, stopped } = await stopRest(unit, standing, wanted, late);
  const end = stopped === 0 ? endOf(standing.batch, branches, wanted) : wanted;
  await unit.probe("batch-before-end");
  const inTime = branches.filter(({ task_index }) => !late.includes(task_index));
  const ended = inTime.map((branch) => {
    const result = branchResult(branch);
    const status = branch.status;
    const isOpen = status === "pending" || status === "dispatched";
    return isOpen ? { branch, result: { ...result, ...restOf(end) } } : { branch, result };
  });
  const join = joinOf(standing, end, { results: ended.map(({ result }) => result), late });
  const open = ended.filter(({ branch }) => branch.result_view === null);
  const closed = closedBy(end);
  const arrivals = [...(end.arrivals ?? standing.batch.arrivals)];
  const isNobodyWoken = end.cause === "parent_ended" || standing.batch.plan_run_id !== null;
  const ending = heardLater(
    unit.query<{ is_ended: boolean; tasks: BatchTaskRow[] | null }>("batch_end", END, [
      project_id,
      batch_id,
      end.status,
      JSON.stringify(open.map(openOf)),
      arrivals,
      late,
      closed,
      draftBatchFrame({ ...standing.batch, status: end.status, arrivals, late: [...late], closed_by: closed }),
    ]),
  );
  const sent = isNobodyWoken ? null : wake(unit, standing, { join, closed, going: wanted.goingOn });
  if (sent?.draft) await wanted.goingOn?.go(sent, open.length === 0);
  const [[row]] = await Promise.all([ending, sent?.posted]);
  if (!row?.is_ended) throw new Error(`batch ${batch_id} was locked and could not be ended`);
  unit.ring({ kind: "journal", project_id });
  for (const task of row.tasks ?? []) unit.frame(project_id, batchTaskFrame(task, standing.batch.root_turn_id));
  const { plan_run_id } = standing.batch;
  if (plan_run_id !== null && end.cause !== "parent_ended")
    await unit.kernel.onPlanDue?.(unit, { project_id, plan_run_id });
}

/**
 * Branches may end until they are held. Where the last one did, nothing was late: the batch used to be a timeout
 * with branches that had all succeeded.
 */
function endOf(batch: Standing["batch"], branches: Branch[], wanted: BatchEnd): BatchEnd {
  if (wanted.cause !== "deadline") return wanted;
  const verdict = decide({ ...batch, tasks: branches.map(({ status }) => status) });
  return verdict.kind === "end" ? { ...wanted, status: verdict.status, cause: verdict.cause } : wanted;
}

/** A branch that ended without a turn: its result is written with the batch. */
const openOf = ({ branch, result }: { branch: Branch; result: BranchResult }) => ({
  task_index: branch.task_index,
  status: result.status,
  result_view: result,
  output_box_id: result.output_box_id,
  error: result.error,
});

/** Branches that never got a turn end with the batch. */
function restOf(end: BatchEnd): { status: EndStatus; error: string } {
  return { status: isOutOfTime(end) ? "timeout" : "canceled", error: end.reason };
}

const isOutOfTime = ({ cause }: BatchEnd): boolean =>
  cause === "deadline" || cause === "join_timeout" || cause === "partial_timeout";

/** Branches that still run when the batch ends. */
const causeCodes: Record<BatchEnd["cause"], TurnCode> = {
  deadline: "batch_deadline",
  fail_fast: "batch_fail_fast",
  parent_ended: "batch_parent_ended",
  canceled: "batch_canceled",
  satisfied: "batch_gate_closed",
  quorum_unreachable: "batch_gate_closed",
  join_timeout: "batch_gate_closed",
  partial_timeout: "batch_gate_closed",
  // Complete: no branch still runs.
  all: "batch_canceled",
};

async function stopRest(unit: Unit, { batch, branches }: Standing, end: BatchEnd, late: readonly number[]) {
  const { project_id, batch_id } = batch;
  const live = branches
    .filter((branch) => branch.status === "dispatched" && !late.includes(branch.task_index))
    .flatMap((b) => b.agent_turn_id ?? []);
  if (live.length === 0) return { branches, stopped: 0 };
  const isLate = isOutOfTime(end);
  const stopped = await stopTurns(unit, {
    project_id,
    agent_turn_ids: live,
    status: isLate ? "timeout" : "canceled",
    error_code: causeCodes[end.cause],
    error: end.reason,
    note: isLate ? "stopped: past the deadline" : "stopped with its batch",
  });
  return { branches: await readBranches(unit, { project_id, batch_id }), stopped: stopped.length };
}

type Wake = { join: JoinResult; closed: ClosedBy | null; going: BatchEnd["goingOn"] };

/** Its statements are sent when this is returned: the result of the call, or the end of a person's turn. Null: nobody waits. */
type Woken = SentResult | { draft?: undefined; posted: Promise<unknown> };

function wake(unit: Unit, { batch }: Standing, { join, closed, going }: Wake): Woken | null {
  const { project_id, parent_agent_turn_id, parent_tool_call_id: tool_call_id } = batch;
  if (batch.parent_is_human) return { posted: heardLater(wakePerson(unit, batch, join)) };
  // A second result for one call would be refused, and the batch would stay open forever.
  if (!batch.is_awaited) return null;
  const result: PostedResult = {
    agent_turn_id: parent_agent_turn_id,
    tool_call_id,
    message_type: "tool_result",
    author_id: `tool.${batch.tool_name}`,
    content: toolResult(batch, join, closed),
    metadata: { function_name: batch.tool_name, batch_id: batch.batch_id },
    going,
  };
  const draft = draftResult(unit.kernel, project_id, result);
  const posting = postResults(unit, { project_id, results: [{ ...result, draft }] });
  return { draft, posted: heardLater(posting.then((posted) => posted.get(tool_call_id))) };
}

const PERSONS_TURN = `SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2 AND ended_at IS NULL FOR UPDATE`;

/** A person's turn has no worker to wake: it ends with the join. */
async function wakePerson(unit: Unit, batch: BatchRow, join: JoinResult): Promise<void> {
  const [row] = await unit.query<TurnRow>("batch_person", PERSONS_TURN, [batch.project_id, batch.parent_agent_turn_id]);
  if (!row) return;
  const data = { kind: "join", batch_id: batch.batch_id, ...join };
  await endTurn(unit, {
    row,
    status: join.status,
    content: { kind: "json", data: JSON.parse(JSON.stringify(data)) },
    note: `joined: ${join.results.filter((r) => r.status === "success").length} of ${join.results.length} succeeded`,
  });
}
