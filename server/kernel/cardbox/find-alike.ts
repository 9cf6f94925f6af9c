// Cards that count as sightings of another one: those with the same words under another id, and copies that name their original,
// which redaction and forks make. A copy of a copy is followed no further: its own page does.
import type { Card } from "@/server/contract/card";
import type { SeenWhy, SightingsInclude } from "@/server/contract/sightings";
import { type Reader, read } from "../reader";

/** Of each of the reasons. */
const ALIKE_MAX = 200;
/** Of which these are the newest. */
const FOUND_MAX = 5_000;

// Found first, and put in order then: asked for the newest in one go, Postgres walked all cards by age.
const SAME_WORDS = `
  SELECT c.card_id, 'same_words' AS why FROM (SELECT c.card_id, c.created_at FROM cards c
    WHERE c.tenant_id = $1 AND left(c.content_hash, 16) = left($2, 16) AND c.content_hash = $2 AND c.card_id <> $3
      AND c.metadata ->> 'type' NOT LIKE 'meta.%' LIMIT ${FOUND_MAX}) c
  ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${ALIKE_MAX}`;

// $2 the card that this one is a copy of.
const COPIES = `
  (SELECT c.card_id, 'copy' AS why FROM (SELECT c.card_id, c.created_at FROM cards c
      WHERE c.tenant_id = $1 AND coalesce(c.metadata ->> 'redacted_from', c.metadata ->> 'replaces') = $3 LIMIT ${FOUND_MAX}) c
    ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${ALIKE_MAX})
  UNION ALL
  (SELECT c.card_id, 'original' FROM cards c WHERE c.tenant_id = $1 AND c.card_id = $2)`;

type Row = { card_id: string; why: SeenWhy };

/** Facts that Switchyard writes for a turn (`meta.`) are compared with nothing. The best reason of each card: a copy with the same words is a copy. */
export async function findAlike(
  reader: Reader,
  { project_id, card, include }: { project_id: string; card: Card; include: readonly SightingsInclude[] },
): Promise<Row[]> {
  const { card_id, content_hash, metadata } = card;
  const copies = include.includes("copies")
    ? await read<Row>(reader, "cards_copies", COPIES, [
        project_id,
        metadata.redacted_from ?? metadata.replaces ?? null,
        card_id,
      ])
    : [];
  const same = include.includes("same_words")
    ? await read<Row>(reader, "cards_same_words", SAME_WORDS, [project_id, content_hash, card_id])
    : [];
  return [...new Map([...same, ...copies].map((row) => [row.card_id, row])).values()];
}
