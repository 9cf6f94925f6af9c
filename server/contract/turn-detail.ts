// One turn in full: its frame, what led to it, and what its context contained.
import type { Card } from "./card";
import type { LateFrame, TurnFrame } from "./frame";
import type { ChainLink, Step } from "./turn";

/** A call that a suspended turn waits for. */
export type WaitingCall = {
  tool_call_id: string;
  tool_name: string;
  /** ISO 8601; absent = none. */
  deadline_at?: string;
  /** Its result has arrived and waits for the others. */
  is_received: boolean;
  batch_id?: string;
};

/** One of a turn's three boxes. The output box belongs to its agent: earlier turns may have begun it. */
export type TurnBox = { role: "profile" | "context" | "output"; box_id: string; length: number; token_sum: number };

/** A turn and everything it started, at any depth. */
export type Subtree = {
  /** Including the turn itself. */
  turns: number;
  /** How many have not ended. */
  live: number;
  /** As reported by the worker that ran the model. */
  tokens_in: number;
  tokens_out: number;
  /** As estimated before each request was sent. */
  request_tokens: number;
  /** Absent if no turn has a price. */
  cost?: number;
  /** Turns that used tokens and have no price. The cost leaves them out. */
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
  /** The context packs in its context, in order, each once; at most 20. */
  context_packs: { sha256: string; code: string }[];
  profile_cards: number;
  profile_tokens: number;
  worker_target: string;
  queue_ahead: number;
  /** In the order they were called. */
  waiting: WaitingCall[];
  /** Refused writes of an old epoch, newest first. */
  late: LateFrame[];
};
