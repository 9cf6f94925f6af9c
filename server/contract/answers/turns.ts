// Turns as the API returns them: as a line of a list, in full, and the request sent to a model.
import * as z from "zod";
import { ArtifactRef } from "../artifact";
import { Role } from "../card";
import { turnStatuses } from "../turn";
import { Card } from "./cards";

const TurnStatus = z.enum(turnStatuses).meta({ id: "TurnStatus" });
export const EndStatus = z.enum(["success", "partial", "failed", "timeout", "canceled"]).meta({ id: "EndStatus" });
export const TargetStrategy = z.enum(["new", "reuse", "clone"]).meta({ id: "TargetStrategy" });
export const Primitive = z
  .enum(["fork_join", "ask_expert", "import", "ui_action", "delegate_async", "launch_principal"])
  .meta({ id: "Primitive" });
const ForkedFrom = z
  .strictObject({
    agent_turn_id: z.string(),
    root_turn_id: z.string(),
    headcode: z.string(),
    step_id: z.string(),
    ordinal: z.number(),
    replaced: z
      .array(
        z.strictObject({
          card_id: z.string(),
          with: z.string(),
        }),
      )
      .describe("What the person changed."),
    dropped: z.array(z.string()),
    followed: z
      .array(
        z.strictObject({
          card_id: z.string(),
          with: z.string().optional(),
        }),
      )
      .describe("What changed along with it: the other half of a tool call. Without `with` it was left out."),
  })
  .meta({ id: "ForkedFrom" });
export const Turn = z
  .strictObject({
    kind: z.literal("turn"),
    id: z.string(),
    rev: z.number(),
    agent_turn_id: z.string(),
    agent_id: z.string(),
    profile_name: z.string().describe("Absent for a person."),
    worker_target: z.string(),
    is_human: z.boolean(),
    status: TurnStatus,
    turn_epoch: z.number(),
    attempt: z.number(),
    parent_turn_id: z.string().optional(),
    root_turn_id: z.string(),
    primitive: Primitive,
    target_strategy: TargetStrategy.optional(),
    depth: z.number(),
    trace_id: z.string(),
    batch_task_id: z.string().optional(),
    batch_id: z
      .string()
      .optional()
      .describe("Set on a branch of a fork: its batch, and its index among the tasks, from 0."),
    task_index: z.number().optional(),
    headcode: z.string(),
    title: z.string().describe("First line of the instruction."),
    note: z.string().optional().describe("What it is doing or how it ended, in a few words."),
    profile_box_id: z.string(),
    context_box_id: z.string(),
    output_box_id: z.string().optional(),
    output_start: z.number().optional(),
    instruction_card_id: z.string().optional(),
    deliverable_card_id: z.string().optional(),
    step_count: z.number(),
    context_cards: z.number(),
    context_tokens: z.number(),
    context_consist: z.string(),
    output_cards: z.number(),
    output_tokens: z.number(),
    output_consist: z.string(),
    window_tokens: z.number().optional().describe("Of its model; absent if unknown."),
    sent_tokens: z.number().optional().describe("Estimated, of its last request; absent if none was sent."),
    fullest_tokens: z.number().optional().describe("Of its largest request."),
    tokens_in: z.number(),
    tokens_out: z.number(),
    cost: z.number().optional(),
    error_code: z.string().optional(),
    error: z.string().optional(),
    mark: z
      .strictObject({
        kind: z.literal("mistake"),
        card_id: z.string(),
        reason: z.string(),
      })
      .optional()
      .describe("The import marks this step as the mistake."),
    forked_from: ForkedFrom.optional().describe("Set if it continues from a step of another turn."),
    lease_holder: z.string().optional(),
    heartbeat_at: z.string().optional(),
    created_at: z.string(),
    leased_at: z.string().optional(),
    started_at: z.string().optional(),
    ended_at: z.string().optional(),
  })
  .meta({ id: "Turn" });
export const TurnRef = z
  .strictObject({
    status: TurnStatus,
    profile_name: z.string().describe("Absent for a person."),
    agent_id: z.string(),
    root_turn_id: z.string(),
    agent_turn_id: z.string(),
    title: z.string().describe("First line of the instruction."),
    headcode: z.string(),
    is_human: z.boolean(),
    created_at: z.string(),
  })
  .meta({ id: "TurnRef" });
export const ChainLink = z
  .strictObject({
    agent_turn_id: z.string(),
    agent_id: z.string(),
    headcode: z.string(),
    profile_name: z.string(),
    display_name: z.string().optional(),
    is_human: z.boolean(),
  })
  .meta({ id: "ChainLink" });
