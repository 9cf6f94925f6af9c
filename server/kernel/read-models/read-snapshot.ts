// The picture and the cursor it is true for, from ONE statement: frames after the cursor complete it, and those that the
// snapshot already holds are dropped by their rev.

import { ALARMS_SHOWN } from "@/server/contract/alarm-rules";
import { KernelError } from "@/server/contract/errors";
import type { EdgeFrame, Frame, LateFrame } from "@/server/contract/frame";
import { PLAN_RUNS_SHOWN } from "@/server/contract/plan/plan-run";
import {
  ALARM_COLUMNS,
  type AlarmRow,
  alarmFrame,
  alarmRuleFrame,
  MUTE_JOIN,
  type RuleMuteRow,
} from "../alarms/alarm-row";
import {
  BATCH_COLUMNS,
  type BatchRow,
  type BatchTaskRow,
  batchFrame,
  batchTaskFrame,
  TASK_COLUMNS,
} from "../batch/batch-row";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequestFrame, REQUEST_COLUMNS } from "../inbox/human-request-row";
import { cursorHere, HERE, type Here } from "../journal/cursor";
import type { Kernel } from "../kernel";
import {
  PLAN_NODE_COLUMNS,
  PLAN_RUN_FRAME_COLUMNS,
  type PlanNodeRow,
  type PlanRunRow,
  planNodeFrame,
  planRunFrame,
} from "../plan/plan-row";
import { read } from "../reader";
import { RUN_COLUMNS, type RunRow, runFrame } from "../turns/run-row";
import { TURN_COLUMNS, type TurnRow, turnFrame } from "../turns/turn-row";

export type SnapshotInput = {
  project_id: string;
  /** One run, "all", or absent for the newest. */
  root_turn_id?: string;
  /** Without a run: the run of this turn. Where the project has no such turn, the newest. */
  agent_turn_id?: string;
  limit?: number;
};
export type Snapshot = {
  cursor: string;
  frames: Frame[];
  root_turn_id?: string;
  shown_turns: number;
  /** No further than one more than can be drawn: of all runs, a million turns were counted to say that they are too many. */
  total_turns: number;
};

export const SNAPSHOT_TURNS_MAX = 10_000;
const RUNS_MAX = 200;
/** Of what agents have asked people. */
const REQUESTS_MAX = 1_000;
/** Refused writes that are marked in the picture; one turn's are listed with it. */
const LATE_MAX = 500;

/** What one run has is found by the run: with "all, or this one" in one statement, the turns and edges of all runs were read. */
const of = (table: string, isAll: boolean) => (isAll ? "" : ` AND ${table}.root_turn_id = (SELECT root FROM wanted)`);

