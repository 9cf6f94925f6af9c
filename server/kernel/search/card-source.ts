// Pages of cards as lines. Two steps in one statement: the content of a card is read only when it is on the page.
import { CARD_LINE, type CardLineRow } from "../cardbox/card-line";
import { STORED_CARD } from "../cardbox/card-row";
import { AT } from "../cardbox/page-cursor";
import { read, UNPREPARED } from "../reader";
import { cardSql } from "./card-sql";
import type { Hit, Pieces, Source } from "./source";

const TEXT_CHARS_MAX = 20_000;

const ROWS = (p: Pieces) => `
  SELECT ${CARD_LINE}, c.card_id AS id, ${AT("c.created_at")},
    CASE WHEN c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) THEN left(coalesce(c.content ->> 'text',
      c.content ->> 'data', c.content ->> 'arguments', c.content ->> 'error', c.content ->> 'result', c.content ->> 'fields'), ${TEXT_CHARS_MAX}) END AS text
  FROM (
    SELECT ${STORED_CARD} FROM (
      SELECT ${STORED_CARD} FROM cards c WHERE c.tenant_id = $1 AND ${p.within}
      ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${p.window}
    ) c WHERE ${p.where}
    ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${p.limit}
  ) c ORDER BY c.created_at DESC, c.card_id DESC`;

const END = (p: Pieces) => `
  SELECT c.card_id AS id, ${AT("c.created_at")} FROM (SELECT c.card_id, c.created_at FROM cards c WHERE c.tenant_id = $1 AND ${p.within}
    ORDER BY c.created_at DESC, c.card_id DESC OFFSET ${p.window} - 1 LIMIT 2) c ORDER BY c.created_at DESC, c.card_id DESC`;

export type CardHitRow = CardLineRow & Hit & { text: string | null };

export const cardSource: Source<CardHitRow> = {
  kind: "card",
  sql: cardSql,
  id: "c.card_id",
  time: "c.created_at",
  rows: (reader, pieces, values) => read<CardHitRow>(reader, UNPREPARED, ROWS(pieces), values),
  end: (reader, pieces, values) => read<Hit>(reader, UNPREPARED, END(pieces), values),
};
