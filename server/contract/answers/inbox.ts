// Inbox rows as the API returns them, and the outcome of a message.
import * as z from "zod";
import { inboxStatuses, messageTypes } from "../inbox-line";
import { TurnRef } from "./turns";

const InboxStatus = z.enum(inboxStatuses).meta({ id: "InboxStatus" });
export const MessageType = z.enum(messageTypes).meta({ id: "MessageType" });
export const InboxLine = z
  .strictObject({
    inbox_id: z.string(),
    agent_id: z.string(),
    profile_name: z.string(),
    display_name: z.string().optional(),
    message_type: MessageType,
    correlation_id: z.string(),
    agent_turn_id: z.string().optional(),
    turn_epoch: z.number(),
    worker_target: z.string(),
    needs_own_worker: z.boolean().describe("The profile names no model. Only a worker of your own takes it."),
    is_served: z.boolean().describe("Whether a recently seen worker takes rows of this target."),
    status: InboxStatus,
    attempt: z.number(),
    retry_count: z.number(),
    next_retry_at: z.string(),
    defer_reason: z.string().optional(),
    last_error: z.string().optional(),
    claimed_by: z.string().optional(),
    processed_at: z.string().optional(),
    archived_at: z.string().optional(),
    created_at: z.string(),
    turn: TurnRef.optional().describe("What it is about."),
    behind: TurnRef.optional().describe("If queued: the turn its agent works on, and how many wait before this one."),
    queue_ahead: z.number().optional(),
    age_ms: z.number(),
    reason: z.string().describe("Why it waits or how it ended, in words."),
  })
  .meta({ id: "InboxLine" });
export const DeferResult = z
  .strictObject({
    inbox_id: z.string(),
    status: z.enum(["deferred", "consumed"]),
    retry_count: z.number().optional(),
    next_retry_at: z.string().optional(),
  })
  .meta({ id: "DeferResult" });
export const ReportResult = z
  .strictObject({
    card_id: z.string().optional(),
    status: z.enum(["running", "received", "late"]),
  })
  .meta({ id: "ReportResult" });
