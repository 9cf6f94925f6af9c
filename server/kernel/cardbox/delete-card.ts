// Hides a card's content. Its id, its places and its weight stay, so that every box still adds up.
import type { Card } from "@/server/contract/card";
import type { Unit } from "../unit";
import { getCard } from "./get-cards";

const DELETE = `
  WITH hidden AS (
    UPDATE cards SET deleted_at = now() WHERE tenant_id = $1 AND card_id = $2 AND deleted_at IS NULL RETURNING card_id
  )
  DELETE FROM card_search s USING hidden h WHERE s.tenant_id = $1 AND s.card_id = h.card_id`;

/** Answers the tombstone; deleting twice is harmless. not_found for an unknown card. */
export async function deleteCard(unit: Unit, input: { project_id: string; card_id: string }): Promise<Card> {
  await unit.query("card_delete", DELETE, [input.project_id, input.card_id]);
  return getCard(unit, input);
}
