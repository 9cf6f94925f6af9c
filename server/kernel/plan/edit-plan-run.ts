// Edits a run that runs: what is not packed may still change (K22). One unit under the run's row: apply, check what changed and
// what follows it, write the body, its nodes and a record of the edit. Who starts a node and who edits it race for the row.

import { KernelError } from "@/server/contract/errors";
import { checkGraph, inStartingOrder } from "@/server/contract/plan/check-graph";
import { type EditedRun, editRun } from "@/server/contract/plan/edit-run";
import { changed } from "@/server/contract/plan/fork-run";
import { graphOf } from "@/server/contract/plan/graph";
import { laidOut } from "@/server/contract/plan/lay-out-plan";
import type { PlanOpInput } from "@/server/contract/plan/op";
import { Layout, PLAN_BYTES_MAX, type Plan, type PlanNode } from "@/server/contract/plan/plan";
import { nodeIdOf, ridersOf } from "@/server/contract/plan/plan-words";
import { placeOfProblem } from "@/server/contract/plan/problem";
import { sameJson } from "@/server/contract/same-json";
import { refuseBadText } from "@/server/contract/text";
import { columnsOf } from "../columns";
import { type HumanRequestRow, humanRequestFrame, REQUEST_COLUMNS } from "../inbox/human-request-row";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { addNodes } from "./add-nodes";
import { checkIn } from "./check-plan";
import { hashPlan } from "./hash-plan";
import { lockPlan, type PlanStanding } from "./lock-plan";
import { refuseEnded } from "./no-plan-run";
import { advanceAfter } from "./on-turns-ended";
import { callerOf } from "./plan-caller";
import { PLAN_RUN_FRAME_COLUMNS, type PlanRunFrameRow, type PlanRunKey, planRunFrame } from "./plan-row";
import { refuseProblems } from "./refuse-problems";
import { moveNodes } from "./write-nodes";

export type EditPlanRun = PlanRunKey & {
  /** Of the body that the operations were made on. */
  body_rev: number;
  ops: readonly PlanOpInput[];
  reason: string;
  by: string;
};

/**
 * not_found; conflict for a run that has ended, and for an older body_rev with the body in `detail`; packed for a node that has
 * started; bad_request for an operation that does not fit; invalid_plan with all problems of what changed and what follows.
 */
export async function editPlanRun(kernel: Kernel, input: EditPlanRun): Promise<void> {
  refuseBadText(input.ops, "ops");
  refuseBadText(input.reason, "reason");
  await withUnit(kernel, async (unit) => {
    const standing = await lockPlan(unit, input);
    if (!standing) return refuseEnded(unit, input);
    const layout = await readLayout(unit, input);
    const plan = { ...standing.plan, layout };
    refuseOld(input, standing, plan);
    const edited = apply(input, standing, plan);
    await refuseUnfit(unit, standing, edited);
    await unit.probe("plan-edit-checked");
    await write(unit, input, standing, edited);
    await advanceAfter(unit, input);
  });
}

const LAYOUT = "SELECT layout FROM state.plan_runs WHERE project_id = $1 AND plan_run_id = $2";

async function readLayout(unit: Unit, { project_id, plan_run_id }: PlanRunKey): Promise<Layout> {
  const [row] = await unit.query<{ layout: unknown }>("plan_layout", LAYOUT, [project_id, plan_run_id]);
  return Layout.parse(row?.layout ?? {});
}

function refuseOld({ body_rev, plan_run_id }: EditPlanRun, { run }: PlanStanding, plan: Plan): void {
  if (run.body_rev === body_rev) return;
  const { layout, ...body } = plan;
  throw new KernelError(
    "conflict",
    `body_rev: run ${plan_run_id} is at ${run.body_rev}, and this edit was made from ${body_rev}. Apply it to the body in detail`,
    { path: "body_rev", body_rev: run.body_rev, body, layout },
  );
}

function apply({ ops }: EditPlanRun, { nodes }: PlanStanding, plan: Plan): EditedRun {
  const edited = editRun(plan, (id) => nodes.get(id)?.status, ops);
  if (!("refusal" in edited)) return withSize(edited);
  const { refusal, code, index } = edited;
  const path = [index === undefined ? "" : `ops.${index}`, refusal.path].filter((part) => part !== "").join(".");
  if (code === "packed") throw new KernelError("packed", refusal.message, { path: refusal.path });
  throw new KernelError("bad_request", `${path}: ${refusal.message}`, { path });
}

function withSize(edited: EditedRun): EditedRun {
  const bytes = Buffer.byteLength(JSON.stringify(edited.plan));
  if (bytes <= PLAN_BYTES_MAX) return edited;
  throw new KernelError("payload_too_large", `the plan would be ${bytes} bytes, at most ${PLAN_BYTES_MAX}`);
}

