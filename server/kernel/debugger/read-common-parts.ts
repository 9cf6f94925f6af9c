// How much of its beginning a changed item has in common with the one before it: a system prompt that changes in its last line is
// still cached up to there. One statement for all pairs.
import { type Reader, read } from "../reader";
import type { SentItem } from "./common-prefix";

/** Letters of each that are compared. */
const LETTERS_MAX = 20_000;

const TEXTS = `
  SELECT x.card_id, left(x.text, ${LETTERS_MAX}) AS head, coalesce(length(x.text), 0) AS letters FROM (
    SELECT c.card_id, CASE c.content ->> 'kind' WHEN 'text' THEN c.content ->> 'text' ELSE (c.content - 'kind')::text END AS text
    FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[]) AND c.deleted_at IS NULL) x`;

type Row = { card_id: string; head: string | null; letters: number };

/** Estimated tokens of `other` that both begin with. 0 for a pair that was not asked for. */
export type PartOf = (one: SentItem, other: SentItem) => number;

export async function readCommonParts(
  reader: Reader,
  { project_id, pairs }: { project_id: string; pairs: readonly [SentItem, SentItem][] },
): Promise<PartOf> {
  if (pairs.length === 0) return () => 0;
  const ids = [...new Set(pairs.flatMap(([one, other]) => [one.card_id, other.card_id]))];
  const rows = await read<Row>(reader, "prefix_texts", TEXTS, [project_id, ids]);
  const texts = new Map(rows.map((row) => [row.card_id, row]));
  return (one, other) => {
    const [a, b] = [texts.get(one.card_id), texts.get(other.card_id)];
    if (one.type !== other.type || !a?.head || !b?.head) return 0;
    const most = Math.min(a.head.length, b.head.length);
    let at = 0;
    while (at < most && a.head[at] === b.head[at]) at++;
    return Math.floor((other.tokens * at) / b.letters);
  };
}
