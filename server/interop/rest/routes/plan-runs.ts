// Runs of plans: how their nodes stand, and what a person decides of them. A plan is launched by POST /pmo/launch_plan:call.
import * as z from "zod";
import { LaunchResult } from "@/server/contract/answers/launches";
import { listAnswer } from "@/server/contract/answers/page";
import { ForkPlanCheck, PlanRun, PlanRunDetail } from "@/server/contract/answers/plans";
import { batchStatuses } from "@/server/contract/batch";
import { Id, User } from "@/server/contract/ids";
import { EditRunInput, ForkRunInput } from "@/server/contract/plan/plan-record";
import { hasBadText } from "@/server/contract/text";
import { forkPlanRun, previewForkPlanRun } from "@/server/kernel/launch/fork-plan-run";
import { releaseNode, skipNode } from "@/server/kernel/plan/decide-node";
import { editPlanRun } from "@/server/kernel/plan/edit-plan-run";
import { listPlanRuns, readPlanRun } from "@/server/kernel/plan/read-plan-runs";
import { readPlan } from "@/server/kernel/plan/read-plans";
import { retryNode } from "@/server/kernel/plan/retry-node";
import { retryTask } from "@/server/kernel/plan/retry-task";
import { stopPlanRun } from "@/server/kernel/plan/stop-plan-run";
import { readProject } from "@/server/kernel/roster/read-project";
import { id, route } from "../route";

const keyOf = (params: Record<string, string>) => ({
  project_id: id(params, "project_id"),
  plan_run_id: id(params, "plan_run_id"),
});
const Reason = z
  .string()
  .trim()
  .max(2_000)
  .refine((text) => !hasBadText(text), { error: "contains a NUL byte or half a surrogate pair; remove it" })
  .optional();
const NodeBody = z.strictObject({ node: Id, reason: Reason, user: User });
const path = (verb: string) => `/projects/{project_id}/plan-runs/{plan_run_id}:${verb}`;

export const planRunRoutes = [
  route({
    operationId: "listPlanRuns",
    method: "GET",
    path: "/projects/{project_id}/plan-runs",
    summary: "List the newest 200 runs of plans; `plan` is a plan's name",
    query: z.strictObject({
      plan: z.string().max(120).optional(),
      status: z.enum(batchStatuses).optional(),
      root_turn_id: Id.optional(),
    }),
    answer: listAnswer(PlanRun),
    call: async ({ kernel, params, query: { plan, ...filter } }) => {
      const project_id = id(params, "project_id");
      await readProject(kernel, project_id);
      const plan_id = plan === undefined ? undefined : (await readPlan(kernel, { project_id, name: plan })).plan_id;
      return { items: await listPlanRuns(kernel, { project_id, plan_id, ...filter }) };
    },
  }),
  route({
    operationId: "getPlanRun",
    method: "GET",
    path: "/projects/{project_id}/plan-runs/{plan_run_id}",
    summary: "Get a run of a plan with its body and its nodes, in the order of the plan",
    answer: PlanRunDetail,
    call: ({ kernel, params }) => readPlanRun(kernel, keyOf(params)),
  }),
  route({
    operationId: "releasePlanNode",
    method: "POST",
    path: path("release"),
    summary: "Let a node start that is held",
    body: NodeBody.omit({ reason: true }).strict(),
    answer: PlanRunDetail,
    call: async ({ kernel, params, body }) => {
      await releaseNode(kernel, { ...keyOf(params), node_id: body.node, by: body.user });
      return readPlanRun(kernel, keyOf(params));
    },
  }),
  route({
    operationId: "skipPlanNode",
    method: "POST",
    path: path("skip"),
    summary: "Skip a node that waits or is held",
    body: NodeBody,
    answer: PlanRunDetail,
    call: async ({ kernel, params, body }) => {
      await skipNode(kernel, { ...keyOf(params), node_id: body.node, by: body.user, reason: body.reason });
      return readPlanRun(kernel, keyOf(params));
    },
  }),
  route({
    operationId: "retryPlanNode",
    method: "POST",
    path: path("retry"),
    summary:
      "Retry a node that failed, timed out, was canceled or skipped, while its run runs. What it had skipped waits again. With `task`, retry one task of a fork that still runs",
    body: z.strictObject({ node: Id, task: Id.optional(), user: User }),
    answer: PlanRunDetail,
    call: async ({ kernel, params, body }) => {
      const node = { ...keyOf(params), node_id: body.node };
      if (body.task === undefined) await retryNode(kernel, node);
      else await retryTask(kernel, { ...node, task: body.task, by: `human_${body.user}` });
      return readPlanRun(kernel, keyOf(params));
    },
  }),
  route({
    operationId: "editPlanRun",
    method: "POST",
    path: path("edit"),
    summary:
      "Change what has not started yet in a run of a plan: operations on its body, all or none. An older `body_rev` is 409 with the body",
    body: EditRunInput,
    answer: PlanRunDetail,
    call: async ({ kernel, params, body: { user, ...edit } }) => {
      await editPlanRun(kernel, { ...keyOf(params), ...edit, by: user });
      return readPlanRun(kernel, keyOf(params));
    },
  }),
  route({
    operationId: "forkPlanRun",
    method: "POST",
    path: path("fork"),
    summary:
      "Run a plan run again with other operations: what is the same takes its recorded result and makes no turn. `dry_run` lists what runs and what is replayed, with reasons",
    body: ForkRunInput,
    answer: z.union([LaunchResult, ForkPlanCheck]),
    call: async ({ kernel, params, body: { dry_run, ...fork } }) =>
      dry_run
        ? previewForkPlanRun(kernel, { ...keyOf(params), ...fork })
        : forkPlanRun(kernel, { ...keyOf(params), ...fork }),
  }),
  route({
    operationId: "stopPlanRun",
    method: "POST",
    path: path("stop"),
    summary:
      "Stop a run of a plan with everything it has started. An agent that launched it goes on and is told; a run that has ended is 409",
    body: z.strictObject({ reason: Reason, user: User }),
    answer: PlanRunDetail,
    call: async ({ kernel, params, body }) => {
      const key = keyOf(params);
      await stopPlanRun(kernel, { ...key, reason: body.reason, by: body.user });
      return readPlanRun(kernel, key);
    },
  }),
];