async function refuseUnfit(unit: Unit, { run }: PlanStanding, { plan, added, changed }: EditedRun): Promise<void> {
  const touched = withFollowers(plan, [...added, ...changed]);
  const graph = checkGraph(plan, { fork_tasks_max: unit.kernel.tunables.forkTasksMax });
  // A plan without a wagon is one that has nothing left to do.
  refuseProblems(graph.filter(({ code }) => code !== "empty"));
  if (touched.size === 0) return;
  const caller = { ...(await callerOf(unit, run)), letters: {} };
  const texts = Object.fromEntries(
    Object.entries(run.inputs).flatMap(([name, { text, box_id, ...given }]) => {
      const value = text ?? box_id ?? ("card_id" in given ? given.card_id : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const { problems } = await checkIn(unit, {
    project_id: run.project_id,
    plan,
    caller,
    inputs: texts,
    nodes: [...touched],
    is_launch: true,
    is_fork: run.forked_from !== null,
  });
  const ofThese = problems.filter(({ at }) => at !== "" && touched.has(nodeIdOf(placeOfProblem(at))));
  refuseProblems(inStartingOrder(graphOf(plan), ofThese));
}

function withFollowers(plan: Plan, ids: readonly string[]): Set<string> {
  const { followers } = graphOf(plan);
  const seen = new Set(ids);
  for (const id of seen) for (const next of followers.get(id) ?? []) seen.add(next);
  return seen;
}

const EDIT = `
  WITH noted AS (
    INSERT INTO state.plan_run_edits (project_id, plan_run_id, n, by, ops, reason)
    SELECT $1, $2, coalesce(max(e.n), 0) + 1, $3, $4::jsonb, $5 FROM state.plan_run_edits e
    WHERE e.project_id = $1 AND e.plan_run_id = $2
  ), asked AS (
    UPDATE state.human_requests q SET status = 'dropped', decided_at = now(), rev = q.rev + 1
    WHERE q.project_id = $1 AND q.request_id = ANY ($9::text[]) AND q.status = 'open' RETURNING ${columnsOf(REQUEST_COLUMNS, "q")}
  ), edited AS (
    UPDATE state.plan_runs SET body = $6::jsonb, layout = $7::jsonb, sha256 = $8, body_rev = body_rev + 1, rev = rev + 1,
      is_at_rest = false, deadline_at = created_at + $10 * interval '1 ms'
    WHERE project_id = $1 AND plan_run_id = $2 AND status = 'running' RETURNING ${columnsOf(PLAN_RUN_FRAME_COLUMNS, "plan_runs")}
  )
  SELECT (SELECT to_jsonb(e) FROM edited e) AS run, (SELECT jsonb_agg(to_jsonb(a)) FROM asked a) AS requests`;

async function write(unit: Unit, input: EditPlanRun, standing: PlanStanding, edited: EditedRun): Promise<void> {
  const { project_id, plan_run_id, by, ops, reason } = input;
  const { plan, added, changed: altered, removed } = edited;
  const { layout: _, ...body } = plan;
  const touched = [...altered, ...removed].flatMap((id) => standing.nodes.get(id) ?? []);
  const held = touched.filter(({ status }) => status === "held");
  const { deadline_seconds } = plan.limits;
  const [made] = await unit.query<{ run: PlanRunFrameRow | null; requests: HumanRequestRow[] | null }>(
    "plan_edit",
    EDIT,
    [
      project_id,
      plan_run_id,
      by,
      JSON.stringify(ops),
      reason,
      JSON.stringify(body),
      JSON.stringify(laidOut(plan)),
      hashPlan(plan),
      held.flatMap(({ request_id }) => request_id ?? []),
      deadline_seconds === undefined ? null : Math.round(deadline_seconds * 1000),
    ],
  );
  if (!made?.run) throw new Error(`plan run ${plan_run_id} was locked and could not be edited`);
  unit.frame(project_id, planRunFrame(made.run, plan.name));
  for (const request of made.requests ?? []) unit.frame(project_id, humanRequestFrame(request));
  const isOpen = (id: string) =>
    ["waiting", "held"].includes(standing.nodes.get(id)?.status ?? "") || isSwitchedOn(standing.plan, plan, id);
  await moveNodes(unit, standing.run, [
    // What a person was asked about is not what it is now: they are asked again.
    ...altered.filter(isOpen).map((node_id) => ({
      node_id,
      status: "waiting" as const,
      starts: 0,
      is_released: false,
      ...(keepsRecorded(standing.plan, plan, node_id) ? {} : { replays: null }),
    })),
    ...removed
      .filter(isOpen)
      .map((node_id) => ({ node_id, status: "skipped" as const, reason: `taken away by ${by}` })),
  ]);
  // A fork that was to take recorded results has codes for the other tasks only.
  const runsAll = (id: string) =>
    (standing.nodes.get(id)?.replays ?? null) !== null && !keepsRecorded(standing.plan, plan, id);
  const recoded = altered.filter(
    (id) => isOpen(id) && (runsAll(id) || turnsOf(standing.plan, id) !== turnsOf(plan, id)),
  );
  await addNodes(unit, { run: made.run, plan, node_ids: [...added, ...recoded] });
}

/** Of a fork of which some tasks are replayed: only its title or its hold is another. */
function keepsRecorded(before: Plan, after: Plan, id: string): boolean {
  const [was, now] = [before, after].map(({ nodes }) => nodes.find((node) => node.id === id));
  return was !== undefined && now !== undefined && changed(was, now) === null && sameTasks(was, now);
}

const sameTasks = (was: PlanNode, now: PlanNode): boolean =>
  was.kind !== "fork" || now.kind !== "fork" || sameJson(was.tasks, now.tasks);

/** It was skipped because it was switched off. */
function isSwitchedOn(before: Plan, after: Plan, id: string): boolean {
  const [was, now] = [before, after].map(({ nodes }) => nodes.find((node) => node.id === id));
  return was?.disabled === true && now?.disabled === false;
}

/** Whose turns a node will be: what its codes were kept for. */
const turnsOf = ({ nodes }: Plan, id: string): string =>
  ridersOf({ nodes: nodes.filter((node) => node.id === id) })
    .map(({ place, rider }) => `${place} ${rider.target?.strategy} ${rider.target?.ref}`)
    .join("\n");
