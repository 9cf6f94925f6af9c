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

/** One of the three that a turn reads and writes. The output box is that of its agent: earlier turns may have begun it. */
export type TurnBox = { role: "profile" | "context" | "output"; box_id: string; length: number; token_sum: number };

/** A turn and everything that it set going, however far down. */
export type Subtree = {
  /** The turn itself among them. */
  turns: number;
  /** That have not ended. */
  live: number;
  /** As reported by whoever ran the model. */
  tokens_in: number;
  tokens_out: number;
  /** As estimated before each request was sent. */
  request_tokens: number;
  /** Absent where no turn has a price. */
  cost?: number;
  /** Turns that used tokens and have no price: the cost is that of the others. */
  unpriced: number;
};

export type TurnDetail = TurnFrame & {
  chain: ChainLink[];
  steps: Step[];
  boxes: TurnBox[];
  children: string[];
  subtree: Subtree;
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
