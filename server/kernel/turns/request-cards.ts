// The system prompt and the tools of a request as cards. Where nothing in them has changed, those of the step before are used again:
// they are the same in most steps of a turn, and often longer than what is new.
import type { Card } from "@/server/contract/card";
import { CARD_COLUMNS, type CardRow, STORED_CARD, toCard } from "../cardbox/card-row";
import { draftCard } from "../cardbox/draft-card";
import type { Unit } from "../unit";

const BEFORE = `
  SELECT ${CARD_COLUMNS} FROM (SELECT request_box_id FROM state.agent_steps
    WHERE project_id = $1 AND agent_turn_id = $2 AND request_box_id IS NOT NULL ORDER BY ordinal DESC LIMIT 1) s
  CROSS JOIN LATERAL (SELECT k.card_ids[1:2] AS ids FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.box_id = s.request_box_id AND k.n = 0 OFFSET 0) k
  CROSS JOIN LATERAL (SELECT ${STORED_CARD} FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY (k.ids)
    AND c.deleted_at IS NULL AND c.expires_at IS NULL OFFSET 0) c`;

type OfTurn = { project_id: string; agent_turn_id: string };
/** `tools_tokens`: as the provider counts them. */
type Sent = OfTurn & { request: { system: string; tools: { tool_name: string }[]; tools_tokens?: number } };

/** Those that the newest step of the turn was sent; none of its first. */
export async function readRequestCards(unit: Unit, { project_id, agent_turn_id }: OfTurn): Promise<Card[]> {
  return (await unit.query<CardRow>("step_cards_before", BEFORE, [project_id, agent_turn_id])).map(toCard);
}

/** Prompt and tools, in this order. `made`: those that are new, to be stored with the request's box. */
export function draftRequestCards(
  { kernel }: Pick<Unit, "kernel">,
  { project_id, agent_turn_id, request }: Sent,
  { step_id, before }: { step_id: string; before: readonly Card[] },
): { cards: Card[]; made: Card[] } {
  const metadata = { step_id, agent_turn_id };
  const tools = { kind: "json" as const, data: JSON.parse(JSON.stringify({ tools: request.tools })) };
  const drafts = [
    { type: "sys.rendered_prompt", content: request.system, author_id: "switchyard" },
    // As they are sent, which is not as they are read.
    { type: "sys.tools", content: tools, token_count: request.tools_tokens, author_id: "switchyard" },
  ].map((card, i) => draftCard(kernel, { project_id, card, metadata, path: `cards.${i}` }));
  const cards = drafts.map((draft) => before.find((card) => isSame(card, draft)) ?? draft);
  return { cards, made: drafts.filter((draft) => cards.includes(draft)) };
}

const isSame = (a: Card, b: Card): boolean =>
  a.content !== null && a.type === b.type && a.content_hash === b.content_hash && a.token_count === b.token_count;
