// A card as blame reads it: who wrote it where, what it stands for, and its text only when it is looked at.
import { type CardContent, contentText } from "@/server/contract/card";
import { SHOWN_CONTENT } from "../../cardbox/card-row";
import { type Reader, read } from "../../reader";
import type { Hay } from "./find-evidence";

export type BlameFact = {
  card_id: string;
  type: string;
  author_id: string;
  tokens: number;
  created_at: string;
  created_ms: number;
  agent_turn_id: string | null;
  step_id: string | null;
  tool_call_id: string | null;
  function_name: string | null;
  /** Set on what a person decided. */
  decided_by: string | null;
  is_edited: boolean;
  /** The card that this one is a copy of, or replaces. */
  copy_of: string | null;
  is_redaction: boolean;
  history_index: number | null;
};
export type BlameCard = BlameFact & { content: CardContent | null };

/** Of a table `c` of cards. */
export const BLAME_FACT = `
  c.card_id, c.metadata ->> 'type' AS type, coalesce(c.metadata ->> 'author_id', '') AS author_id, c.token_count AS tokens,
  c.created_at, (extract(epoch FROM c.created_at) * 1000)::float8 AS created_ms, c.metadata ->> 'agent_turn_id' AS agent_turn_id,
  c.metadata ->> 'step_id' AS step_id, coalesce(c.tool_call_id, c.metadata ->> 'tool_call_id') AS tool_call_id,
  c.metadata ->> 'function_name' AS function_name, c.metadata ->> 'decided_by' AS decided_by,
  coalesce(c.metadata -> 'is_edited' = 'true'::jsonb, false) AS is_edited,
  coalesce(c.metadata ->> 'redacted_from', c.metadata ->> 'replaces') AS copy_of,
  c.metadata ? 'redacted_from' AS is_redaction,
  CASE WHEN jsonb_typeof(c.metadata -> 'history_index') = 'number' THEN (c.metadata ->> 'history_index')::float8 END AS history_index`;

const CARDS = `
  SELECT ${BLAME_FACT}, ${SHOWN_CONTENT} AS content FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])`;

/** By id. Cards that are not stored are left out. */
export async function readBlameCards(
  reader: Reader,
  { project_id, card_ids }: { project_id: string; card_ids: readonly string[] },
): Promise<Map<string, BlameCard>> {
  if (card_ids.length === 0) return new Map();
  const rows = await read<BlameCard>(reader, "blame_cards", CARDS, [project_id, [...new Set(card_ids)]]);
  return new Map(rows.map((row) => [row.card_id, row]));
}

const TEXTS = `
  SELECT c.card_id, ${SHOWN_CONTENT} AS content FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])`;

/** What they say, of thousands that are compared. */
export async function readBlameTexts(
  reader: Reader,
  { project_id, card_ids }: { project_id: string; card_ids: readonly string[] },
): Promise<Map<string, CardContent | null>> {
  if (card_ids.length === 0) return new Map();
  const rows = await read<Pick<BlameCard, "card_id" | "content">>(reader, "blame_texts", TEXTS, [
    project_id,
    [...new Set(card_ids)],
  ]);
  return new Map(rows.map(({ card_id, content }) => [card_id, content]));
}

const JSON_LETTERS_MAX = 200_000;

/** The text that a person selects in. */
export function hayOf({ content }: Pick<BlameCard, "content">): Hay {
  const text = contentText(content);
  return { text, isJson: content !== null && (content.kind !== "text" || isJsonText(text)) };
}

function isJsonText(text: string): boolean {
  if (text.length > JSON_LETTERS_MAX || !/^\s*[[{][\s\S]*[\]}]\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
