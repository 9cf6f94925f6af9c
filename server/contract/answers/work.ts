// What a worker gets back: claimed work and the results it waited for.
import * as z from "zod";
import { AfterExecution, Card } from "./cards";
import { MessageType } from "./inbox";
import { Turn } from "./turns";

const AppliedResult = z
  .strictObject({
    tool_call_id: z.string(),
    card: Card,
    after_execution: AfterExecution,
  })
  .meta({ id: "AppliedResult" });
export const SuspendResult = z
  .strictObject({
    status: z.enum(["running", "suspended"]),
    deadline: z.string().optional(),
    results: z.array(AppliedResult),
    waiting: z.array(z.string()).describe("Calls that still have no result."),
  })
  .meta({ id: "SuspendResult" });
export const ClaimedWork = z
  .strictObject({
    inbox: z.strictObject({
      inbox_id: z.string(),
      message_type: MessageType,
      correlation_id: z.string().describe("A turn: its id. A result: the id of the call."),
      agent_id: z.string(),
      agent_turn_id: z.string(),
      turn_epoch: z.number(),
      worker_target: z.string(),
      attempt: z.number(),
      retry_count: z.number(),
      defer_reason: z.string().optional(),
      context_headers: z.record(z.string(), z.unknown()),
      payload: z.record(z.string(), z.unknown()).describe("Pointers only."),
      created_at: z.string(),
    }),
    turn: Turn,
    epoch: z.number(),
    boxes: z.strictObject({
      profile_box_id: z.string(),
      context_box_id: z.string(),
      output_box_id: z.string().optional(),
    }),
  })
  .meta({ id: "ClaimedWork" });

export const CallResult = z
  .union([
    z.strictObject({
      tool_call_id: z.string(),
      mode: z.literal("inline"),
      result: z.unknown(),
      status: z.enum(["success", "failed"]),
      card_id: z.string(),
      deliverable_card_id: z
        .string()
        .optional()
        .describe("Only from submit_result: the turn has ended with this deliverable."),
    }),
    z.strictObject({
      tool_call_id: z.string(),
      mode: z.literal("suspend"),
      deadline: z.string().optional(),
      batch_id: z.string().optional(),
    }),
  ])
  .meta({ id: "CallResult" });
export const ResumeResult = z
  .strictObject({
    epoch: z.number(),
    status: z.enum(["running", "suspended", "deferred", "ignored"]),
    results: z.array(AppliedResult),
    waiting: z.array(z.string()),
    reason: z.string().optional(),
  })
  .meta({ id: "ResumeResult" });
