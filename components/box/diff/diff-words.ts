// What became of a card between two boxes, and why a box is worth comparing with, in words.

import { boxPlate } from "@/server/contract/box";
import type { DiffBox, DiffVerdict } from "@/server/contract/box-diff/box-diff";
import type { PartnerWhy } from "@/server/contract/box-partners";

export const diffNames: Record<DiffVerdict, string> = {
  same: "Same",
  moved: "Moved",
  rewritten: "Rewritten",
  added: "Added",
  removed: "Removed",
};

/** As the filters stand: what changed first. */
export const diffOrder: readonly DiffVerdict[] = ["added", "removed", "rewritten", "moved", "same"];

/** Read without colour. */
export const diffMarks: Record<DiffVerdict, string> = {
  same: "=",
  moved: "↕",
  rewritten: "~",
  added: "+",
  removed: "−",
};

export const partnerWords: Record<PartnerWhy, string> = {
  caller: "What its caller had",
  previous_step: "The request before it",
  previous_turn: "The turn before it of the same agent",
  sibling: "A branch of the same fork",
  forked_from: "The turn it was forked from",
  rerun_of: "The turn it repeats",
  fork: "A fork of its turn",
  rerun: "A repetition of its turn",
};

/** "B 4E7A, 2S04 Searcher, step 3" */
export function boxName({ box_id, turn, ordinal }: Pick<DiffBox, "box_id" | "turn" | "ordinal">): string {
  const parts = [
    boxPlate(box_id),
    turn === undefined ? "" : `${turn.headcode} ${turn.profile_name}`,
    ordinal === undefined ? "" : `step ${ordinal}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
