// What a launch, its dry run and a packed hand-over return.
import * as z from "zod";
import { ArtifactRef } from "../artifact";
import { Role } from "../card";
import { TaskStatus } from "./batches";
import { Receipt } from "./boxes";
import { OfferedTool } from "./turns";

export const Rendered = z
  .strictObject({
    system: z.string(),
    messages: z.array(
      z.strictObject({
        role: z.string(),
        text: z.string(),
        card_ids: z.array(z.string()),
        tokens: z.number(),
        pictures: z.array(ArtifactRef).optional(),
      }),
    ),
    tokens: z.number(),
    tools: z.array(OfferedTool),
    tools_tokens: z.number().describe("Of the tool definitions alone."),
    window_tokens: z.number().nullable().describe("Null if unknown."),
    unasked_servers: z
      .array(z.string())
      .describe("MCP servers whose tools no worker has listed yet. They are not in `tools`."),
  })
  .meta({ id: "Rendered" });
export const PackResult = z
  .strictObject({
    context_box_id: z.string().optional().describe("Absent in a dry run."),
    target_profile_box_id: z.string(),
    card_ids: z.array(z.string()),
    receipt: Receipt,
    preview: z
      .array(
        z.strictObject({
          type: z.string(),
          card_id: z.string(),
          role: Role,
          token_count: z.number().describe("Estimated tokens (o200k) of what is sent to a model."),
          origin: z.string(),
          text: z.string(),
          is_new: z.boolean(),
        }),
      )
      .optional()
      .describe("Only in a dry run: the cards in the order they would be packed, including new ones."),
    rendered: Rendered.optional(),
  })
  .meta({ id: "PackResult" });
const DelegateResult = z
  .strictObject({
    status: z.literal("accepted"),
    agent_id: z.string(),
    agent_turn_id: z.string(),
    turn_epoch: z.number().nullable().describe("null = queued behind another turn of that agent."),
    context_box_id: z.string(),
    output_box_id: z.string().nullable(),
  })
  .meta({ id: "DelegateResult" });
const ForkResult = z
  .strictObject({
    status: z.literal("suspended"),
    batch_id: z.string(),
    tool_call_id: z.string(),
    task_count: z.number(),
    deadline: z.string().optional().describe("ISO 8601; absent = none."),
    tasks: z.array(
      z.strictObject({
        task_index: z.number(),
        batch_task_id: z.string(),
        agent_id: z.string(),
        agent_turn_id: z.string().optional(),
        status: TaskStatus,
      }),
    ),
  })
  .meta({ id: "ForkResult" });
const ProvisionResult = z
  .strictObject({
    status: z.literal("accepted"),
    agent_id: z.string(),
    roster_updated: z.boolean(),
  })
  .meta({ id: "ProvisionResult" });
const LaunchPlanResult = z
  .strictObject({
    status: z.literal("suspended"),
    plan_run_id: z.string(),
    nodes: z
      .array(z.strictObject({ node_id: z.string(), headcodes: z.array(z.string()) }))
      .describe("With the codes that their turns will have."),
  })
  .meta({ id: "LaunchPlanResult" });
export const LaunchResult = z
  .strictObject({
    result: z.union([DelegateResult, ForkResult, ProvisionResult, LaunchPlanResult]),
    agent_turn_id: z.string().describe("The root turn of the person who launched it: the run's id."),
    root_turn_id: z.string(),
    is_replay: z.boolean().describe("True when this action_id was launched before."),
  })
  .meta({ id: "LaunchResult" });
const LaunchTarget = z
  .strictObject({
    agent_id: z.string().optional(),
    profile_name: z.string(),
    profile_box_id: z.string(),
    worker_target: z.string(),
    needs_own_worker: z.boolean().describe("The profile names no model. Only a worker of your own takes the turn."),
    is_new: z.boolean(),
  })
  .meta({ id: "LaunchTarget" });
const previewTarget = {
  target: LaunchTarget,
  queue_ahead: z.number().describe("Turns that would run before the new one."),
  worker_count: z.number().describe("Workers that could take the turn now."),
};
export const Refused = z.strictObject({
  ok: z.literal(false),
  error_code: z.string(),
  error: z.string(),
  field: z.string().optional(),
});
/** A dry run returns 200 even if the launch would be refused, with the reason. */
export const LaunchPreview = z
  .union([z.strictObject({ ok: z.literal(true), pack: PackResult, ...previewTarget }), Refused])
  .meta({ id: "LaunchPreview" });
const TaskPreview = z
  .strictObject({
    task_index: z.number(),
    ...previewTarget,
    pack: PackResult.omit({ preview: true, rendered: true }).extend({
      length: z.number().describe("Cards in the context."),
      token_sum: z.number(),
      consist: z.string(),
    }),
    request: Rendered.pick({ tokens: true, tools_tokens: true, window_tokens: true, unasked_servers: true })
      .optional()
      .describe("What the first request would weigh, with the prompt, the tools and an agent's memory."),
  })
  .meta({ id: "TaskPreview" });
/** Of fork_join and ask_expert. */
export const ForkPreview = z
  .union([z.strictObject({ ok: z.literal(true), tasks: z.array(TaskPreview) }), Refused])
  .meta({ id: "ForkPreview" });
