// The state tables, for programs that watch a project: heads, steps, and who caused and created whom.
import * as z from "zod";
import type { HeadStatus } from "./agent";
import { Id } from "./ids";
import { PageQuery } from "./page";
import type { Step } from "./turn";

const headStatuses = ["idle", "dispatched", "running", "suspended"] as const;
const stepStatuses = ["started", "completed", "failed"] as const;
export const edgePrimitives = ["enqueue", "report", "join", "tool_call"] as const;
export const edgePhases = ["request", "response"] as const;
export const identityActions = ["provision", "derive", "update"] as const;

const When = z.iso.datetime({ offset: true });

export const HeadQuery = PageQuery.extend({
  agent_id: Id.optional(),
  /** The turn it works on. */
  agent_turn_id: Id.optional(),
  status: z.enum(headStatuses).optional(),
  trace_id: Id.optional(),
}).strict();
export type HeadQuery = z.infer<typeof HeadQuery>;

export const StepQuery = PageQuery.extend({
  agent_id: Id.optional(),
  agent_turn_id: Id.optional(),
  step_id: Id.optional(),
  parent_step_id: Id.optional(),
  trace_id: Id.optional(),
  status: z.enum(stepStatuses).optional(),
  started_after: When.optional(),
  started_before: When.optional(),
})
  .strict()
  .refine(
    (query) =>
      !(query.started_after && query.started_before) ||
      Date.parse(query.started_after) <= Date.parse(query.started_before),
    {
      error: "is later than started_before, so nothing can match; swap them",
      path: ["started_after"],
    },
  );
export type StepQuery = z.infer<typeof StepQuery>;

export const ExecutionEdgeQuery = PageQuery.extend({
  /** At either end, like agent_turn_id. */
  agent_id: Id.optional(),
  agent_turn_id: Id.optional(),
  primitive: z.enum(edgePrimitives).optional(),
  edge_phase: z.enum(edgePhases).optional(),
  trace_id: Id.optional(),
  parent_step_id: Id.optional(),
  correlation_id: z.string().max(256).optional(),
}).strict();
export type ExecutionEdgeQuery = z.infer<typeof ExecutionEdgeQuery>;

export const IdentityEdgeQuery = PageQuery.extend({
  /** At either end. */
  agent_id: Id.optional(),
  action: z.enum(identityActions).optional(),
  trace_id: Id.optional(),
  parent_step_id: Id.optional(),
}).strict();
export type IdentityEdgeQuery = z.infer<typeof IdentityEdgeQuery>;

/** For an idle agent: the boxes that its pointers name. */
export type HeadState = {
  agent_id: string;
  status: HeadStatus;
  turn_epoch: number;
  active_agent_turn_id?: string;
  profile_box_id?: string;
  context_box_id?: string;
  output_box_id?: string;
  parent_step_id?: string;
  trace_id?: string;
  waiting_tool_count: number;
  resume_deadline?: string;
  lease_holder?: string;
  heartbeat_at?: string;
  updated_at: string;
};

export type StepState = Step & {
  agent_id: string;
  turn_epoch: number;
  parent_step_id?: string;
  trace_id?: string;
  cost?: number;
};

export type ExecutionEdge = {
  edge_id: string;
  primitive: (typeof edgePrimitives)[number];
  edge_phase: (typeof edgePhases)[number];
  source_agent_id?: string;
  source_turn_id?: string;
  source_step_id?: string;
  target_agent_id?: string;
  target_turn_id?: string;
  root_turn_id?: string;
  correlation_id: string;
  recursion_depth: number;
  trace_id?: string;
  parent_step_id?: string;
  is_inferred: boolean;
  metadata: Record<string, unknown>;
  created_at: string;
};

export type IdentityEdge = {
  edge_id: string;
  action: (typeof identityActions)[number];
  source_agent_id?: string;
  target_agent_id: string;
  trace_id?: string;
  parent_step_id?: string;
  metadata: Record<string, unknown>;
  created_at: string;
};
