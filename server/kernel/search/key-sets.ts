// Which turns saw, wrote or held a card, which stand under or above a turn, and which cards are in a box or a turn: sets of ids
// that an index gives at once. $1 is the project; `ids` is a list of text.
import { chunkAt, chunksOf } from "../cardbox/chunks-of";
import { heldIn } from "../cardbox/held-in";

// Turns `t` by id or headcode, which is written in capitals. One list of ids: with OR between two indexes, all turns were read.
const named = (ids: string) => `t.agent_turn_id = ANY (${ids} || ARRAY(SELECT n.agent_turn_id FROM state.agent_turns n
  WHERE n.project_id = $1 AND n.headcode = ANY (ARRAY(SELECT upper(x) FROM unnest(${ids}) x))))`;

/**
 * Turns that were sent one of these cards: to be asked of each turn `t`, where boxes of a card are too many to be listed. bool_or: as
 * EXISTS, the requests of all turns were read first.
 */
export const hasSeen = (
  ids: string,
) => `(SELECT bool_or(k.card_ids && ${ids}) FROM card_boxes b CROSS JOIN LATERAL ${chunksOf("b.box_id")} k
  WHERE b.tenant_id = $1 AND b.owner_turn_id = t.agent_turn_id AND b.kind = 'request') IS TRUE`;

/** The same for turns that hold one. */
export const hasHeld = (
  ids: string,
) => `((SELECT bool_or(k.card_ids && ${ids}) FROM ${chunksOf("t.context_box_id")} k) IS TRUE
  OR EXISTS (SELECT FROM ${chunksOf("t.output_box_id")} k CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(id, n)
    WHERE u.id = ANY (${ids})
      AND (k.start + u.n - 1 < t.output_start
        OR (SELECT c.metadata ->> 'agent_turn_id' FROM cards c WHERE c.tenant_id = $1 AND c.card_id = u.id) = t.agent_turn_id)))`;

/** Turns that were sent one of these cards. */
export const sawCards = (ids: string) => `
  SELECT b.owner_turn_id AS id FROM ${heldIn(ids)} k CROSS JOIN LATERAL (SELECT b.owner_turn_id FROM card_boxes b
    WHERE b.tenant_id = $1 AND b.box_id = k.box_id AND b.kind = 'request' AND b.owner_turn_id IS NOT NULL OFFSET 0) b`;

export const wroteCards = (ids: string) => `
  SELECT c.metadata ->> 'agent_turn_id' AS id FROM cards c
  WHERE c.tenant_id = $1 AND c.card_id = ANY (${ids}) AND c.metadata ->> 'agent_turn_id' IS NOT NULL`;

// All turns of a reused agent share an output box: one that ended before the card was written never had it.
export const heldCards = (ids: string) => `
  WITH held AS MATERIALIZED (SELECT h.box_id, h.n FROM ${heldIn(ids)} h)
  SELECT t.agent_turn_id AS id FROM held h
  JOIN state.agent_turns t ON t.project_id = $1 AND t.context_box_id = h.box_id
  UNION
  SELECT t.agent_turn_id FROM held h
  JOIN state.agent_turns t ON t.project_id = $1 AND t.output_box_id = h.box_id
  CROSS JOIN LATERAL ${chunkAt("h.box_id", "h.n")} k
  JOIN cards c ON c.tenant_id = $1 AND c.card_id = ANY (${ids}) AND c.card_id = ANY (k.card_ids)
  WHERE (k.start + array_position(k.card_ids, c.card_id) - 1 < t.output_start OR c.metadata ->> 'agent_turn_id' = t.agent_turn_id)`;

/** The turns themselves too. */
export const underTurns = (ids: string) => `
  WITH RECURSIVE tree AS (
    SELECT t.agent_turn_id AS id FROM state.agent_turns t WHERE t.project_id = $1 AND ${named(ids)}
    UNION
    SELECT t.agent_turn_id FROM tree u JOIN state.agent_turns t ON t.project_id = $1 AND t.parent_turn_id = u.id
  ) SELECT u.id FROM tree u`;

/** The turns themselves too. */
export const aboveTurns = (ids: string) => `
  WITH RECURSIVE chain AS (
    SELECT t.agent_turn_id AS id, t.parent_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND ${named(ids)}
    UNION
    SELECT t.agent_turn_id, t.parent_turn_id FROM chain u
    JOIN state.agent_turns t ON t.project_id = $1 AND t.agent_turn_id = u.parent_turn_id
  ) SELECT u.id FROM chain u`;

/** Of boxes by id, and of turns by id or headcode: what they held. */
export const cardsIn = (ids: string) => `
  WITH held AS MATERIALIZED (
    SELECT t.agent_turn_id, t.context_box_id, t.output_box_id, t.output_start FROM state.agent_turns t
    WHERE t.project_id = $1 AND ${named(ids)}
  ), chunk AS MATERIALIZED (
    SELECT k.box_id, k.start, k.card_ids FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.box_id = ANY (
      ${ids} || ARRAY(SELECT h.context_box_id FROM held h) || ARRAY(SELECT h.output_box_id FROM held h WHERE h.output_box_id IS NOT NULL))
  )
  SELECT u.id FROM chunk k CROSS JOIN LATERAL unnest(k.card_ids) AS u(id)
  WHERE k.box_id = ANY (${ids} || ARRAY(SELECT h.context_box_id FROM held h))
  UNION
  SELECT u.id FROM held h JOIN chunk k ON k.box_id = h.output_box_id
  CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(id, n)
  WHERE k.start + u.n - 1 < h.output_start
    OR (SELECT c.metadata ->> 'agent_turn_id' FROM cards c WHERE c.tenant_id = $1 AND c.card_id = u.id) = h.agent_turn_id`;

/** Runs by number or id: their roots. */
export const rootsOf = (ids: string) => `
  SELECT r.root_turn_id AS id FROM state.runs r
  WHERE r.project_id = $1 AND (r.root_turn_id = ANY (${ids})
    OR r.number = ANY (ARRAY(SELECT x::int FROM unnest(${ids}) x WHERE x ~ '^[0-9]{1,9}$')))`;
