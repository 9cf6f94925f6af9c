// Erases cards in the unit of a deletion, with their copies and copies of those, the files that nothing else refers to, and what quotes
// them; and notes them, for the requests that follow.
import type { DeletionCounts } from "@/server/contract/answers/deletions";
import { dropUnused } from "../artifacts/drop-unused";
import { eraseCards } from "../cardbox/erase-cards";
import type { Unit } from "../unit";
import type { DeletionKey } from "./deletion-row";
import { eraseQuotes } from "./erase-quotes";

// The body of a profile stays: agents are made of it.
const COPIES = `
  WITH RECURSIVE copies AS (
    SELECT g.card_id FROM unnest($2::text[]) AS g(card_id)
    UNION
    SELECT c.card_id FROM copies o CROSS JOIN LATERAL (SELECT c.card_id FROM cards c WHERE c.tenant_id = $1
      AND coalesce(c.metadata ->> 'redacted_from', c.metadata ->> 'replaces') = o.card_id OFFSET 0) c
  )
  SELECT o.card_id FROM copies o CROSS JOIN LATERAL (SELECT c.content, c.metadata ->> 'type' AS type FROM cards c
    WHERE c.tenant_id = $1 AND c.card_id = o.card_id OFFSET 0) c
  WHERE o.card_id <> ALL ($2::text[]) AND c.content <> 'null' AND c.type <> 'sys.profile' LIMIT $3`;
const NOTE = `
  INSERT INTO state.deletion_cards (project_id, deletion_id, card_id, is_erased)
  SELECT $1, $2, g.card_id, true FROM unnest($3::text[]) AS g(card_id) ON CONFLICT DO NOTHING`;

export type EraseWithCopies = DeletionKey & {
  card_ids: readonly string[];
  /** Who erases, as every open page is told. */
  by: string;
  /** The author of what is left. */
  author?: { from: string; to: string };
  copies_max: number;
  /** What a card with more copies is refused with. */
  refuse: () => Error;
};

export async function eraseWithCopies(unit: Unit, input: EraseWithCopies): Promise<DeletionCounts> {
  const { project_id, deletion_id, card_ids: own, by, author, copies_max } = input;
  const found = await unit.query<{ card_id: string }>("erase_copies", COPIES, [project_id, own, copies_max + 1]);
  if (found.length > copies_max) throw input.refuse();
  const card_ids = [...own, ...found.map((copy) => copy.card_id)];
  await unit.query("erase_note", NOTE, [project_id, deletion_id, card_ids]);
  const titles = await eraseQuotes(unit, { project_id, card_ids });
  const erased = await eraseCards(unit, { project_id, card_ids, author });
  const artifacts = await dropUnused(unit, { project_id, sha256s: erased.sha256s });
  const deleted_at = unit.kernel.now().toISOString();
  for (const id of erased.card_ids)
    unit.frame(project_id, { kind: "card", id, rev: 2, is_deleted: true, deleted_by: by, deleted_at });
  return { cards: erased.card_ids.length, ...(titles > 0 && { titles }), ...(artifacts > 0 && { artifacts }) };
}
