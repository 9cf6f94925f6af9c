// What became of a card between two boxes, and how a box is called there.

import { boxPlate } from "@/server/contract/box";
import type { DiffBox, DiffVerdict } from "@/server/contract/box-diff/box-diff";

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

/** "B 4E7A, 2S04 Searcher, step 3" */
export function boxName({ box_id, turn, ordinal }: Pick<DiffBox, "box_id" | "turn" | "ordinal">): string {
  const parts = [
    boxPlate(box_id),
    turn === undefined ? "" : `${turn.headcode} ${turn.profile_name}`,
    ordinal === undefined ? "" : `step ${ordinal}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
