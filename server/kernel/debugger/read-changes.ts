// What differs inside the rewritten pairs of one page: one statement for the contents of all of them.
import { COMPARED_MAX, diffContents } from "@/server/contract/box-diff/diff-contents";
import type { PairChange } from "@/server/contract/box-diff/pair-change";
import type { CardContent } from "@/server/contract/card";
import { SHOWN_CONTENT } from "../cardbox/card-row";
import { type Reader, read } from "../reader";
import { betweenOtherWork } from "./between-other-work";

/** Of one page. */
const PAIRS_MAX = 50;
/** Bytes as JSON. Larger contents stay in the database: fifty pairs of a megabyte each filled the memory of the process. */
const BYTES_MAX = 4 * COMPARED_MAX;

const CONTENTS = `
  SELECT c.card_id, octet_length(c.content::text) > ${BYTES_MAX} AS is_large,
    CASE WHEN octet_length(c.content::text) <= ${BYTES_MAX} THEN ${SHOWN_CONTENT} END AS content
  FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])`;

type Row = { card_id: string; is_large: boolean; content: CardContent | null };
type Pair = { a: string; b: string };

/** In the order of the pairs. */
export async function readChanges(
  reader: Reader,
  { project_id, pairs }: { project_id: string; pairs: readonly Pair[] },
): Promise<PairChange[]> {
  if (pairs.length === 0) return [];
  const ids = pairs.slice(0, PAIRS_MAX).flatMap(({ a, b }) => [a, b]);
  const rows = await read<Row>(reader, "diff_contents", CONTENTS, [project_id, [...new Set(ids)]]);
  const found = new Map(rows.map((row) => [row.card_id, row]));
  return betweenOtherWork(changesOf(pairs, found));
}

function* changesOf(
  pairs: readonly Pair[],
  found: ReadonlyMap<string, Row>,
): Generator<undefined, PairChange[], undefined> {
  const changes: PairChange[] = [];
  for (const [i, { a, b }] of pairs.entries()) {
    const [before, after] = [found.get(a), found.get(b)];
    if (i >= PAIRS_MAX) changes.push({ how: "none", reason: `At most ${PAIRS_MAX} pairs of one answer are compared.` });
    else if (before?.is_large || after?.is_large)
      changes.push({ how: "none", reason: "One of them is too large to compare." });
    else changes.push(diffContents(before?.content ?? null, after?.content ?? null));
    yield;
  }
  return changes;
}
