// What enqueueTurns is given of each turn, and the columns that it answers.
import type { PackArtifactRef } from "@/server/contract/context-pack/pack";
import type { Primitive, TargetStrategy } from "@/server/contract/turn";
import type { TurnRow } from "./turn-row";

export type NewTurn = {
  agent_turn_id: string;
  agent_id: string;
  parent_turn_id: string;
  root_turn_id: string;
  parent_step_id?: string;
  parent_tool_call_id?: string;
  primitive: Primitive;
  target_strategy: TargetStrategy;
  depth: number;
  channel: string;
  trace_id: string;
  profile_box_id: string;
  profile_name: string;
  worker_target: string;
  needs_own_worker: boolean;
  context_box_id: string;
  /** Absent for `reuse`: bound at lease. */
  output_box_id?: string;
  instruction_card_id?: string;
  batch_task_id?: string;
  batch_id?: string;
  task_index?: number;
  headcode: string;
  title: string;
  context_cards: number;
  context_tokens: number;
  context_consist: string;
  /** Null = unknown. */
  window_tokens: number | null;
  source_agent_id: string;
  client_call_key?: string;
  /** The context pack that it was given: its request edge says so. */
  context_pack_ref?: PackArtifactRef;
  /** Its agent was made for it in this unit: the turn is born leased. */
  is_first?: boolean;
};

export const ENQUEUED = [
  "agent_turn_id",
  "agent_id",
  "status",
  "turn_epoch",
  "rev",
  "worker_target",
  "channel",
  "trace_id",
  "context_box_id",
  "output_box_id",
] as const satisfies readonly (keyof TurnRow)[];

export type EnqueuedTurn = Pick<TurnRow, (typeof ENQUEUED)[number]>;
