// What is judged of each card: its type, weight, author's step, and what it is a copy of. No content but a sidecar's trims.
import type { Role } from "@/server/contract/card";
import { type Reader, read } from "../reader";
import type { CardFact } from "./judge-handover";

export type ReadFact = CardFact & {
  card_id: string;
  role: Role;
  content_hash: string;
  author_id: string;
  step_id: string | null;
  tool_call_id: string | null;
  /** Milliseconds since 1970. */
  created_ms: number;
  /** Of an import, which stores all cards at one moment: the place of the message in the log. */
  history_index: number | null;
  /** Of a context pack's sidecar. */
  trimmed: { key: string; action: string }[] | null;
  /** The pack's budget. */
  profile: string | null;
};

const FACTS = `
  SELECT c.card_id, c.metadata ->> 'type' AS type, coalesce(c.metadata ->> 'role', 'user') AS role, c.token_count AS tokens, c.content_hash, coalesce(c.metadata ->> 'author_id', '') AS author_id,
    coalesce(c.metadata ->> 'redacted_from', c.metadata ->> 'replaces') AS stands_for,
    c.metadata ->> 'redacted_from' IS NOT NULL AS is_redaction, c.metadata ->> 'step_id' AS step_id,
    coalesce(c.tool_call_id, c.metadata ->> 'tool_call_id') AS tool_call_id, (extract(epoch FROM c.created_at) * 1000)::float8 AS created_ms,
    CASE WHEN jsonb_typeof(c.metadata -> 'history_index') = 'number' THEN (c.metadata ->> 'history_index')::float8 END AS history_index,
    CASE WHEN c.metadata ->> 'type' = 'meta.context_pack_sidecar' THEN c.content -> 'data' -> 'trimmed' END AS trimmed,
    CASE WHEN c.metadata ->> 'type' = 'meta.context_pack_sidecar' THEN c.content -> 'data' ->> 'profile' END AS profile
  FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])`;

/** Of thousands of cards that are compared: what tells one from another. */
export type CardMark = Pick<ReadFact, "card_id" | "type" | "content_hash" | "step_id" | "tool_call_id" | "created_ms">;

const MARKS = `
  SELECT c.card_id, c.metadata ->> 'type' AS type, c.content_hash, c.metadata ->> 'step_id' AS step_id,
    coalesce(c.tool_call_id, c.metadata ->> 'tool_call_id') AS tool_call_id, (extract(epoch FROM c.created_at) * 1000)::float8 AS created_ms
  FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])`;

/** By id. Cards that are not stored are left out. */
export async function readCardMarks(
  reader: Reader,
  { project_id, card_ids }: { project_id: string; card_ids: readonly string[] },
): Promise<Map<string, CardMark>> {
  const rows = await read<CardMark>(reader, "debugger_marks", MARKS, [project_id, [...new Set(card_ids)]]);
  return new Map(rows.map((row) => [row.card_id, row]));
}

/** By id. Cards that are not stored are left out. */
export async function readCardFacts(
  reader: Reader,
  { project_id, card_ids }: { project_id: string; card_ids: readonly string[] },
): Promise<Map<string, ReadFact>> {
  const rows = await read<ReadFact>(reader, "debugger_facts", FACTS, [project_id, [...new Set(card_ids)]]);
  return new Map(rows.map((row) => [row.card_id, row]));
}
