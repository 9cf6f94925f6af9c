// A turn: one piece of work of an agent. Steps are its model calls; edges say who caused whom.

export const turnStatuses = [
  "queued",
  "dispatched",
  "running",
  "suspended",
  "success",
  "partial",
  "failed",
  "timeout",
  "canceled",
] as const;
export type TurnStatus = (typeof turnStatuses)[number];
export type EndStatus = "success" | "partial" | "failed" | "timeout" | "canceled";
export const isEnded = (s: TurnStatus): s is EndStatus =>
  s !== "queued" && s !== "dispatched" && s !== "running" && s !== "suspended";

export type Primitive = "delegate_async" | "fork_join" | "ask_expert" | "launch_principal" | "ui_action" | "import";
export type TargetStrategy = "new" | "reuse" | "clone";

/** One model call of a turn. `request_box_id` holds exactly the cards the model saw. */
export type Step = {
  step_id: string;
  agent_turn_id: string;
  ordinal: number;
  status: "started" | "completed" | "failed";
  request_box_id?: string;
  request_sha256?: string;
  request_tokens?: number;
  tool_call_ids: string[];
  /** As the provider reports it. Input includes cached tokens, output includes thinking. */
  usage?: {
    input_tokens?: number;
    output_tokens?: number;
    cached_input_tokens?: number;
    cache_write_tokens?: number;
    reasoning_tokens?: number;
    /** The scripted model ran: no provider counted these. */
    is_scripted?: boolean;
  };
  cost?: number;
  note?: string;
  error?: string;
  started_at: string;
  ended_at?: string;
};

/** An element of the chain from the root to a turn, root first. */
export type ChainLink = {
  agent_turn_id: string;
  agent_id: string;
  headcode: string;
  profile_name: string;
  display_name?: string;
  is_human: boolean;
};
