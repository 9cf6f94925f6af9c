// One turn, whole: its frame, what led to it, and what its context was made of.
import type { Card } from "./card";
import type { LateFrame, TurnFrame } from "./frame";
import type { ChainLink, Step } from "./turn";

/** A call that a suspended turn waits for. */
export type WaitingCall = {
  tool_call_id: string;
  tool_name: string;
  /** ISO 8601; absent = none. */
  deadline_at?: string;
  /** Its result is there and waits for the others. */
  is_received: boolean;
  batch_id?: string;
};

export type TurnDetail = TurnFrame & {
  chain: ChainLink[];
  steps: Step[];
  children: string[];
  instruction?: Card;
  deliverable?: Card;
  context_origins: { origin: string; cards: number; tokens: number }[];
  profile_cards: number;
  profile_tokens: number;
  worker_target: string;
  queue_ahead: number;
  /** In the order they were called. */
  waiting: WaitingCall[];
  /** Writes of a passed epoch that were refused, newest first. */
  late: LateFrame[];
};
