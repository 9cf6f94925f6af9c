// Hides a card's content for good. Its id, places and weight stay, so that every box and every reference still adds up. Turns
// that have it go on: their next request says "[content deleted]" in its place. Requests already sent keep their bytes.
import type { Card } from "@/server/contract/card";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { getCard } from "./get-cards";

/** Agents are made of it: without its content, none of them could take another turn. */
const KEPT = "sys.profile";

const DELETE = `
  WITH hidden AS (
    UPDATE cards SET deleted_at = now()
    WHERE tenant_id = $1 AND card_id = $2 AND deleted_at IS NULL AND metadata ->> 'type' IS DISTINCT FROM '${KEPT}' RETURNING card_id
  )
  DELETE FROM card_search s USING hidden h WHERE s.tenant_id = $1 AND s.card_id = h.card_id`;

/** Returns the tombstone; deleting twice is harmless. not_found for an unknown card, conflict for the body of a profile. */
export async function deleteCard(unit: Unit, input: { project_id: string; card_id: string }): Promise<Card> {
  await unit.query("card_delete", DELETE, [input.project_id, input.card_id]);
  const card = await getCard(unit, input);
  if (card.type === KEPT)
    throw new KernelError(
      "conflict",
      `card ${input.card_id} holds a profile, and agents are made of it; save the profile without the text, or delete the profile`,
      { card_id: input.card_id },
    );
  return card;
}
