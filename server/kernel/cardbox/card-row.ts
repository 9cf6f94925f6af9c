// A row of cards and the card it represents. The content of a deleted or expired card does not leave the database.
import type { Card, CardContent, Role } from "@/server/contract/card";

export type CardRow = {
  card_id: string;
  project_id: string;
  content: CardContent | null;
  gone: "deleted" | "expired" | null;
  tool_calls: unknown[] | null;
  tool_call_id: string | null;
  ttl_seconds: number | null;
  metadata: Record<string, unknown>;
  content_hash: string;
  token_count: number;
  created_at: string;
};

const GONE = "(c.deleted_at IS NOT NULL OR c.expires_at <= now())";

/** The columns of `cards c` that CARD_COLUMNS needs: for a subquery whose rows become cards in the outer query. */
export const STORED_CARD = `c.tenant_id, c.card_id, c.content, c.tool_calls, c.tool_call_id, c.ttl_seconds, c.expires_at, c.deleted_at,
  c.metadata, c.content_hash, c.token_count, c.created_at`;

/** The content of `cards c` as it may be shown: null for a deleted or expired card. */
export const SHOWN_CONTENT = `CASE WHEN ${GONE} THEN NULL ELSE c.content END`;

/** Columns of `cards c` that make a CardRow. A tombstone keeps its type, role, author and place of creation. */
export const CARD_COLUMNS = `
  c.card_id, c.tenant_id AS project_id, c.ttl_seconds, c.content_hash, c.token_count, c.created_at,
  CASE WHEN c.deleted_at IS NOT NULL THEN 'deleted' WHEN c.expires_at <= now() THEN 'expired' END AS gone,
  ${SHOWN_CONTENT} AS content,
  CASE WHEN ${GONE} THEN NULL ELSE c.tool_calls END AS tool_calls,
  c.tool_call_id,
  CASE WHEN ${GONE} THEN jsonb_strip_nulls(jsonb_build_object('type', c.metadata -> 'type', 'role', c.metadata -> 'role',
    'author_id', c.metadata -> 'author_id', 'agent_turn_id', c.metadata -> 'agent_turn_id', 'step_id', c.metadata -> 'step_id'))
    ELSE c.metadata END AS metadata`;

export function toCard(row: CardRow): Card {
  const card: Card = {
    card_id: row.card_id,
    project_id: row.project_id,
    type: text(row.metadata.type, "unknown"),
    role: text(row.metadata.role, "user") as Role,
    author_id: text(row.metadata.author_id, "unknown"),
    content: row.content,
    metadata: row.metadata,
    content_hash: row.content_hash,
    token_count: row.token_count,
    created_at: row.created_at,
  };
  if (row.gone) card.gone = row.gone;
  if (row.tool_calls) card.tool_calls = row.tool_calls;
  if (row.tool_call_id) card.tool_call_id = row.tool_call_id;
  if (row.ttl_seconds !== null) card.ttl_seconds = row.ttl_seconds;
  return card;
}

const text = (value: unknown, fallback: string): string => (typeof value === "string" ? value : fallback);
