// Hides a card's content for good. Its id, places and weight stay, so that every box and every reference stays consistent.
// Turns that have it continue: their next request says "[content deleted]" instead. Requests already sent keep their bytes.
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { getCard } from "./get-cards";

/** `by` = who deletes it, as the journal says it. */
export type HideCardInput = { project_id: string; card_id: string; by: string };

/** Agents are made of it: without its content, none of them could take another turn. */
const KEPT = "sys.profile";

const HIDE = `
  WITH hidden AS (
    UPDATE cards SET deleted_at = now()
    WHERE tenant_id = $1 AND card_id = $2 AND deleted_at IS NULL AND metadata ->> 'type' IS DISTINCT FROM '${KEPT}'
    RETURNING card_id, deleted_at, content
  ), found AS (
    DELETE FROM card_search s USING hidden h WHERE s.tenant_id = $1 AND s.card_id = h.card_id
  )
  SELECT h.deleted_at, ARRAY(SELECT r ->> 'sha256' FROM jsonb_array_elements(h.content -> 'artifacts') AS r) AS sha256s FROM hidden h`;

/** `sha256s` = the files that it referred to. Empty too when it was hidden before. */
export async function hideCard(unit: Unit, input: HideCardInput): Promise<{ card: Card; sha256s: string[] }> {
  const { project_id, card_id, by } = input;
  const [hidden] = await unit.query<{ deleted_at: string; sha256s: string[] }>("card_hide", HIDE, [
    project_id,
    card_id,
  ]);
  const card = await getCard(unit, input);
  if (card.type === KEPT)
    throw new KernelError(
      "conflict",
      `card ${card_id} holds a profile, and agents are made of it; save the profile without the text, or delete the profile`,
      { card_id },
    );
  if (!hidden) return { card, sha256s: [] };
  const deleted_at = new Date(hidden.deleted_at).toISOString();
  unit.frame(project_id, { kind: "card", id: card_id, rev: 1, is_deleted: true, deleted_by: by, deleted_at });
  return { card, sha256s: hidden.sha256s };
}
