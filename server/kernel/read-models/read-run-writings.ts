// When the turns of a run wrote what is in their output boxes: for a moment at which one of them had not ended, where only rows tell it.

import type { Role } from "@/server/contract/card";
import type { DatedCard } from "@/server/contract/turn-moments";
import { chunksOf } from "../cardbox/chunks-of";
import { type Reader, read } from "../reader";

/** More cards than this, and what unfinished turns had written stays unknown: each is a picture of its turn. */
const RUN_WRITINGS_MAX = 20_000;

const WRITINGS = `
  SELECT t.agent_turn_id, c.created_at, c.metadata ->> 'role' AS role, c.token_count AS tokens
  FROM state.agent_turns t
  CROSS JOIN LATERAL ${chunksOf("t.output_box_id")} k
  CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, n)
  JOIN cards c ON c.tenant_id = $1 AND c.card_id = u.card_id
  WHERE t.project_id = $1 AND t.root_turn_id = $2
  ORDER BY t.agent_turn_id, c.created_at, k.start + u.n LIMIT ${RUN_WRITINGS_MAX + 1}`;

type Row = { agent_turn_id: string; created_at: string; role: Role; tokens: number };
export type RunWriting = DatedCard & { agent_turn_id: string };

/** By turn, in the order of time; null = too many. */
export async function readRunWritings(
  reader: Reader,
  { project_id, root_turn_id }: { project_id: string; root_turn_id: string },
): Promise<RunWriting[] | null> {
  const rows = await read<Row>(reader, "run_writings", WRITINGS, [project_id, root_turn_id]);
  if (rows.length > RUN_WRITINGS_MAX) return null;
  return rows.map(({ created_at, ...card }) => ({ ...card, created_at: new Date(created_at).toISOString() }));
}
