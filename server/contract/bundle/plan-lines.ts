// Lines of a run bundle for runs of plans: the drawing as it was launched and edited, how each node stands, and each edit.
import * as z from "zod";
import { Id } from "../ids";
import { INPUT_NAME, Layout, NodeId, PlanShape } from "../plan/plan";
import { planNodeStatuses } from "../plan/plan-run";
import { At, Count, Long, Sha256 } from "./lines";
import { Json, Name, Text } from "./values";

/** A text and the card made of it, or an id. */
const Given = z.union([z.strictObject({ text: Text.optional(), card_id: Id }), z.strictObject({ box_id: Id })]);

export const PlanRunLine = z.strictObject({
  plan_run_id: Id,
  parent_turn_id: Id,
  parent_tool_call_id: Name.nullable(),
  /** Of the project it comes from: the plan itself is in no bundle. */
  plan_id: Id.nullable(),
  version: Count.min(1).nullable(),
  body: PlanShape.omit({ layout: true }),
  body_rev: Long.min(1),
  sha256: Sha256,
  layout: Layout,
  inputs: z.record(z.string().regex(INPUT_NAME, "is not the name of an input"), Given),
  is_stepped: z.boolean(),
  /** May be of another run, which is not here. */
  forked_from: Id.nullable(),
  status: z.enum(["running", "success", "partial", "failed", "timeout", "canceled"]),
  deadline_at: At.nullable(),
  created_at: At,
  ended_at: At.nullable(),
});
export type PlanRunLine = z.infer<typeof PlanRunLine>;

/** Recorded results that it takes: of a batch, or of branches by task. They may be of another run. */
const Replays = z.union([
  z.strictObject({ plan_run_id: Id, batch_id: Id }),
  z.strictObject({ tasks: z.record(NodeId, Id) }),
]);

export const PlanNodeLine = z.strictObject({
  plan_run_id: Id,
  node_id: NodeId,
  status: z.enum(planNodeStatuses),
  try: Count.min(1),
  starts: Count,
  headcodes: z.array(Name).max(1_000),
  batch_id: Id.nullable(),
  request_id: Id.nullable(),
  is_released: z.boolean(),
  replays: Replays.nullable(),
  reason: Text.nullable(),
  error_code: Name.nullable(),
  started_at: At.nullable(),
  ended_at: At.nullable(),
});
export type PlanNodeLine = z.infer<typeof PlanNodeLine>;

export const PlanEditLine = z.strictObject({
  plan_run_id: Id,
  n: Count.min(1),
  by: Name,
  ops: z.array(z.record(z.string(), Json)).max(1_000),
  reason: Text,
  created_at: At,
});
export type PlanEditLine = z.infer<typeof PlanEditLine>;
