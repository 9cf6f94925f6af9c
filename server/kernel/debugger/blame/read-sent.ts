// What a turn had been sent when it wrote a card: the cards of its requests up to that step. Where no request is stored (an
// import, a worker that does not send its requests), its context and what was in its output before the card.
import { chunksOf } from "../../cardbox/chunks-of";
import { type Reader, read } from "../../reader";
import { BLAME_FACT, type BlameFact } from "./blame-card";
import type { Writer } from "./read-writer";

export const CARDS_MAX = 20_000;
/** The newest requests of a turn: each has nearly all cards of those before it. */
export const REQUESTS_MAX = 200;

// The fields that a result must have are part of the system prompt, so their card is in no request.
const SENT = `
  WITH requests AS (
    SELECT s.request_box_id FROM state.agent_steps s
    WHERE s.project_id = $1 AND s.agent_turn_id = $2 AND s.request_box_id IS NOT NULL AND s.ordinal <= $3
    ORDER BY s.ordinal DESC LIMIT ${REQUESTS_MAX}
  ), sent AS (
    SELECT u.card_id, max(k.start + u.n) AS at FROM requests r CROSS JOIN LATERAL ${chunksOf("r.request_box_id")} k
    CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, n) GROUP BY u.card_id
    UNION ALL
    SELECT u.card_id, 0 FROM card_box_chunks k CROSS JOIN LATERAL unnest(k.card_ids) AS u(card_id)
    JOIN cards f ON f.tenant_id = $1 AND f.card_id = u.card_id AND f.metadata ->> 'type' = 'task.result_fields'
    WHERE k.tenant_id = $1 AND k.box_id = $4 AND k.start < 64
  )
  SELECT ${BLAME_FACT}, s.at::float8 AS at FROM sent s JOIN cards c ON c.tenant_id = $1 AND c.card_id = s.card_id
  ORDER BY c.created_at, c.card_id LIMIT ${CARDS_MAX + 1}`;

const HELD = `
  WITH own AS (
    SELECT k.start + u.n AS at, u.card_id FROM card_box_chunks k CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, n)
    WHERE k.tenant_id = $1 AND k.box_id = $3
  ), held AS (
    SELECT u.card_id, k.start + u.n AS at FROM card_box_chunks k CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(card_id, n)
    WHERE k.tenant_id = $1 AND k.box_id = $2
    UNION ALL
    SELECT o.card_id, o.at FROM own o WHERE o.at < coalesce((SELECT min(at) FROM own WHERE card_id = $4), 2147483647)
  ), once AS (SELECT card_id, max(at) AS at FROM held GROUP BY card_id)
  SELECT ${BLAME_FACT}, h.at::float8 AS at FROM once h JOIN cards c ON c.tenant_id = $1 AND c.card_id = h.card_id
  WHERE c.created_at <= (SELECT o.created_at FROM cards o WHERE o.tenant_id = $1 AND o.card_id = $4)
  ORDER BY c.created_at, c.card_id LIMIT ${CARDS_MAX + 1}`;

export type SentFact = BlameFact & { at: number };
/** What decides in which order cards are looked at, and which of equals is followed. */
export type SentLine = Pick<SentFact, "card_id" | "tokens" | "created_ms" | "history_index" | "at">;

/** First written first; one more than `CARDS_MAX` if there are more. */
export async function readSent(
  reader: Reader,
  { project_id, writer, card }: { project_id: string; writer: Writer; card: BlameFact },
): Promise<SentFact[]> {
  const { agent_turn_id, ordinal, context_box_id, output_box_id } = writer;
  const sent = await (ordinal === null
    ? read<SentFact>(reader, "blame_held", HELD, [project_id, context_box_id, output_box_id, card.card_id])
    : read<SentFact>(reader, "blame_sent", SENT, [project_id, agent_turn_id, ordinal, context_box_id]));
  const isOfStep = ({ agent_turn_id: turn, step_id, type }: SentFact) =>
    turn === agent_turn_id && step_id !== null && step_id === writer.step_id && !type.startsWith("sys.");
  return sent.filter((one) => one.card_id !== card.card_id && !isOfStep(one) && !isLater(one, card));
}

/** An import stores the cards of a run at the same moment; its file knows their order. */
const isLater = (one: BlameFact, card: BlameFact): boolean =>
  one.history_index !== null && card.history_index !== null && one.history_index >= card.history_index;
