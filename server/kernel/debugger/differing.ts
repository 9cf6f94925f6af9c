// Which cards of a branch its siblings were not given. Cards made for each branch have ids of their own: those count by content.
import type { ReadFact } from "./read-card-facts";

/** `branches`: ids of the context of each. True for a card that at least one of them lacks. Pure. */
export function differingFrom(
  branches: readonly (readonly string[])[],
  facts: ReadonlyMap<string, ReadFact>,
): (card_id: string | undefined) => boolean {
  if (branches.length < 2) return () => false;
  const contentOf = (id: string): string => facts.get(id)?.content_hash ?? id;
  const counts = new Map<string, number>();
  for (const ids of branches)
    for (const content of new Set(ids.map(contentOf))) counts.set(content, (counts.get(content) ?? 0) + 1);
  return (card_id) => card_id !== undefined && (counts.get(contentOf(card_id)) ?? 0) < branches.length;
}
