// Plans, their versions, drafts and runs as the API returns them.
import * as z from "zod";
import { batchStatuses } from "../batch";
import { Layout, PlanShape } from "../plan/plan";
import { planNodeStatuses } from "../plan/plan-run";

const Body = PlanShape.omit({ layout: true }).meta({ id: "PlanBody" });
const PlanLayout = Layout.meta({ id: "PlanLayout" });

export const PlanRecord = z
  .strictObject({
    plan_id: z.string(),
    name: z.string(),
    description: z.string(),
    head_version: z.number().describe("The newest version."),
    archived_at: z.string().optional(),
    created_by: z.string(),
    rev: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Plan" });

export const PlanVersionLine = z
  .strictObject({
    plan_id: z.string(),
    version: z.number(),
    sha256: z.string().describe("Of the canonical body, without its layout."),
    message: z.string(),
    created_by: z.string(),
    created_at: z.string(),
  })
  .meta({ id: "PlanVersionLine" });

export const PlanVersion = PlanVersionLine.extend({ body: Body, layout: PlanLayout })
  .strict()
  .meta({ id: "PlanVersion" });

export const PublishedPlan = z.strictObject({ plan: PlanRecord, version: PlanVersion }).meta({ id: "PublishedPlan" });

export const PlanDraft = z
  .strictObject({
    draft_id: z.string(),
    plan_id: z.string().optional().describe("Absent = never published."),
    user: z.string(),
    base_version: z.number().optional(),
    body: Body,
    layout: PlanLayout,
    rev: z.number().describe("Send it back with the next write."),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "PlanDraft" });

export const PlanRun = z
  .strictObject({
    plan_run_id: z.string(),
    parent_turn_id: z.string(),
    parent_tool_call_id: z.string().optional().describe("The call of an agent; absent = a person launched it."),
    root_turn_id: z.string(),
    plan_id: z.string().optional().describe("Absent = a body that was not published."),
    version: z.number().optional(),
    name: z.string(),
    body_rev: z.number(),
    sha256: z.string(),
    is_stepped: z.boolean(),
    status: z.enum(batchStatuses),
    deadline_at: z.string().optional(),
    rev: z.number(),
    created_at: z.string(),
    ended_at: z.string().optional(),
  })
  .meta({ id: "PlanRun" });

export const PlanRunNode = z
  .strictObject({
    plan_run_id: z.string(),
    node_id: z.string(),
    status: z.enum(planNodeStatuses),
    try: z.number().describe("From 1; each try is a batch of its own."),
    headcodes: z.array(z.string()).describe("Kept at the launch, one for each turn it will be."),
    batch_id: z.string().optional(),
    request_id: z.string().optional().describe("The request that a person decides, while it is held."),
    reason: z.string().optional().describe("Why it is held, skipped or failed."),
    error_code: z.string().optional(),
    next_retry_at: z.string().optional(),
    rev: z.number(),
    started_at: z.string().optional(),
    ended_at: z.string().optional(),
  })
  .meta({ id: "PlanRunNode" });

export const PlanRunDetail = PlanRun.extend({ body: Body, layout: PlanLayout, nodes: z.array(PlanRunNode) })
  .strict()
  .meta({ id: "PlanRunDetail" });

const PlanProblem = z
  .strictObject({
    code: z.string(),
    severity: z.enum(["error", "warning"]),
    at: z.string().describe("A node, fork.task, or what it stands on there. Empty = the plan as a whole."),
    path: z.string().describe("In the body."),
    message: z.string(),
    fixes: z.array(z.unknown()).optional().describe("Operations that take the problem away."),
  })
  .meta({ id: "PlanProblem" });
export const PlanCheck = z.strictObject({ ok: z.boolean(), problems: z.array(PlanProblem) }).meta({ id: "PlanCheck" });
