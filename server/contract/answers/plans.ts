// Plans, their versions, drafts and runs as the API returns them.
import * as z from "zod";
import { batchStatuses } from "../batch";
import { Role } from "../card";
import { Layout, PlanShape } from "../plan/plan";
import { planNodeStatuses } from "../plan/plan-run";
import { TaskStatus } from "./batches";
import { Rendered } from "./launches";

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
    plan_id: z.string().optional().describe("Absent = of no published plan: it was never published, or was deleted."),
    user: z.string(),
    base_version: z.number().optional(),
    body: Body,
    layout: PlanLayout,
    rev: z.number().describe("Send it back with the next write."),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "PlanDraft" });

export const PlanDraftLine = PlanDraft.omit({ body: true, layout: true })
  .extend({ name: z.string().describe("Of the plan in it; may be empty.") })
  .strict()
  .meta({ id: "PlanDraftLine" });

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
    forked_from: z.string().optional().describe("The run that it is a fork of."),
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
    replays: z
      .union([
        z.strictObject({ plan_run_id: z.string(), batch_id: z.string() }),
        z.strictObject({ tasks: z.record(z.string(), z.string()) }),
      ])
      .optional()
      .describe("Recorded results that it takes: a batch, or branches by task id."),
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

const PlanRunTurn = z
  .strictObject({
    task: z.string().optional().describe("Of a fork: the task's id."),
    status: TaskStatus,
    agent_id: z.string(),
    agent_turn_id: z.string().optional().describe("Absent until it has a turn."),
    output_box_id: z.string().optional(),
    deliverable_card_id: z.string().optional(),
  })
  .meta({ id: "PlanRunTurn" });

const NodeWithTurns = PlanRunNode.extend({
  turns: z.array(PlanRunTurn).describe("Of its current try, in the order of the tasks."),
})
  .strict()
  .meta({ id: "PlanRunNodeDetail" });

export const PlanRunDetail = PlanRun.extend({ body: Body, layout: PlanLayout, nodes: z.array(NodeWithTurns) })
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

const Estimate = z.strictObject({ low: z.number(), likely: z.number(), high: z.number() }).meta({ id: "Estimate" });
const HandOverCard = z.strictObject({
  card_id: z.string(),
  type: z.string(),
  role: Role,
  tokens: z.number(),
  text: z.string().describe("Its beginning."),
});
const HandOverEntry = z.strictObject({
  owner: z.string().describe("The place, or the fork whose tasks all load it."),
  index: z.number().describe("In that list."),
  cards: z.array(HandOverCard).describe("The first that exist and travel."),
  card_count: z.number(),
  tokens: z.number().describe("Of everything that exists."),
  estimated: Estimate.optional(),
  unknown: z.array(z.string()).describe("Places whose results nothing is known of."),
  left_out: z.array(z.strictObject({ cards: z.number(), tokens: z.number(), reason: z.string() })),
  redacted: z.number().describe("Cards that travel as a copy without their secrets."),
});
const HandOver = z
  .strictObject({
    memory: HandOverEntry.pick({ cards: true, card_count: true, tokens: true, estimated: true, unknown: true })
      .optional()
      .describe("What an agent that goes on remembers, always first."),
    entries: z.array(HandOverEntry).describe("In the order the model reads them."),
    own: z
      .array(HandOverCard.extend({ kind: z.enum(["argument", "pack", "facts", "pointer"]) }).strict())
      .describe("Made at the hand-over. The pointer is kept and never sent."),
    order: z.enum(["arguments_first", "inherited_first"]),
    recipe: z
      .strictObject({ name: z.string(), version: z.number() })
      .optional()
      .describe("Absent = the built-in recipe, or rules of its own."),
  })
  .meta({ id: "HandOver" });
const PlaceCheck = z
  .strictObject({
    place: z.string().describe("A node, or fork.task."),
    headcode: z.string().describe("The code that a launch keeps for it."),
    profile_name: z.string().optional().describe("Absent = its target is missing."),
    cards: z
      .number()
      .optional()
      .describe("Of the context box, as far as it can be packed now; absent = it is refused."),
    consist: z.string().optional(),
    tokens: z.strictObject({
      exact: z.number().describe("What exists already."),
      estimated: Estimate.optional().describe("Results that do not exist yet: by the last ones of those profiles."),
      unknown: z.array(z.string()).describe("Places whose results nothing is known of."),
    }),
    loads: z
      .strictObject({
        begins: z.number().describe("Tokens before the first entry."),
        entries: z.array(z.strictObject({ owner: z.string(), index: z.number(), tokens: z.number() })),
      })
      .optional()
      .describe("What of the consist each entry of its load is, the fork's first."),
    window_tokens: z.number().nullable().describe("Null = unknown."),
    receipt: z
      .strictObject({ included: z.number(), withheld: z.number(), redacted: z.number(), duplicate: z.number() })
      .optional()
      .describe("Cards by verdict."),
    worker_count: z.number().describe("Workers that could take its turns now."),
    queue_ahead: z.number(),
    request: Rendered.pick({ tokens: true, tools_tokens: true, window_tokens: true, unasked_servers: true })
      .optional()
      .describe("The first request, as far as it is known."),
    prompt: Rendered.optional().describe("With `detail: prompt`."),
    hand_over: HandOver.optional().describe("With `detail: prompt`: card by card, as the recipe packs it."),
  })
  .meta({ id: "PlaceCheck" });
export const PlanCheck = z
  .strictObject({
    ok: z.boolean().describe("No errors. Warnings do not refuse a launch."),
    problems: z.array(PlanProblem),
    nodes: z
      .array(PlaceCheck)
      .describe("Wagons, asks and tasks in starting order; empty if only the graph was checked."),
  })
  .meta({ id: "PlanCheck" });

export const ForkPlanCheck = z
  .strictObject({
    ok: z.boolean(),
    problems: z.array(PlanProblem),
    places: z.array(
      z.strictObject({
        place: z.string().describe("A node, or fork.task where only some tasks of a fork run."),
        verdict: z.enum(["runs", "replayed"]),
        reason: z.string(),
      }),
    ),
  })
  .meta({ id: "ForkPlanCheck" });

export const LiftedPlan = z
  .strictObject({
    body: Body,
    layout: PlanLayout,
    notes: z
      .array(z.strictObject({ at: z.string().describe("A node, or fork.task."), text: z.string() }))
      .describe("What could not be told exactly."),
  })
  .meta({ id: "LiftedPlan" });

export const PlanDiff = z
  .strictObject({
    ops: z.array(z.unknown()).describe("Applied to the first version they give the other, layout included."),
    nodes: z.array(
      z.strictObject({
        id: z.string(),
        verdict: z.enum(["added", "removed", "changed", "same"]),
        fields: z.array(z.string()).describe("Of a changed node: instruction, gate, tasks.flow, tasks.flow.load ..."),
      }),
    ),
    fields: z.array(z.string()).describe("Of the plan itself: name, inputs, limits ..."),
  })
  .meta({ id: "PlanDiff" });
