// Which boxes an agent may hand over (docs/design/kernel.md 5.3), and which of them exist (read-handovers.ts reads both). The
// right is checked before existence, so that a refusal never reveals whether a box exists.
import { KernelError } from "@/server/contract/errors";

export type Asked = {
  source_agent_id: string;
  box_ids: string[];
  card_ids?: string[];
  /** Boxes that the kernel adds itself, such as a clone's source. */
  kernel_box_ids?: string[];
};

export type Grant = { is_allowed: boolean; is_there: boolean };

/** By id. `source_is_there` is false for an agent that is not in the roster; people are allowed before they have a row. */
export type Grants = { boxes: Map<string, Grant>; cards: Map<string, Grant>; source_is_there: boolean };

/** Throws bad_request for a box that may not be handed over, then not_found for one that does not exist; each names the id. */
export function refuseUngranted(grants: Grants, asked: Asked): void {
  const { source_agent_id, box_ids, card_ids = [], kernel_box_ids = [] } = asked;
  if (!grants.source_is_there)
    throw new KernelError("not_found", `source_agent_id: agent ${source_agent_id} not found`);
  for (const id of box_ids)
    if (!grants.boxes.get(id)?.is_allowed && !kernel_box_ids.includes(id))
      throw new KernelError("bad_request", `unauthorized box_id: ${id}`, { box_id: id });
  for (const id of card_ids)
    if (!grants.cards.get(id)?.is_allowed)
      throw new KernelError("bad_request", `unauthorized card_id: ${id}`, { card_id: id });
  for (const id of box_ids)
    if (!grants.boxes.get(id)?.is_there) throw new KernelError("not_found", `box ${id} not found`, { box_id: id });
  for (const id of card_ids)
    if (!grants.cards.get(id)?.is_there) throw new KernelError("not_found", `card ${id} not found`, { card_id: id });
}
