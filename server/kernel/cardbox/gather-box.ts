// A new plain box of cards that exist, in the order in which they are named.
import type { Unit } from "../unit";
import { type BoxSize, createBoxes } from "./create-boxes";
import { findItems } from "./get-cards";

/** not_found names the cards that are missing. */
export async function gatherBox(unit: Unit, input: { project_id: string; card_ids: string[] }): Promise<BoxSize> {
  const { project_id, card_ids } = input;
  const items = await findItems(unit, { project_id, card_ids, origin: "given" });
  const [box] = await createBoxes(unit, { project_id, boxes: [{ kind: "plain", items }] });
  if (!box) throw new Error("a box was asked for and none came back");
  return box;
}
