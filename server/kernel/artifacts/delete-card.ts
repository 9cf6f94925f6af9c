// Deletes a card's content for good, and with it the files that no other card refers to.
import type { Card } from "@/server/contract/card";
import { type HideCardInput, hideCard } from "../cardbox/hide-card";
import type { Unit } from "../unit";
import { dropUnused } from "./drop-unused";

/** Returns the tombstone; deleting twice is harmless. not_found for an unknown card, conflict for the body of a profile. */
export async function deleteCard(unit: Unit, input: HideCardInput): Promise<Card> {
  const { card, sha256s } = await hideCard(unit, input);
  await dropUnused(unit, { project_id: input.project_id, sha256s });
  return card;
}
