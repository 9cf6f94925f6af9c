// Redaction rules find a secret in a card that was sent to a model. Only kinds and counts are kept, never where it stands or
// what it is. Two statements; content that this process has looked at is not read again.

import type { Card } from "@/server/contract/card";
import { chunksOf } from "../cardbox/chunks-of";
import { type Reader, read } from "../reader";
import { redactValue } from "../redaction/redact";
import { RULESET } from "../redaction/ruleset";
import type { FoundRow, Swept } from "./found";
import { sentRequests } from "./sent-requests-sql";
import { withPauses } from "./with-pauses";

// Where no request is stored (an import, a foreign worker), what the turn was given stands for it.
const SENT = `
  WITH box AS MATERIALIZED (
    SELECT t.agent_turn_id, t.root_turn_id, coalesce(s.request_box_id, t.context_box_id) AS box_id
    FROM state.agent_turns t LEFT JOIN LATERAL ${sentRequests("t.agent_turn_id")} s ON true
    WHERE t.project_id = $1 AND t.agent_turn_id = ANY ($2::text[])
      AND (s.request_box_id IS NOT NULL OR (NOT t.is_human AND t.started_at IS NOT NULL))
  ), sent AS MATERIALIZED (
    SELECT DISTINCT ON (u.card_id) u.card_id, b.root_turn_id, b.agent_turn_id
    FROM box b CROSS JOIN LATERAL ${chunksOf("b.box_id")} k
    CROSS JOIN LATERAL unnest(k.card_ids) AS u(card_id)
    ORDER BY u.card_id, b.agent_turn_id
  )
  SELECT s.card_id AS subject_id, s.root_turn_id, s.agent_turn_id, c.content_hash
  FROM sent s CROSS JOIN LATERAL (SELECT c.content_hash FROM cards c
    WHERE c.tenant_id = $1 AND c.card_id = s.card_id AND c.deleted_at IS NULL OFFSET 0) c
  WHERE NOT EXISTS (SELECT 1 FROM state.alarms a
    WHERE a.project_id = $1 AND a.rule = 'secret' AND a.subject_id = s.card_id)
  ORDER BY s.card_id`;
const CONTENT = `
  SELECT c.content_hash, c.content, c.tool_calls FROM cards c
  WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[]) AND c.deleted_at IS NULL`;

type Sent = Omit<FoundRow, "figures"> & { content_hash: string };
type Words = { content_hash: string; content: Card["content"]; tool_calls: unknown[] | null };
type Kinds = Record<string, number>;

/** By hash: what the rules found. The same words give the same answer, whoever's they are. */
const known = new Map<string, Kinds>();
const KNOWN_MAX = 50_000;

export async function findSecrets(reader: Reader, { project_id, agent_turn_ids }: Swept): Promise<FoundRow[]> {
  const sent = await read<Sent>(reader, "alarm_sent", SENT, [project_id, agent_turn_ids]);
  const kindsOf = new Map(sent.map(({ content_hash }) => [content_hash, known.get(keyOf(content_hash))]));
  const unknown = sent.filter(({ content_hash }) => kindsOf.get(content_hash) === undefined);
  const once = [...new Map(unknown.map((card) => [card.content_hash, card.subject_id])).values()];
  const words = once.length > 0 ? await read<Words>(reader, "alarm_contents", CONTENT, [project_id, once]) : [];
  for (const [hash, kinds] of await look(words)) kindsOf.set(hash, kinds);
  return sent.flatMap(({ content_hash, ...at }) => {
    const kinds = kindsOf.get(content_hash) ?? {};
    return Object.keys(kinds).length > 0 ? [{ ...at, figures: kinds }] : [];
  });
}

const keyOf = (content_hash: string): string => `${RULESET} ${content_hash}`;

async function look(cards: readonly Words[]): Promise<Map<string, Kinds>> {
  const looked = await withPauses(cards, ({ content_hash, content, tool_calls }): [string, Kinds] => {
    const kinds: Kinds = {};
    for (const { kind } of redactValue({ content, tool_calls }).findings) kinds[kind] = (kinds[kind] ?? 0) + 1;
    remember(keyOf(content_hash), kinds);
    return [content_hash, kinds];
  });
  return new Map(looked);
}

function remember(key: string, kinds: Kinds): void {
  const [oldest] = known.keys();
  if (known.size >= KNOWN_MAX && oldest !== undefined) known.delete(oldest);
  known.set(key, kinds);
}