const Usage = z
  .strictObject({
    input_tokens: z.number().optional(),
    output_tokens: z.number().optional(),
    cached_input_tokens: z.number().optional(),
    cache_write_tokens: z.number().optional(),
    reasoning_tokens: z.number().optional(),
    is_scripted: z.boolean().optional().describe("The scripted model ran: no provider counted these."),
  })
  .meta({ id: "Usage" });
export const Step = z
  .strictObject({
    step_id: z.string(),
    agent_turn_id: z.string(),
    ordinal: z.number(),
    status: z.enum(["failed", "started", "completed"]),
    request_box_id: z.string().optional(),
    request_sha256: z.string().optional(),
    request_tokens: z.number().optional(),
    tool_call_ids: z.array(z.string()),
    usage: Usage.optional().describe(
      "As the provider reports it. Input includes cached tokens, output includes thinking.",
    ),
    cost: z.number().optional(),
    note: z.string().optional(),
    error: z.string().optional(),
    started_at: z.string(),
    ended_at: z.string().optional(),
  })
  .meta({ id: "Step" });
const TurnBox = z
  .strictObject({
    role: z.enum(["output", "context", "profile"]),
    box_id: z.string(),
    length: z.number(),
    token_sum: z.number(),
  })
  .meta({ id: "TurnBox" });
const Subtree = z
  .strictObject({
    turns: z.number().describe("Including the turn itself."),
    live: z.number().describe("How many have not ended."),
    tokens_in: z.number().describe("As reported by the worker that ran the model."),
    tokens_out: z.number(),
    request_tokens: z.number().describe("As estimated before each request was sent."),
    cost: z.number().optional().describe("Absent if no turn has a price."),
    unpriced: z.number().describe("Turns that used tokens and have no price. The cost leaves them out."),
  })
  .meta({ id: "Subtree" });
const WaitingCall = z
  .strictObject({
    tool_call_id: z.string(),
    tool_name: z.string(),
    deadline_at: z.string().optional().describe("ISO 8601; absent = none."),
    is_received: z.boolean().describe("Its result has arrived and waits for the others."),
    batch_id: z.string().optional(),
  })
  .meta({ id: "WaitingCall" });
export const LateFrame = z
  .strictObject({
    kind: z.literal("rejected_late"),
    id: z.string(),
    rev: z.number(),
    agent_turn_id: z.string(),
    turn_epoch: z.number(),
    current_epoch: z.number(),
    what: z.string(),
    worker_id: z.string().optional(),
    created_at: z
      .string()
      .optional()
      .describe("When it was refused. Absent until the frame has arrived from the journal."),
  })
  .meta({ id: "LateFrame" });
export const TurnDetail = Turn.extend({
  chain: z.array(ChainLink),
  steps: z.array(Step),
  boxes: z.array(TurnBox),
  children: z.array(z.string()),
  subtree: Subtree,
  instruction: Card.optional(),
  deliverable: Card.optional(),
  context_origins: z.array(
    z.strictObject({
      origin: z.string(),
      cards: z.number(),
      tokens: z.number(),
    }),
  ),
  context_packs: z
    .array(z.strictObject({ sha256: z.string(), code: z.string() }))
    .describe("The context packs in its context, each once; at most 20."),
  profile_cards: z.number(),
  profile_tokens: z.number(),
  queue_ahead: z.number(),
  waiting: z.array(WaitingCall).describe("In the order they were called."),
  late: z.array(LateFrame).describe("Refused writes of an old epoch, newest first."),
}).meta({ id: "TurnDetail" });
export const OfferedTool = z
  .strictObject({
    tool_name: z.string(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "OfferedTool" });
export const NextRequest = z
  .strictObject({
    system: z.string(),
    messages: z.array(
      z.strictObject({
        text: z.string(),
        role: Role,
        tool_calls: z.array(z.unknown()).optional(),
        tool_call_id: z.string().optional(),
        pictures: z.array(ArtifactRef).optional(),
        model_state: z
          .unknown()
          .optional()
          .describe("What this model needs sent back with the message: signatures, thinking. Nothing else reads it."),
      }),
    ),
    tools: z.array(OfferedTool),
    tools_tokens: z.number().describe("Of the tool definitions alone."),
    tokens: z.number().describe("Estimated for system, messages and tools together, as a provider counts them."),
    card_ids: z.array(z.string()).describe("Cards that the messages were built from, in order."),
  })
  .meta({ id: "NextRequest" });
export const StepRequest = z
  .strictObject({
    agent_turn_id: z.string(),
    step_id: z.string(),
    ordinal: z.number(),
    request_box_id: z.string(),
    cards: z.array(Card),
    request_text: z
      .string()
      .optional()
      .describe("The serialised request as it was sent, if the model was called over the network."),
    request_sha256: z.string().optional(),
    request_tokens: z.number().optional(),
  })
  .meta({ id: "StepRequest" });
