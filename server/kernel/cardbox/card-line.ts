// A card as one line: columns for SQL, and the row they make. Content never leaves the database for a list.
import type { Card, CardContent } from "@/server/contract/card";
import type { CardLine } from "@/server/contract/line";

/** For a table `c` of cards. A deleted or expired card keeps its line and loses its text. */
export const CARD_LINE = `
  c.card_id, c.metadata ->> 'type' AS type, c.metadata ->> 'role' AS role, coalesce(c.metadata ->> 'author_id', '') AS author_id,
  c.token_count, c.metadata ->> 'redacted_from' AS redacted_from, c.metadata ->> 'agent_turn_id' AS agent_turn_id, c.created_at,
  CASE WHEN c.deleted_at IS NOT NULL THEN 'deleted' WHEN c.expires_at <= now() THEN 'expired' END AS gone,
  CASE WHEN c.deleted_at IS NOT NULL OR c.expires_at <= now() THEN '' ELSE left(CASE c.content ->> 'kind'
    WHEN 'text' THEN ltrim(left(c.content ->> 'text', 600), E' \\n\\r\\t')
    WHEN 'fields_schema' THEN (SELECT string_agg(f ->> 'name', ', ') FROM jsonb_array_elements(c.content -> 'fields') f)
    WHEN 'tool_call' THEN concat(c.content ->> 'tool_name', ' ', c.content -> 'arguments')
    WHEN 'tool_result' THEN coalesce(c.content -> 'error' ->> 'message', c.content -> 'result' ->> 'summary', (c.content -> 'result')::text, c.content ->> 'status')
    ELSE coalesce(c.content -> 'data' ->> 'title', c.content -> 'data' ->> 'name', c.content -> 'data' ->> 'goal',
      c.content -> 'data' ->> 'summary',
      'Called by ' || (c.content -> 'data' -> 'caller' ->> 'name'), 'parent ' || (c.content -> 'data' ->> 'parent_agent_id'),
      (SELECT string_agg(concat(f ->> 'name', ': ', f ->> 'value'), ' | ')
        FROM jsonb_path_query(c.content, 'lax $.data.fields[*] ? (exists(@.name))') f), (c.content -> 'data')::text)
  END, 600) END AS head`;

export type CardLineRow = {
  [K in "redacted_from" | "agent_turn_id" | "gone"]: CardLine[K] | null;
} & Pick<CardLine, "card_id" | "type" | "role" | "author_id" | "token_count" | "created_at"> & { head: string | null };

export const cardLine = (row: CardLineRow): CardLine => ({
  card_id: row.card_id,
  type: row.type,
  role: row.role,
  author_id: row.author_id,
  token_count: row.token_count,
  title: titleOf(row.head ?? ""),
  gone: row.gone ?? undefined,
  redacted_from: row.redacted_from ?? undefined,
  agent_turn_id: row.agent_turn_id ?? undefined,
  created_at: row.created_at,
});

/** The same for a card that has already been read. */
export const lineOf = (card: Card): CardLine =>
  cardLine({
    card_id: card.card_id,
    type: card.type,
    role: card.role,
    author_id: card.author_id,
    token_count: card.token_count,
    created_at: card.created_at,
    gone: card.gone ?? null,
    redacted_from: textOf(card.metadata.redacted_from),
    agent_turn_id: textOf(card.metadata.agent_turn_id),
    head: card.content && headOf(card.content),
  });

const HEAD_LETTERS_MAX = 600;

function headOf(content: CardContent): string {
  return headWords(content).trimStart().slice(0, HEAD_LETTERS_MAX);
}

function headWords(content: CardContent): string {
  if (content.kind === "text") return content.text;
  if (content.kind === "fields_schema") return content.fields.map((f) => f.name).join(", ");
  if (content.kind === "tool_call") return `${content.tool_name} ${JSON.stringify(content.arguments)}`;
  if (content.kind === "tool_result") {
    const result = content.result as Record<string, unknown> | null | undefined;
    return (
      content.error?.message ?? textOf(content.result) ?? textOf(result?.summary) ?? JSON.stringify(result ?? null)
    );
  }
  const data = content.data as Record<string, unknown> | null;
  const named = textOf(data?.title) ?? textOf(data?.name) ?? textOf(data?.goal) ?? textOf(data?.summary);
  if (named !== null) return named;
  const caller = textOf((data?.caller as Record<string, unknown> | undefined)?.name);
  if (caller !== null) return `Called by ${caller}`;
  if (typeof data?.parent_agent_id === "string") return `parent ${data.parent_agent_id}`;
  const { fields } = data ?? {};
  return Array.isArray(fields) ? fields.map((f) => `${f?.name}: ${f?.value}`).join(" | ") : JSON.stringify(data);
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const TITLE_LETTERS_MAX = 240;

const LINE_LETTERS_MIN = 40;

/**
 * The first words: lines are joined until they say something ("Updated ledger:" alone does not); Markdown's marks don't
 * count.
 */
export function titleOf(head: string): string {
  let title = "";
  for (const line of head.split("\n")) {
    if (title.length >= LINE_LETTERS_MIN) break;
    if (!/[\p{L}\p{N}]/u.test(line)) continue;
    const words = line.replace(/^\s*(?:(?:#{1,6}|>|[*-])\s+)+/u, "").replace(/^\s*```\w*\s*$/u, "");
    title = `${title} ${words}`.replace(/\s+/gu, " ").trim();
  }
  return [...(title === "" ? head.trim() : title)].slice(0, TITLE_LETTERS_MAX).join("");
}
