// A range of a box: cards in order with their position, their origin and the tokens before them.
import type { BoxCard, Origin } from "@/server/contract/box";
import { type Reader, read } from "../reader";
import { CARD_COLUMNS, type CardRow, toCard } from "./card-row";
import { boxMissing } from "./read-box";

export type BoxCardsInput = {
  project_id: string;
  box_id: string;
  /** 1..500, default 200. */
  limit?: number;
  /** The last `limit` cards before this position; without it, the end of the box. */
  before?: number;
  /** The first `limit` cards from this position on. Overrides `before`. */
  from?: number;
};

/** `missing_ids`: positions whose card is not stored at all. */
export type BoxCards = { box_id: string; length: number; token_sum: number; cards: BoxCard[]; missing_ids: string[] };

const CARDS_MAX = 500;
export const clampCards = (limit = 200): number => Math.min(Math.max(Math.trunc(limit), 1), CARDS_MAX);

export async function readBoxCards(reader: Reader, input: BoxCardsInput): Promise<BoxCards> {
  const [box] = await readBoxStretches(reader, {
    project_id: input.project_id,
    stretches: [{ ...input, limit: clampCards(input.limit) }],
  });
  if (!box) throw boxMissing(input.box_id);
  return box;
}

// Sums cover whole chunks; content is fetched only for the requested positions. OFFSET 0, because on tables that are not
// analysed yet the planner would read every box of the project.
const READ = `
  WITH asked AS (
    SELECT b.box_id, b.length, b.token_sum,
      CASE WHEN g."from" IS NOT NULL THEN g."from" ELSE greatest(least(coalesce(g.before, b.length), b.length) - g.stretch, 0) END AS lo,
      CASE WHEN g."from" IS NOT NULL THEN g."from" + g.stretch ELSE least(coalesce(g.before, b.length), b.length) END AS hi
    FROM jsonb_to_recordset($2::jsonb) AS g(box_id text, stretch int, before int, "from" int)
    CROSS JOIN LATERAL (SELECT b.box_id, b.length, b.token_sum FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = g.box_id AND b.deletion_id IS NULL OFFSET 0) b
  ), chunk AS (
    SELECT a.box_id, a.lo, a.hi, c.start, c.card_ids, c.origins, cardinality(c.card_ids) AS size,
      sum(c.tokens) OVER (PARTITION BY a.box_id ORDER BY c.n) - c.tokens AS before_chunk
    FROM asked a CROSS JOIN LATERAL (SELECT c.n, c.start, c.card_ids, c.origins, c.tokens FROM card_box_chunks c
      WHERE c.tenant_id = $1 AND c.box_id = a.box_id OFFSET 0) c
    WHERE c.start < a.hi
  ), place AS (
    SELECT k.box_id, k.start, i.card_id, (k.start + i.ord - 1)::int AS position, i.ord,
      k.before_chunk + sum(coalesce(t.token_count, 0)) OVER (PARTITION BY k.box_id, k.start ORDER BY i.ord) - coalesce(t.token_count, 0) AS before_tokens
    FROM chunk k
    CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS i(card_id, ord)
    LEFT JOIN cards t ON t.tenant_id = $1 AND t.card_id = i.card_id
    WHERE k.start + k.size > k.lo
  ), run AS MATERIALIZED (
    SELECT k.box_id, k.start, r.run ->> 1 AS origin, r.upto - (r.run ->> 0)::int AS after, r.upto
    FROM chunk k CROSS JOIN LATERAL (
      SELECT e.run, sum((e.run ->> 0)::int) OVER (ORDER BY e.ord) AS upto FROM jsonb_array_elements(k.origins) WITH ORDINALITY AS e(run, ord)
    ) r WHERE k.start + k.size > k.lo
  )
  SELECT a.box_id, a.length, a.token_sum::int AS token_sum, p.card_id AS held_id, p.position, p.before_tokens::int AS before_tokens, o.origin, ${CARD_COLUMNS}
  FROM asked a
  LEFT JOIN place p ON p.box_id = a.box_id AND p.position >= a.lo AND p.position < a.hi
  LEFT JOIN run o ON o.box_id = p.box_id AND o.start = p.start AND p.ord > o.after AND p.ord <= o.upto
  LEFT JOIN cards c ON c.tenant_id = $1 AND c.card_id = p.card_id
  ORDER BY a.box_id, p.position`;

type Row = CardRow & {
  box_id: string;
  length: number;
  token_sum: number;
  held_id: string | null;
  position: number;
  before_tokens: number;
  origin: Origin;
};

export type Stretch = { box_id: string; limit: number; before?: number; from?: number };

/** Several boxes in one statement, in request order; missing boxes are left out. `limit` is not clamped. */
export async function readBoxStretches(
  reader: Reader,
  input: { project_id: string; stretches: Stretch[] },
): Promise<BoxCards[]> {
  const asked = input.stretches.map(({ box_id, limit, before, from }) => ({ box_id, stretch: limit, before, from }));
  const rows = await read<Row>(reader, "box_stretches", READ, [input.project_id, JSON.stringify(asked)]);
  const boxes = new Map<string, BoxCards>();
  for (const row of rows) {
    const { box_id, length, token_sum, held_id, position, before_tokens, origin, ...card } = row;
    const box = boxes.get(box_id) ?? { box_id, length, token_sum, cards: [], missing_ids: [] };
    boxes.set(box_id, box);
    if (held_id === null) continue;
    if (card.card_id === null) box.missing_ids.push(held_id);
    else box.cards.push({ ...toCard(card), position, origin, before_tokens });
  }
  return input.stretches.flatMap((s) => boxes.get(s.box_id) ?? []);
}
