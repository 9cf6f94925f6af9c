// Why a box is worth comparing with, in words.
import type { PartnerWhy } from "@/server/contract/box-partners";

export const partnerWords: Record<PartnerWhy, string> = {
  caller: "What its caller had",
  previous_step: "The request before it",
  previous_turn: "The turn before it of the same agent",
  sibling: "A branch of the same fork",
  forked_from: "The turn it was forked from",
  rerun_of: "The turn it repeats",
  fork: "A fork of its turn",
  rerun: "A repetition of its turn",
  same_step: "The same step in another run",
};
