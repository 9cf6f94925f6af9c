// Reads many boxes at once, for programs: all ids, and on request the last cards of each.
import type { Box, BoxCard } from "@/server/contract/box";
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../reader";
import { BATCH_MAX } from "./get-cards";
import { findBoxes, readBoxIds } from "./read-box";
import { clampCards, readBoxStretches } from "./read-box-cards";

export type BatchBoxesInput = { project_id: string; box_ids: string[]; hydrate?: boolean; limit?: number };

export type BatchBoxes = {
  boxes: (Box & { card_ids: string[]; hydrated_cards?: BoxCard[] })[];
  missing_box_ids: string[];
  missing_card_ids: string[];
};

/** Each box once, in request order; `limit` (the last N cards, 1..500) counts only with `hydrate`. */
export async function batchBoxes(reader: Reader, input: BatchBoxesInput): Promise<BatchBoxes> {
  const { project_id } = input;
  const ids = [...new Set(input.box_ids)];
  if (ids.length > BATCH_MAX)
    throw new KernelError("bad_request", `box_ids exceeds limit ${BATCH_MAX}; ask in several requests`);
  const { boxes, missing_box_ids } = await findBoxes(reader, { project_id, box_ids: ids });
  const cardIds = await readBoxIds(reader, { project_id, box_ids: boxes.map((b) => b.box_id) });
  const plain = boxes.map((box) => ({ ...box, card_ids: cardIds.get(box.box_id) ?? [] }));
  if (!input.hydrate) return { boxes: plain, missing_box_ids, missing_card_ids: [] };
  const limit = clampCards(input.limit);
  const stretches = await readBoxStretches(reader, {
    project_id,
    stretches: boxes.map(({ box_id }) => ({ box_id, limit })),
  });
  const cards = new Map(stretches.map((s) => [s.box_id, s.cards]));
  return {
    boxes: plain.map((box) => ({ ...box, hydrated_cards: cards.get(box.box_id) ?? [] })),
    missing_box_ids,
    missing_card_ids: await missingOf(
      reader,
      project_id,
      plain.flatMap((box) => box.card_ids),
    ),
  };
}

const MISSING = `
  SELECT i.card_id FROM unnest($2::text[]) WITH ORDINALITY AS i(card_id, ord)
  WHERE NOT EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.card_id = i.card_id)
  GROUP BY i.card_id ORDER BY min(i.ord)`;

/** Anywhere in the boxes, each once, in order of first appearance. */
async function missingOf(reader: Reader, projectId: string, cardIds: string[]): Promise<string[]> {
  const rows = await read<{ card_id: string }>(reader, "cards_missing", MISSING, [projectId, cardIds]);
  return rows.map((row) => row.card_id);
}
