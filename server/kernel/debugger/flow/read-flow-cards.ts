// Who wrote the cards of a run, and what they weigh. Content only of results that sum up a join.
import type { CardContent } from "@/server/contract/card";
import { SHOWN_CONTENT } from "../../cardbox/card-row";
import { type Reader, read } from "../../reader";

export type FlowCard = {
  card_id: string;
  type: string;
  author_id: string;
  tokens: number;
  agent_turn_id: string | null;
  function_name: string | null;
  decided_by: string | null;
  pack_code: string | null;
  created_ms: number;
  joined: CardContent | null;
};

const CARDS = `
  SELECT c.card_id, c.metadata ->> 'type' AS type, coalesce(c.metadata ->> 'author_id', '') AS author_id, c.token_count AS tokens,
    c.metadata ->> 'agent_turn_id' AS agent_turn_id, c.metadata ->> 'function_name' AS function_name,
    c.metadata ->> 'decided_by' AS decided_by, c.metadata -> 'context_pack' ->> 'code' AS pack_code,
    (extract(epoch FROM c.created_at) * 1000)::float8 AS created_ms,
    CASE WHEN c.content -> 'result' ?| ARRAY['output_box_id', 'results'] OR c.card_id LIKE 'join\\_%' THEN ${SHOWN_CONTENT} END AS joined
  FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])`;

/** By id. */
export async function readFlowCards(
  reader: Reader,
  { project_id, card_ids }: { project_id: string; card_ids: readonly string[] },
): Promise<Map<string, FlowCard>> {
  const rows = await read<FlowCard>(reader, "flow_cards", CARDS, [project_id, card_ids]);
  return new Map(rows.map((row) => [row.card_id, row]));
}
