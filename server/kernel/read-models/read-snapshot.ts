// The picture and the cursor it is true for, from ONE statement: frames after the cursor complete it, and those that the
// snapshot already holds are dropped by their rev.

import { ALARMS_SHOWN } from "@/server/contract/alarm-rules";
import { KernelError } from "@/server/contract/errors";
import type { Frame, LateFrame } from "@/server/contract/frame";
import { createPacker, type FrameColumns, type LeanFrames, packFrames } from "@/server/contract/lean-frames";
import { PLAN_RUNS_SHOWN } from "@/server/contract/plan/plan-run";
import { unpackFrames } from "@/server/contract/unpack-frames";
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
import { edgeIdSql } from "../turns/edge-ids";
import { RUN_COLUMNS, type RunRow, runFrame } from "../turns/run-row";
import { TIMES, TURN_COLUMNS } from "../turns/turn-row";
import { aggregatedOf, TURN_FRAME_COLUMNS } from "./frame-columns";

export type SnapshotInput = {
  project_id: string;
  /** One run, "all", or absent for the newest. */
  root_turn_id?: string;
  /** Without a run: the run of this turn. Where the project has no such turn, the newest. */
  agent_turn_id?: string;
  limit?: number;
};
export type LeanSnapshot = {
  cursor: string;
  frames: LeanFrames;
  root_turn_id?: string;
  shown_turns: number;
  /** No further than one more than can be drawn: of all runs, a million turns were counted to say that they are too many. */
  total_turns: number;
};
export type Snapshot = Omit<LeanSnapshot, "frames"> & { frames: Frame[] };

export const SNAPSHOT_TURNS_MAX = 10_000;
const RUNS_MAX = 200;
/** Of what agents have asked people. */
const REQUESTS_MAX = 1_000;
/** Refused writes that are marked in the picture; one turn's are listed with it. */
const LATE_MAX = 500;

/** What one run has is found by the run: with "all, or this one" in one statement, the turns and edges of all runs were read. */
const of = (table: string, isAll: boolean) => (isAll ? "" : ` AND ${table}.root_turn_id = (SELECT root FROM wanted)`);

