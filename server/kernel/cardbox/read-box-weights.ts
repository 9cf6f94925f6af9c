// Roles and tokens of a box from one position on: what a scale bar and a list sorted by weight need for 10,000 cards.
import type { BoxWeights } from "@/server/contract/line";
import { type Reader, read } from "../reader";

const WEIGHTS = `
  SELECT coalesce(string_agg(coalesce(upper(left(c.metadata ->> 'role', 1)), 'U'), '' ORDER BY b.start, i.at), '') AS roles,
    coalesce(jsonb_agg(coalesce(c.token_count, 0) ORDER BY b.start, i.at), '[]') AS tokens
  FROM card_box_chunks b
  CROSS JOIN LATERAL unnest(b.card_ids) WITH ORDINALITY AS i(card_id, at)
  LEFT JOIN cards c ON c.tenant_id = b.tenant_id AND c.card_id = i.card_id
  WHERE b.tenant_id = $1 AND b.box_id = $2 AND b.start + cardinality(b.card_ids) > $3 AND b.start + i.at > $3`;

/** Empty for an unknown box and past the end. */
export async function readBoxWeights(
  reader: Reader,
  query: { project_id: string; box_id: string; from: number },
): Promise<BoxWeights> {
  const [row] = await read<Pick<BoxWeights, "roles" | "tokens">>(reader, "box_weights", WEIGHTS, [
    query.project_id,
    query.box_id,
    query.from,
  ]);
  return { box_id: query.box_id, from: query.from, roles: row?.roles ?? "", tokens: row?.tokens ?? [] };
}
