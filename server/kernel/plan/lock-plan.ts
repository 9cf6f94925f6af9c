// The current state of a plan run, locked: its row before all other locks (K17), then its nodes with their batches. The body
// is parsed once for each revision.
import type { HumanRequestStatus } from "@/server/contract/asking";
import type { BatchStatus, TaskStatus } from "@/server/contract/batch";
import { parsePlan } from "@/server/contract/plan/parse-plan";
import type { Plan } from "@/server/contract/plan/plan";
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import type { Unit } from "../unit";
import { PLAN_NODE_COLUMNS, PLAN_RUN_COLUMNS, type PlanNodeRow, type PlanRunKey, type PlanRunRow } from "./plan-row";

export type NodeTask = {
  task_index: number;
  batch_task_id: string;
  /** The turn's, where it has ended. */
  status: TaskStatus;
  agent_id: string;
  agent_turn_id: string | null;
  output_box_id: string | null;
  deliverable_card_id: string | null;
  summary: string | null;
  /** It changed nothing in the join: its gate had closed. */
  is_late: boolean;
};

export type NodeStanding = PlanNodeRow & {
  batch_status: BatchStatus | null;
  request_status: HumanRequestStatus | null;
  request_by: string | null;
  request_reason: string | null;
  /** The request was for this try, and named a limit. */
  is_limit_told: boolean;
  /** In task order; null before its batch. */
  tasks: NodeTask[] | null;
};

export type PlanStanding = {
  run: PlanRunRow & { is_overdue: boolean; is_at_rest: boolean; now: string };
  plan: Plan;
  /** By node id, in the order of the plan. */
  nodes: Map<string, NodeStanding>;
};

// Bodies as they were last read. A revision never changes (K21), and a run of 300 wagons is advanced hundreds of times: reading and
// parsing its body took longer than starting its next node. The digest too: a database that was restored may count another edit
// by the same number.
type Known = { body_rev: number; sha256: string; plan: Plan };
const bodies = new Map<string, Known>();
const BODIES_MAX = 32;
const WAGONS_KEPT_MAX = 2_000;

function keep(key: string, known: Known): void {
  bodies.delete(key);
  bodies.set(key, known);
  const wagons = () => [...bodies.values()].reduce((sum, { plan }) => sum + plan.nodes.length, 0);
  while (bodies.size > BODIES_MAX || (bodies.size > 1 && wagons() > WAGONS_KEPT_MAX)) {
    const [oldest] = bodies.keys();
    if (oldest === undefined) return;
    bodies.delete(oldest);
  }
}

const LOCK = `
  SELECT ${columnsOf(PLAN_RUN_COLUMNS, "r")}, coalesce(r.deadline_at <= now(), false) AS is_overdue, now() AS now, r.is_at_rest,
    CASE WHEN r.body_rev IS DISTINCT FROM $3::bigint OR r.sha256 IS DISTINCT FROM $4 THEN r.body END AS body
  FROM state.plan_runs r WHERE r.project_id = $1 AND r.plan_run_id = $2 AND r.status = 'running' FOR UPDATE`;

