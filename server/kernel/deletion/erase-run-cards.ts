// The cards of a run that is deleted, once its boxes are gone. A card that another box holds stays as it is. The others lose their
// content first, and their rows when whoever had named one of them by its id has ended: a box that took it has it as a stub.

import { dropUnused } from "../artifacts/drop-unused";
import { eraseCards } from "../cardbox/erase-cards";
import { heldIn } from "../cardbox/held-in";
import type { Unit } from "../unit";
import type { DeletionKey } from "./deletion-row";

/** Cards of one unit: the places of each are looked for by themselves. */
const CARDS_MAX = 200;

const FOUND = `
  SELECT d.card_id FROM state.deletion_cards d WHERE d.project_id = $1 AND d.deletion_id = $2 AND d.is_erased = $3
  ORDER BY d.card_id LIMIT ${CARDS_MAX}`;
// Whoever writes a card into a box by its id waits for this lock, or is waited for.
const LOCK =
  "SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[]) ORDER BY c.card_id FOR UPDATE";
const HELD = `
  SELECT g.card_id FROM unnest($2::text[]) AS g(card_id)
  WHERE EXISTS (SELECT 1 FROM ${heldIn("ARRAY[g.card_id]")} k)
    OR EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = $1 AND c.card_id = g.card_id AND c.metadata ->> 'type' = 'sys.profile')`;
const FORGET =
  "DELETE FROM state.deletion_cards d WHERE d.project_id = $1 AND d.deletion_id = $2 AND d.card_id = ANY ($3::text[])";
const ERASED =
  "UPDATE state.deletion_cards d SET is_erased = true WHERE d.project_id = $1 AND d.deletion_id = $2 AND d.card_id = ANY ($3::text[])";
const DROP = `
  WITH words AS (DELETE FROM card_search s WHERE s.tenant_id = $1 AND s.card_id = ANY ($2::text[]))
  DELETE FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[]) RETURNING 1 AS gone`;

type Step = { isOver: boolean; cards: number; cards_kept: number; artifacts: number };
const NONE: Step = { isOver: true, cards: 0, cards_kept: 0, artifacts: 0 };

async function next(unit: Unit, { project_id, deletion_id }: DeletionKey, isErased: boolean) {
  const rows = await unit.query<{ card_id: string }>("deletion_cards", FOUND, [project_id, deletion_id, isErased]);
  const ids = rows.map((row) => row.card_id);
  if (ids.length === 0) return null;
  await unit.query("deletion_cards_lock", LOCK, [project_id, ids]);
  const held = await unit.query<{ card_id: string }>("deletion_cards_held", HELD, [project_id, ids]);
  const kept = new Set(held.map((row) => row.card_id));
  return { kept: [...kept], free: ids.filter((id) => !kept.has(id)) };
}

export async function eraseRunCards(unit: Unit, key: DeletionKey): Promise<Step> {
  const { project_id, deletion_id } = key;
  const found = await next(unit, key, false);
  if (!found) return NONE;
  unit.send("deletion_cards_forget", FORGET, [project_id, deletion_id, found.kept]);
  const { sha256s } = await eraseCards(unit, { project_id, card_ids: found.free });
  await unit.query("deletion_cards_erased", ERASED, [project_id, deletion_id, found.free]);
  const artifacts = await dropUnused(unit, { project_id, sha256s });
  return { isOver: false, cards: 0, cards_kept: found.kept.length, artifacts };
}

/** A stub that a box took meanwhile stays one. */
export async function dropRunCards(unit: Unit, key: DeletionKey): Promise<Step> {
  const { project_id, deletion_id } = key;
  const found = await next(unit, key, true);
  if (!found) return NONE;
  unit.send("deletion_cards_forget", FORGET, [project_id, deletion_id, [...found.kept, ...found.free]]);
  const gone = await unit.query("deletion_cards_drop", DROP, [project_id, found.free]);
  return { isOver: false, cards: gone.length, cards_kept: 0, artifacts: 0 };
}
