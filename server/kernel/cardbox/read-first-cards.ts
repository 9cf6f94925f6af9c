// The first cards of a box, as many as one answer may hold. A box of 10,000 results of a megabyte each must not be read whole
// for a page that shows the beginning.
import type { Card } from "@/server/contract/card";
import { type Reader, read } from "../reader";
import { CARD_COLUMNS, type CardRow, STORED_CARD, toCard } from "./card-row";

export type FirstCards = { project_id: string; box_id: string; cards_max: number; bytes_max: number };

// The first card is always read, however large it is.
const FIRST = `
  WITH placed AS (
    SELECT i.card_id, (k.start + i.at - 1)::int AS position
    FROM card_box_chunks k CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS i(card_id, at)
    WHERE k.tenant_id = $1 AND k.box_id = $2 AND k.start < $3::int AND k.start + i.at <= $3::int
  ), weighed AS (
    SELECT p.position, ${STORED_CARD}, coalesce(sum(octet_length(c.content::text))
      OVER (ORDER BY p.position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
    FROM placed p JOIN cards c ON c.tenant_id = $1 AND c.card_id = p.card_id
  )
  SELECT c.position, ${CARD_COLUMNS} FROM weighed c WHERE c.before < $4::int ORDER BY c.position`;

/** In order, each with its position. Empty for an unknown box. */
export async function readFirstCards(reader: Reader, input: FirstCards): Promise<(Card & { position: number })[]> {
  const { project_id, box_id, cards_max, bytes_max } = input;
  const rows = await read<CardRow & { position: number }>(reader, "box_first_cards", FIRST, [
    project_id,
    box_id,
    cards_max,
    bytes_max,
  ]);
  return rows.map(({ position, ...row }) => ({ ...toCard(row), position }));
}