// A separate statement after the lock, so that it sees what ended while it waited. Looked up key by key. A node that is replayed
// has the results of the batch that it replays.
const NODES = `
  SELECT ${columnsOf(PLAN_NODE_COLUMNS, "n")}, b.status AS batch_status, q.status AS request_status, q.decided_by AS request_by,
    q.reason AS request_reason, coalesce(q.arguments ? 'limit' AND q.arguments ->> 'try' = n.try::text, false) AS is_limit_told, k.tasks
  FROM state.plan_run_nodes n
  CROSS JOIN LATERAL (SELECT CASE WHEN n.status = 'replayed' THEN n.replays ->> 'batch_id' ELSE n.batch_id END AS batch_id) g
  LEFT JOIN LATERAL (SELECT b.status, b.late FROM state.pmo_batches b WHERE b.project_id = $1 AND b.batch_id = g.batch_id OFFSET 0) b ON true
  LEFT JOIN LATERAL (SELECT q.status, q.decided_by, q.reason, q.arguments FROM state.human_requests q
    WHERE q.project_id = $1 AND q.request_id = n.request_id OFFSET 0) q ON true
  LEFT JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object('task_index', k.task_index, 'batch_task_id', k.batch_task_id,
      'status', CASE WHEN k.status = 'dispatched' AND t.ended_at IS NOT NULL THEN t.status ELSE k.status END,
      'agent_id', k.agent_id, 'agent_turn_id', t.agent_turn_id, 'output_box_id', coalesce(t.output_box_id, k.output_box_id),
      'deliverable_card_id', t.deliverable_card_id, 'summary', k.result_view ->> 'summary', 'is_late', k.task_index = ANY (b.late)) ORDER BY k.task_index) AS tasks
    FROM state.pmo_batch_tasks k
    LEFT JOIN LATERAL (SELECT t.agent_turn_id, t.status, t.ended_at, t.output_box_id, t.deliverable_card_id FROM state.agent_turns t
      WHERE t.project_id = $1 AND t.agent_turn_id = coalesce(k.agent_turn_id, k.metadata #>> '{replays,agent_turn_id}') OFFSET 0) t ON true
    WHERE k.project_id = $1 AND k.batch_id = g.batch_id) k ON g.batch_id IS NOT NULL
  WHERE n.project_id = $1 AND n.plan_run_id = $2`;

/** Not locked. */
export const readNodes = (reader: Reader, { project_id, plan_run_id }: PlanRunKey): Promise<NodeStanding[]> =>
  read<NodeStanding>(reader, "plan_nodes", NODES, [project_id, plan_run_id]);

const BODY = `SELECT r.body, r.inputs FROM state.plan_runs r WHERE r.project_id = $1 AND r.plan_run_id = $2`;

/** What a run has so far, not locked: its body, its inputs and its nodes with their results. Null if it does not exist. */
export async function readResults(
  reader: Reader,
  key: PlanRunKey,
): Promise<{ plan: Plan; inputs: PlanRunRow["inputs"]; nodes: Map<string, NodeStanding> } | null> {
  const ids = [key.project_id, key.plan_run_id];
  const [run] = await read<Pick<PlanRunRow, "inputs"> & { body: unknown }>(reader, "plan_results_body", BODY, ids);
  if (!run) return null;
  const rows = await readNodes(reader, key);
  return { plan: readBody(run.body), inputs: run.inputs, nodes: new Map(rows.map((row) => [row.node_id, row])) };
}

type Locked = PlanStanding["run"] & { body: unknown };

/** Null if it does not exist or has ended. */
export async function lockPlan(unit: Unit, key: PlanRunKey): Promise<PlanStanding | null> {
  const ids = [key.project_id, key.plan_run_id];
  const kept = ids.join(" ");
  const known = bodies.get(kept);
  const [[locked], rows] = await Promise.all([
    unit.query<Locked>("plan_lock", LOCK, [...ids, known?.body_rev ?? null, known?.sha256 ?? null]),
    unit.query<NodeStanding>("plan_nodes", NODES, ids),
  ]);
  if (!locked) return null;
  const { body, ...run } = locked;
  const plan = body === null ? known?.plan : readBody(body);
  if (!plan) throw new Error(`the body of plan run ${key.plan_run_id} was read before and is not known`);
  keep(kept, { body_rev: run.body_rev, sha256: run.sha256, plan });
  const byId = new Map(rows.map((row) => [row.node_id, row]));
  return { run, plan, nodes: new Map(plan.nodes.flatMap(({ id }) => at(id, byId.get(id)))) };
}

const at = <T>(id: string, row: T | undefined): [string, T][] => (row === undefined ? [] : [[id, row]]);

/** It was checked when it was stored. */
export function readBody(body: unknown): Plan {
  const read = parsePlan(body);
  if ("plan" in read) return read.plan;
  throw new Error(`a stored plan is malformed: ${read.fault.path}: ${read.fault.message}`);
}
