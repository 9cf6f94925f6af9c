// Ends a plan run once (K19): its open nodes, what it asked people, and the turn that waits for it, in one transaction. The
// run's row is locked.
import type { BatchStatus } from "@/server/contract/batch";
import type { CardContent } from "@/server/contract/card";
import { countNodes } from "@/server/contract/plan/count-nodes";
import type { Plan } from "@/server/contract/plan/plan";
import { type ToldNode, toldNodes } from "@/server/contract/plan/told-nodes";
import { endBatch } from "../batch/end-batch";
import { lockStanding } from "../batch/read-standing";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequestFrame, REQUEST_COLUMNS } from "../inbox/human-request-row";
import { postResults } from "../inbox/post-results";
import { endTurn } from "../turns/end-turn";
import { holdTurn } from "../turns/hold-turns";
import { TURN_COLUMNS, type TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import { LAUNCH_PLAN } from "./hold-node";
import { lockPlan, type NodeStanding, type PlanStanding } from "./lock-plan";
import { PLAN_RUN_FRAME_COLUMNS, type PlanRunFrameRow, planRunFrame } from "./plan-row";
import { moveNodes, type NodeMove } from "./write-nodes";

type PlanEndStatus = Exclude<BatchStatus, "running">;
/** `stopped`: by a person, who may have said why. */
export type PlanEnd =
  | { status: PlanEndStatus; cause: "all" | "deadline" | "parent_ended" }
  | { status: "canceled"; cause: "stopped"; reason: string };

const END = `
  WITH requests AS (
    UPDATE state.human_requests q SET status = 'dropped', decided_at = now(), rev = q.rev + 1
    WHERE q.project_id = $1 AND q.agent_turn_id = $4 AND q.kind = 'plan_hold' AND q.status = 'open'
      AND q.arguments ->> 'plan_run_id' = $2
    RETURNING ${columnsOf(REQUEST_COLUMNS, "q")}
  ), ended AS (
    UPDATE state.plan_runs SET status = $3, ended_at = now(), rev = rev + 1
    WHERE project_id = $1 AND plan_run_id = $2 AND status = 'running' RETURNING ${columnsOf(PLAN_RUN_FRAME_COLUMNS, "plan_runs")}
  )
  SELECT (SELECT to_jsonb(e) FROM ended e) AS run, (SELECT jsonb_agg(to_jsonb(r)) FROM requests r) AS requests`;

export async function endPlan(unit: Unit, standing: PlanStanding, end: PlanEnd): Promise<void> {
  const { run } = standing;
  const { project_id, plan_run_id } = run;
  const isCut = end.cause === "deadline" || end.cause === "stopped";
  // Batches before heads, and heads before requests, as everywhere (K17).
  if (isCut) await unit.query("plan_lock_open", LOCK_OPEN, [project_id, openBatches(standing)]);
  if (end.cause !== "parent_ended" && run.parent_tool_call_id !== null)
    await holdTurn(unit, { project_id: run.project_id, agent_turn_id: run.parent_turn_id });
  const settled = isCut ? await endOpen(unit, standing, end) : standing;
  const nodes = await closeNodes(unit, settled, end);
  await unit.probe("plan-before-end");
  const [row] = await unit.query<{ run: PlanRunFrameRow | null; requests: HumanRequestRow[] | null }>("plan_end", END, [
    project_id,
    plan_run_id,
    end.status,
    run.parent_turn_id,
  ]);
  if (!row?.run) throw new Error(`plan run ${plan_run_id} was locked and could not be ended`);
  unit.frame(project_id, planRunFrame(row.run, standing.plan.name));
  for (const request of row.requests ?? []) unit.frame(project_id, humanRequestFrame(request));
  if (end.cause !== "parent_ended") await tellParent(unit, { ...settled, nodes }, end.status);
}

// All of them before the parent's head: whoever settles one holds it while it waits for that head.
const LOCK_OPEN = `
  SELECT batch_id FROM state.pmo_batches WHERE project_id = $1 AND batch_id = ANY ($2::text[]) AND status = 'running'
  ORDER BY batch_id FOR UPDATE`;

const openBatches = ({ nodes }: PlanStanding): string[] =>
  [...nodes.values()].flatMap((n) => (n.batch_status === "running" && n.batch_id ? n.batch_id : [])).toSorted();

/** Batches that still run end with a run that is stopped, or whose deadline has passed. */
async function endOpen(unit: Unit, standing: PlanStanding, end: PlanEnd): Promise<PlanStanding> {
  const { project_id, deadline_at } = standing.run;
  const open = openBatches(standing);
  for (const batch_id of open) {
    const batch = await lockStanding(unit, { project_id, batch_id });
    const late = `stopped: the plan's deadline ${deadline_at} has passed`;
    if (!batch) continue;
    await endBatch(
      unit,
      batch,
      end.cause === "stopped"
        ? { status: "canceled", cause: "canceled", reason: end.reason }
        : { status: "timeout", cause: "deadline", reason: late },
    );
  }
  return open.length === 0 ? standing : ((await lockPlan(unit, standing.run)) ?? standing);
}

/** Nodes that run take the status of their batch; the others are skipped. */
async function closeNodes(unit: Unit, { run, nodes }: PlanStanding, end: PlanEnd): Promise<PlanStanding["nodes"]> {
  const moves = [...nodes.values()].flatMap((node): NodeMove[] => {
    if (node.status === "running") return [{ node_id: node.node_id, ...endOf(node, end) }];
    if (node.status !== "waiting" && node.status !== "held") return [];
    const reason =
      end.cause === "deadline"
        ? "skipped: the plan's deadline has passed"
        : end.cause === "stopped"
          ? `skipped: the plan was ${end.reason}`
          : "skipped: the plan has ended";
    return [{ node_id: node.node_id, status: "skipped", reason }];
  });
  const rows = await moveNodes(unit, run, moves);
  const moved = new Map(rows.map((row) => [row.node_id, row]));
  return new Map([...nodes].map(([id, node]) => [id, { ...node, ...moved.get(id) }]));
}

function endOf({ batch_status }: NodeStanding, end: PlanEnd): Pick<NodeMove, "status" | "reason"> {
  const isOver = batch_status !== null && batch_status !== "running";
  // A parent that ends cancels its batches in the same transaction, after this.
  return isOver
    ? { status: batch_status }
    : { status: "canceled", reason: end.cause === "parent_ended" ? "the plan was stopped" : undefined };
}

const PERSONS_TURN = `SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns
  WHERE project_id = $1 AND agent_turn_id = $2 AND ended_at IS NULL FOR UPDATE`;

async function tellParent(unit: Unit, standing: PlanStanding, status: PlanEndStatus): Promise<void> {
  const { run } = standing;
  if (run.parent_tool_call_id !== null) return wakeAgent(unit, standing, run.parent_tool_call_id, status);
  const [row] = await unit.query<TurnRow>("plan_person", PERSONS_TURN, [run.project_id, run.parent_turn_id]);
  if (!row) return;
  const { delivered_count, node_count } = countNodes([...standing.nodes.values()]);
  await endTurn(unit, {
    row,
    status,
    content: { kind: "json", data: JSON.parse(JSON.stringify({ kind: "plan", ...toldOf(standing, status) })) },
    note: `plan ${status}: ${delivered_count} of ${node_count} nodes delivered`,
  });
}

async function wakeAgent(
  unit: Unit,
  standing: PlanStanding,
  tool_call_id: string,
  status: PlanEndStatus,
): Promise<void> {
  const { project_id, parent_turn_id, plan_run_id } = standing.run;
  const failed = status === "success" || status === "partial" ? undefined : status;
  const result = { plan_run_id, ...toldOf(standing, status) };
  const content: Extract<CardContent, { kind: "tool_result" }> = {
    kind: "tool_result",
    status,
    after_execution: "suspend",
    result: JSON.parse(JSON.stringify(result)),
    ...(failed && {
      error: { code: `plan_${failed}`, message: `the plan ended ${failed}`, detail: { plan_run_id, status } },
    }),
  };
  await postResults(unit, {
    project_id,
    results: [
      {
        agent_turn_id: parent_turn_id,
        tool_call_id,
        message_type: "tool_result",
        author_id: `tool.${LAUNCH_PLAN}`,
        content,
        metadata: { function_name: LAUNCH_PLAN, plan_run_id },
      },
    ],
  });
}

/** What the parent is told of it: each node, and the result. */
function toldOf({ run, plan, nodes }: PlanStanding, status: PlanEndStatus) {
  const told = toldNodes(plan.nodes.flatMap((node) => nodes.get(node.id) ?? []).map(nodeTold));
  const result = plan.result === undefined ? undefined : resultOf(plan, nodes);
  return { plan: plan.name, version: run.version ?? undefined, sha256: run.sha256, status, ...told, result };
}

function nodeTold({ node_id, status, reason, batch_id, tasks }: NodeStanding): ToldNode {
  const [only] = tasks?.length === 1 ? tasks : [];
  const ids = only?.agent_turn_id ? { agent_turn_id: only.agent_turn_id } : batch_id === null ? {} : { batch_id };
  return { id: node_id, status, ...ids, summary: only?.summary ?? undefined, reason: reason ?? undefined };
}

function resultOf(plan: Plan, nodes: PlanStanding["nodes"]) {
  const tasks = nodes.get(plan.result ?? "")?.tasks ?? [];
  const [only] = tasks.length === 1 ? tasks : [];
  if (!only) return undefined;
  return {
    summary: only.summary ?? undefined,
    output_box_id: only.output_box_id ?? undefined,
    agent_turn_id: only.agent_turn_id ?? undefined,
  };
}
