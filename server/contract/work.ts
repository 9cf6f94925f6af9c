// What a worker in another language sends and gets over REST (docs/workers.md). `epoch` is the turn's epoch from the claim or
// resume; an older one is refused with 409 `fenced`.
import * as z from "zod";
import { INT_MAX } from "./bounds";
import { CardContent, GivenByWorker } from "./card";
import type { TurnFrame } from "./frame";
import { Id, User } from "./ids";
import { mendText } from "./text";
import { WorkerTarget } from "./worker-target";

const epoch = z.int().min(0).max(INT_MAX);
/** Shown in the UI and in the log. Any name, but constant for the life of the process. */
const worker_id = z.string().regex(/^[\x21-\x7e]{1,128}$/, "1 to 128 visible ASCII characters");
/** jsonb and text cannot store NUL or half a surrogate pair. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !mendText(value).mended, "contains a NUL byte or half a surrogate pair; remove it");
const note = text(2000).optional();

export const ClaimBody = z.strictObject({
  worker_target: WorkerTarget,
  worker_id,
  limit: z.int().min(1).max(1_000).optional(),
  /** How long to wait for work before an empty answer. */
  wait_ms: z.int().min(0).max(3_600_000).default(0),
  /** Shown next to the worker, such as its version. */
  version: text(64).default(""),
});

export const StartBody = z.strictObject({ epoch, worker_id });
export const HeartbeatBody = z.strictObject({ epoch, worker_id, note });

/** Only the kernel writes facts about agents and what a model was shown; deliverables come by :deliver. */
const AppendedCard = GivenByWorker.refine(
  ({ type }) => type === "sys.must_end_with_required" || !/^(meta\.|sys\.|task\.deliverable$)/.test(type),
  { error: "cards of types sys.*, meta.* and task.deliverable are written by the kernel", path: ["type"] },
).refine(({ type, tool_call_id }) => type !== "tool.call" || !tool_call_id?.startsWith("tc_"), {
  error: "is the id of a Switchyard call, which only :call writes; use :call, or give your own call another id",
  path: ["tool_call_id"],
});
export const AppendBody = z.strictObject({ epoch, cards: z.array(AppendedCard).min(1).max(500), note });

const OfferedTool = z.looseObject({ tool_name: z.string().min(1) });
/** The whole body already has a limit. */
const BYTES_MAX = 4_194_304;
const SentRequest = z.strictObject({
  system: text(BYTES_MAX).optional(),
  card_ids: z.array(Id).max(10_000).optional(),
  tools: z.array(OfferedTool).max(1000).optional(),
  /** The bytes sent to the model, kept and hashed unchanged. */
  text: text(BYTES_MAX).optional(),
});
const tokens = z.int().min(0).max(INT_MAX).optional();
const usage = z.strictObject({ input_tokens: tokens, output_tokens: tokens }).optional();

export const StepBody = z.discriminatedUnion("phase", [
  /** Without `request` or parts of it: what `messages?step=next` returns. */
  z.strictObject({ epoch, phase: z.literal("started"), request: SentRequest.optional(), note }),
  z.strictObject({
    epoch,
    phase: z.literal("completed"),
    step_id: Id,
    usage,
    cost: z.number().min(0).max(1_000_000).optional(),
  }),
  z.strictObject({
    epoch,
    phase: z.literal("failed"),
    step_id: Id,
    usage,
    cost: z.number().min(0).max(1_000_000).optional(),
    error: text(10_000).min(1),
  }),
]);

export const CallBody = z.strictObject({
  epoch,
  step_id: Id,
  tool_name: z.string().min(1).max(64),
  arguments: z.json(),
  /** The worker's own id of the call. The same id again is the same call. */
  client_call_id: z.string().min(1).max(256),
});

export const SuspendBody = z.strictObject({ epoch, tool_call_ids: z.array(Id).min(1).max(64) });
/** `worker_id` defaults to the claimer's. */
export const ResumeBody = z.strictObject({ epoch, inbox_id: Id, worker_id: worker_id.optional() });

export const DeliverBody = z.strictObject({
  epoch,
  /** Text, or a card's content; a map of fields is `{kind: "json", data: {fields: [{name, value}]}}`. */
  content: z.union([z.string(), CardContent]).nullable().default(null),
  status: z.enum(["success", "partial", "failed", "timeout", "canceled"]),
  error_code: text(64).min(1).optional(),
  error: text(10_000).optional(),
});

export const StopBody = z.strictObject({
  reason: text(2000).optional(),
  /** subtree: also everything this turn started. */
  scope: z.enum(["turn", "subtree"]).default("turn"),
  user: User,
});

export const RetryBody = z.strictObject({ user: User }).prefault({});

export const DeferBody = z.strictObject({
  reason: text(2000).min(1),
  delay_ms: z.int().min(1).max(86_400_000).optional(),
});

export type ClaimedWork = {
  inbox: {
    inbox_id: string;
    message_type: "turn" | "tool_result" | "timeout" | "stop" | "ui_action";
    /** A turn: its id. A result: the id of the call. */
    correlation_id: string;
    agent_id: string;
    agent_turn_id: string;
    turn_epoch: number;
    worker_target: string;
    attempt: number;
    retry_count: number;
    defer_reason?: string;
    context_headers: Record<string, unknown>;
    /** Pointers only. */
    payload: Record<string, unknown>;
    created_at: string;
  };
  turn: TurnFrame;
  epoch: number;
  boxes: { profile_box_id: string; context_box_id: string; output_box_id?: string };
};
