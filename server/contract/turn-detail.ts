// One turn, whole: its frame, what led to it, and what its context was made of.
import type { Card } from "./card";
import type { TurnFrame } from "./frame";
import type { ChainLink, Step } from "./turn";

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
};