// Runs are chosen by their numbers first: with the wanted one at the head of the order, all runs of the project were sorted.
// row_to_json, not to_jsonb: building jsonb of 3,000 turns took three times as long as all the rest. Turns and edges are read as
// columns: as 5,000 rows, each with all its names, they took Postgres twice as long, and had to be made into frames one by one.
const snapshot = (isAll: boolean) => `
  WITH wanted AS MATERIALIZED (
    SELECT CASE WHEN $2::text IS NOT NULL THEN $2::text
      ELSE coalesce((SELECT root_turn_id FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $4),
        (SELECT root_turn_id FROM state.runs WHERE project_id = $1 ORDER BY number DESC LIMIT 1)) END AS root
  ), shown AS (
    SELECT ${columnsOf(TURN_COLUMNS, "t")}, t.tells_request FROM state.agent_turns t
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
    (SELECT row_to_json(c) FROM (SELECT ${aggregatedOf(TURN_FRAME_COLUMNS, "s")} FROM (
      SELECT ${columnsOf(TURN_FRAME_COLUMNS, "o")} FROM shown o ORDER BY o.created_at, o.agent_turn_id) s) c) AS turns,
    (SELECT row_to_json(c) FROM (SELECT ${aggregatedOf(EDGE_COLUMNS, "s")} FROM (
      SELECT ${edgeIdSql("o.agent_turn_id")} AS edge_id, o.root_turn_id, o.parent_turn_id AS source_turn_id, o.agent_turn_id AS target_turn_id,
        false AS is_inferred, o.primitive, o.target_strategy, o.created_at FROM shown o
      WHERE o.tells_request AND o.parent_turn_id IS NOT NULL AND o.primitive <> 'ui_action'
      UNION ALL
      SELECT e.edge_id, e.root_turn_id, e.source_turn_id, e.target_turn_id, e.is_inferred, e.metadata ->> 'primitive',
        e.metadata ->> 'target_strategy', e.created_at FROM state.edge_extra e
      WHERE e.project_id = $1 AND e.primitive = 'enqueue' AND e.edge_phase = 'request' AND e.source_turn_id IS NOT NULL${of("e", isAll)}
        AND e.target_turn_id = ANY (ARRAY(SELECT agent_turn_id FROM shown)) ORDER BY created_at, edge_id) s) c) AS edges,
    (SELECT coalesce(json_agg(row_to_json(b) ORDER BY b.created_at, b.batch_id), '[]') FROM forked b) AS batches,
    (SELECT coalesce(json_agg(row_to_json(k) ORDER BY k.batch_id, k.task_index), '[]') FROM (
      SELECT ${columnsOf(TASK_COLUMNS, "x")}, b.root_turn_id FROM forked b
      JOIN state.branch_extra x ON x.project_id = $1 AND x.batch_id = b.batch_id AND x.status IS NOT NULL AND x.agent_turn_id IS NULL) k) AS tasks,
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

/** Of the edge, and of what it says of the call that it is. */
const EDGE_COLUMNS = [
  "edge_id",
  "root_turn_id",
  "source_turn_id",
  "target_turn_id",
  "is_inferred",
  "primitive",
  "target_strategy",
  "created_at",
] as const;

const OF_ONE = snapshot(false);
const OF_ALL = snapshot(true);

/** null = there are no rows. */
type ColumnsOf<K extends string> = Record<K, unknown[] | null>;
type Row = Here & {
  root: string | null;
  total: number;
  turns: ColumnsOf<(typeof TURN_FRAME_COLUMNS)[number]>;
  edges: ColumnsOf<(typeof EDGE_COLUMNS)[number]>;
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

/** Not packed. */
export async function readSnapshot(kernel: Kernel, input: SnapshotInput): Promise<Snapshot> {
  const lean = await readLeanSnapshot(kernel, input);
  return { ...lean, frames: unpackFrames(lean.frames) };
}

/** not_found for an unknown project. An unknown run shows nothing. */
export async function readLeanSnapshot(kernel: Kernel, input: SnapshotInput): Promise<LeanSnapshot> {
  const limit = Math.min(input.limit ?? SNAPSHOT_TURNS_MAX, SNAPSHOT_TURNS_MAX);
  const values = [input.project_id, input.root_turn_id ?? null, limit, input.agent_turn_id ?? null];
  const rows =
    input.root_turn_id === "all"
      ? await read<Row>(kernel, "graph_snapshot_all", OF_ALL, values)
      : await read<Row>(kernel, "graph_snapshot", OF_ONE, values);
  const row = rows[0];
  if (!row?.project) throw new KernelError("not_found", `project ${input.project_id} not found`);
  const { project } = row;
  const packer = createPacker();
  // Runs are named by turns, turns by edges: what is named by its place comes before.
  packer.add("turn", turnColumns(row.turns), { times });
  packer.add("edge", edgeColumns(row.edges), { times });
  const frames = packFrames(
    [
      {
        kind: "project",
        id: project.project_id,
        rev: project.rev,
        title: project.title,
        status: project.status,
        is_deleted: false,
      },
      ...row.runs.map(runFrame),
      ...row.batches.map(batchFrame),
      ...row.tasks.map((task) => batchTaskFrame(task, task.root_turn_id)),
      ...row.plans.map((plan) => planRunFrame(plan, plan.name)),
      ...row.plan_nodes.map((node) => planNodeFrame(node, node.root_turn_id)),
      ...row.requests.map(humanRequestFrame),
      ...row.late.map(lateFrame),
      ...row.alarms.map(alarmFrame),
      ...row.alarm_rules.map(alarmRuleFrame),
    ],
    packer,
  );
  return {
    cursor: cursorHere(input.project_id, row),
    root_turn_id: row.root ?? undefined,
    shown_turns: row.turns.agent_turn_id?.length ?? 0,
    total_turns: row.total,
    frames,
  };
}

const times: ReadonlySet<string> = new Set(TIMES);

/** As turnFrame makes of a row. */
function turnColumns(turns: Row["turns"]): FrameColumns {
  const id = (turns.agent_turn_id ?? []) as string[];
  return { ...Object.fromEntries(TURN_FRAME_COLUMNS.map((key) => [key, timesIn(key, turns[key])])), id };
}

function edgeColumns({ edge_id, ...edges }: Row["edges"]): FrameColumns {
  const id = (edge_id ?? []) as string[];
  return {
    ...Object.fromEntries(Object.entries(edges).map(([key, values]) => [key, timesIn(key, values)])),
    rev: id.map(() => 1),
    primitive: (edges.primitive ?? []).map((primitive) => primitive ?? "delegate_async"),
    id,
  };
}

const timesIn = (key: string, values: unknown[] | null): readonly unknown[] =>
  times.has(key) ? (values ?? []).map((time) => (time === null ? null : Date.parse(time as string))) : (values ?? []);

export const lateFrame = (frame: LateFrame): LateFrame => ({
  ...frame,
  ...(frame.created_at !== undefined && { created_at: new Date(frame.created_at).toISOString() }),
});
