// The items of each request, in order, with what says whether two of them are the same bytes: two statements for all requests.
import { readBoxIds } from "../cardbox/read-box";
import type { Reader } from "../reader";
import type { SentItem } from "./common-prefix";
import { readCardFacts } from "./read-card-facts";

/** By box. Cards with other ids and the same words are equal: the system prompt is a new card in each request. */
export async function readItems(
  reader: Reader,
  { project_id, box_ids }: { project_id: string; box_ids: string[] },
): Promise<Map<string, SentItem[]>> {
  const boxes = await readBoxIds(reader, { project_id, box_ids });
  const facts = await readCardFacts(reader, { project_id, card_ids: [...boxes.values()].flat() });
  const items = new Map<string, SentItem>();
  const itemOf = (card_id: string): SentItem => {
    const known = items.get(card_id);
    if (known) return known;
    const { type = "unknown", tokens = 0, content_hash = card_id } = facts.get(card_id) ?? {};
    const made = { card_id, type, tokens, words: content_hash };
    items.set(card_id, made);
    return made;
  };
  return new Map([...boxes].map(([box_id, ids]) => [box_id, ids.map(itemOf)]));
}
