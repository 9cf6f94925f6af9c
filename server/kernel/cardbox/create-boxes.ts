// Creates boxes from existing cards, or together with their first cards. One statement, whatever the number of boxes.
import type { BoxKind } from "@/server/contract/box";
import type { Card } from "@/server/contract/card";
import { formatConsist } from "@/server/contract/consist";
import type { Unit } from "../unit";
import { type BoxItem, chunkItems, runsOf, tokensOf } from "./box-chunks";
import { type BoxToWrite, writeBoxes, writeNewBoxes } from "./write-boxes";

export type NewBox = {
  box_id?: string;
  kind: BoxKind;
  owner_agent_id?: string;
  owner_turn_id?: string;
  receipt?: unknown;
  items: readonly BoxItem[];
};

/** A box after a write: the values that a turn's row repeats. */
export type BoxSize = { box_id: string; length: number; token_sum: number; consist: string };

/**
 * In input order. Expects the cards to exist: `findItems` refuses missing ones. `cards`: drafts with new ids that are stored by the same
 * statement; then the boxes have no ids yet either.
 */
export async function createBoxes(
  unit: Unit,
  input: { project_id: string; boxes: NewBox[]; cards?: Card[] },
): Promise<BoxSize[]> {
  const boxes = input.boxes.map((box): BoxToWrite => {
    const { items, box_id = unit.kernel.newId(), ...rest } = box;
    return {
      ...rest,
      box_id,
      length: items.length,
      token_sum: tokensOf(items),
      consist: formatConsist(runsOf(items)),
      has_repeats: new Set(items.map((i) => i.card_id)).size < items.length,
      chunks: chunkItems(items),
      copies: [],
    };
  });
  const { project_id, cards = [] } = input;
  if (boxes.length === 0 && cards.length > 0) throw new Error("cards were given and no box that holds them");
  if (input.boxes.every((box) => box.box_id === undefined)) writeNewBoxes(unit, { project_id, boxes, cards });
  else if (cards.length > 0) throw new Error("cards are stored with boxes that have new ids only");
  else await writeBoxes(unit, { project_id, boxes });
  return boxes.map(({ box_id, length, token_sum, consist }) => ({ box_id, length, token_sum, consist }));
}