// Runs are chosen by their numbers first: with the wanted one at the head of the order, all runs of the project were sorted.
// row_to_json, not to_jsonb: building jsonb of 3,000 turns took three times as long as all the rest.
const snapshot = (isAll: boolean) => `
  WITH wanted AS MATERIALIZED (
    SELECT CASE WHEN $2::text IS NOT NULL THEN $2::text
      ELSE coalesce((SELECT root_turn_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $4),
        (SELECT root_turn_id FROM state.runs WHERE project_id = $1 ORDER BY number DESC LIMIT 1)) END AS root
  ), shown AS (
    SELECT ${columnsOf(TURN_COLUMNS, "t")} FROM state.agent_turns t
    WHERE t.project_id = $1${of("t", isAll)}
    ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT $3
  ), forked AS (
    SELECT ${columnsOf(BATCH_COLUMNS, "b")} FROM state.pmo_batches b
    WHERE b.project_id = $1${of("b", isAll)} AND b.parent_agent_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM shown))
  ), planned AS (
    SELECT ${columnsOf(PLAN_RUN_FRAME_COLUMNS, "r")}, coalesce(r.body ->> 'name', '') AS name FROM state.plan_runs r
    WHERE r.project_id = $1${of("r", isAll)} AND r.parent_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM shown))
    ORDER BY r.created_at DESC, r.plan_run_id DESC LIMIT ${PLAN_RUNS_SHOWN}
  )
  SELECT ${HERE},
    (SELECT root FROM wanted) AS root,
    (SELECT count(*)::int FROM (SELECT 1 FROM state.agent_turns t WHERE t.project_id = $1${of("t", isAll)} LIMIT ${SNAPSHOT_TURNS_MAX + 1}) t) AS total,
    (SELECT coalesce(json_agg(row_to_json(s) ORDER BY s.created_at, s.agent_turn_id), '[]') FROM shown s) AS turns,
    (SELECT coalesce(json_agg(row_to_json(e) ORDER BY e.created_at, e.edge_id), '[]') FROM state.execution_edges e
      WHERE e.project_id = $1 AND e.primitive = 'enqueue' AND e.edge_phase = 'request' AND e.source_turn_id IS NOT NULL${of("e", isAll)}
        AND e.target_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM shown))) AS edges,
    (SELECT coalesce(json_agg(row_to_json(b) ORDER BY b.created_at, b.batch_id), '[]') FROM forked b) AS batches,
    (SELECT coalesce(json_agg(row_to_json(k) ORDER BY k.batch_id, k.task_index), '[]') FROM (
      SELECT ${columnsOf(TASK_COLUMNS, "t")}, b.root_turn_id FROM forked b
      JOIN state.pmo_batch_tasks t ON t.project_id = $1 AND t.batch_id = b.batch_id AND t.agent_turn_id IS NULL) k) AS tasks,
    (SELECT coalesce(json_agg(row_to_json(p) ORDER BY p.created_at, p.plan_run_id), '[]') FROM planned p) AS plans,
    (SELECT coalesce(json_agg(row_to_json(n) ORDER BY n.plan_run_id, n.node_id), '[]') FROM (
      SELECT ${columnsOf(PLAN_NODE_COLUMNS, "n")}, p.root_turn_id FROM planned p
      JOIN state.plan_run_nodes n ON n.project_id = $1 AND n.plan_run_id = p.plan_run_id) n) AS plan_nodes,
    (SELECT coalesce(json_agg(to_jsonb(q) - '{arguments,parameters,answer}'::text[]), '[]') FROM (
      SELECT ${columnsOf(REQUEST_COLUMNS, "q")} FROM state.human_requests q WHERE q.project_id = $1 AND q.agent_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM shown))
      ORDER BY q.request_id DESC LIMIT ${REQUESTS_MAX}) q) AS requests,
    (SELECT coalesce(json_agg(l.late), '[]') FROM (
      SELECT (j.frames -> 0) || jsonb_build_object('created_at', j.created_at) AS late FROM state.journal_packs j
      WHERE j.project_id = $1 AND j.kind = 'rejected_late' AND j.entity_id = ANY (ARRAY(SELECT agent_turn_id FROM shown))
      ORDER BY j.created_at DESC LIMIT ${LATE_MAX}) l) AS late,
    (SELECT coalesce(json_agg(row_to_json(l) ORDER BY l.found_at, l.alarm_id), '[]') FROM (
      SELECT ${ALARM_COLUMNS} FROM state.alarms a ${MUTE_JOIN} WHERE a.project_id = $1${of("a", isAll)} ORDER BY a.found_at DESC, a.alarm_id DESC LIMIT ${ALARMS_SHOWN}) l) AS alarms,
    (SELECT coalesce(json_agg(row_to_json(u)), '[]') FROM (
      SELECT m.rule, m.scope, m.person, m.reason, m.muted_at, m.is_muted, m.rev FROM state.alarm_mutes m
      WHERE m.project_id = $1 AND m.alarm_id = '') u) AS alarm_rules,
    (SELECT coalesce(json_agg(row_to_json(r) ORDER BY r.number), '[]')
      FROM (SELECT ${columnsOf(RUN_COLUMNS, "runs")} FROM state.runs WHERE project_id = $1 AND root_turn_id = ANY (ARRAY(SELECT root FROM wanted UNION ALL SELECT n.root_turn_id FROM (
          SELECT root_turn_id FROM state.runs WHERE project_id = $1 ORDER BY number DESC LIMIT ${RUNS_MAX}) n))
        ORDER BY (root_turn_id = (SELECT root FROM wanted)) DESC, number DESC LIMIT ${RUNS_MAX}) r) AS runs,
    (SELECT to_jsonb(p) FROM projects p WHERE p.project_id = $1) AS project`;

const OF_ONE = snapshot(false);
const OF_ALL = snapshot(true);

type EdgeRow = Omit<EdgeFrame, "kind" | "id" | "rev" | "primitive"> & {
  edge_id: string;
  metadata: Record<string, unknown>;
};
type Row = Here & {
  root: string | null;
  total: number;
  turns: TurnRow[];
  edges: EdgeRow[];
  batches: BatchRow[];
  tasks: (BatchTaskRow & { root_turn_id: string })[];
  plans: (Omit<PlanRunRow, "inputs"> & { name: string })[];
  plan_nodes: (PlanNodeRow & { root_turn_id: string })[];
  requests: HumanRequestRow[];
  late: LateFrame[];
  alarms: AlarmRow[];
  alarm_rules: RuleMuteRow[];
  runs: RunRow[];
  project: { project_id: string; rev: number; title: string; status: string } | null;
};

/** not_found for an unknown project. An unknown run shows nothing. */
export async function readSnapshot(kernel: Kernel, input: SnapshotInput): Promise<Snapshot> {
  const limit = Math.min(input.limit ?? SNAPSHOT_TURNS_MAX, SNAPSHOT_TURNS_MAX);
  const values = [input.project_id, input.root_turn_id ?? null, limit, input.agent_turn_id ?? null];
  const rows =
    input.root_turn_id === "all"
      ? await read<Row>(kernel, "graph_snapshot_all", OF_ALL, values)
      : await read<Row>(kernel, "graph_snapshot", OF_ONE, values);
  const row = rows[0];
  if (!row?.project) throw new KernelError("not_found", `project ${input.project_id} not found`);
  const { project } = row;
  return {
    cursor: cursorHere(input.project_id, row),
    root_turn_id: row.root ?? undefined,
    shown_turns: row.turns.length,
    total_turns: row.total,
    frames: [
      {
        kind: "project",
        id: project.project_id,
        rev: project.rev,
        title: project.title,
        status: project.status,
        is_deleted: false,
      },
      ...row.runs.map(runFrame),
      ...row.turns.map(turnFrame),
      ...row.edges.map(edgeFrame),
      ...row.batches.map(batchFrame),
      ...row.tasks.map((task) => batchTaskFrame(task, task.root_turn_id)),
      ...row.plans.map((plan) => planRunFrame(plan, plan.name)),
      ...row.plan_nodes.map((node) => planNodeFrame(node, node.root_turn_id)),
      ...row.requests.map(humanRequestFrame),
      ...row.late.map(lateFrame),
      ...row.alarms.map(alarmFrame),
      ...row.alarm_rules.map(alarmRuleFrame),
    ],
  };
}

export const lateFrame = (frame: LateFrame): LateFrame => ({
  ...frame,
  ...(frame.created_at !== undefined && { created_at: new Date(frame.created_at).toISOString() }),
});

const edgeFrame = (e: EdgeRow): EdgeFrame => ({
  kind: "edge",
  id: e.edge_id,
  rev: 1,
  root_turn_id: e.root_turn_id,
  source_turn_id: e.source_turn_id,
  target_turn_id: e.target_turn_id,
  is_inferred: e.is_inferred,
  primitive: (e.metadata.primitive ?? "delegate_async") as EdgeFrame["primitive"],
  target_strategy: e.metadata.target_strategy as EdgeFrame["target_strategy"],
  created_at: new Date(e.created_at).toISOString(),
});
