// Who saw these words: the cards of a run that contain them, and its turns that were given, wrote or were sent one. What it costs
// follows the run, not the project: boxes are found by the run's turns, and cards by their places in them. Which turn had which card
// is counted here: in the database it took as long as all the rest.

import type { SawTextAnswer } from "@/server/contract/answers/saw-text";
import { BLANKS, foldBlanks } from "@/server/contract/saw-text";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { noRun } from "../roster/no-run";
import { type HeldOfRun, knownCards, sawTurns } from "./saw-turns";

const TURNS_MAX = 5_000;
const CARDS_MAX = 20_000;
/** Places in boxes: a run of long requests has the same cards in thousands of them. */
const PLACES_MAX = 200_000;
const LISTED_MAX = 200;
/** Of one card's text. */
const CHARS_MAX = 1_000_000;

const TEXT = `left(coalesce(c.content ->> 'text', c.content ->> 'data', c.content ->> 'arguments', c.content ->> 'error',
  c.content ->> 'result', c.content ->> 'fields', ''), ${CHARS_MAX})`;

// Newest first. Of each box the ids of its cards as one text, which is read ten times faster than rows.
const HELD = `
  WITH run AS MATERIALIZED (
    SELECT t.agent_turn_id, t.headcode, t.context_box_id, t.output_box_id, t.output_start,
      row_number() OVER (ORDER BY t.created_at DESC, t.agent_turn_id DESC)::int AS nth FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.root_turn_id = $2 ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${TURNS_MAX}
  ), box AS (
    SELECT r.nth, 'context' AS what, r.context_box_id AS box_id FROM run r
    UNION ALL
    SELECT r.nth, 'output', r.output_box_id FROM run r WHERE r.output_box_id IS NOT NULL
    UNION ALL
    SELECT r.nth, 'request', b.box_id FROM run r CROSS JOIN LATERAL (SELECT b.box_id FROM card_boxes b
      WHERE b.tenant_id = $1 AND b.owner_turn_id = r.agent_turn_id AND b.kind = 'request' OFFSET 0) b
  ), held AS (
    SELECT b.nth, b.what, k.start, array_to_string(k.card_ids, ' ') AS ids,
      sum(cardinality(k.card_ids)) OVER (ORDER BY b.nth, b.what, b.box_id, k.n) AS places
    FROM box b CROSS JOIN LATERAL (SELECT k.n, k.start, k.card_ids FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.box_id = b.box_id OFFSET 0) k
  )
  SELECT (SELECT coalesce(json_agg(json_build_array(r.agent_turn_id, r.headcode, r.output_start) ORDER BY r.nth), '[]') FROM run r) AS turns,
    (SELECT coalesce(json_agg(json_build_array(h.nth - 1, h.what, h.start, h.ids) ORDER BY h.nth), '[]') FROM held h WHERE h.places <= ${PLACES_MAX}) AS held,
    (SELECT coalesce(bool_or(h.places > ${PLACES_MAX}), false) FROM held h) AS has_more`;

const HITS = `
  SELECT c.card_id, c.type, c.writer FROM (
    SELECT c.card_id, c.metadata ->> 'type' AS type, c.metadata ->> 'agent_turn_id' AS writer, c.created_at, ${TEXT} AS text FROM cards c
    WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[]) AND c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) OFFSET 0) c
  WHERE CASE WHEN strpos(c.text, $4) = 0 THEN false WHEN strpos(c.text, $3) > 0 THEN true
    ELSE strpos(regexp_replace(c.text, '${BLANKS}', ' ', 'g'), $3) > 0 END
  ORDER BY c.created_at DESC, c.card_id DESC`;

type Hit = { card_id: string; type: string; writer: string | null };

/** A card without it need not be folded, which takes most of the time; nor one with all the words side by side. */
const longestOf = (text: string): string =>
  text.split(" ").reduce((longest, word) => (word.length > longest.length ? word : longest), "");

/** not_found for an unknown run and for one of another project alike. Two statements. */
export async function readSawText(
  kernel: Kernel,
  input: { project_id: string; root_turn_id: string; text: string },
): Promise<SawTextAnswer> {
  const { project_id, root_turn_id } = input;
  const text = foldBlanks(input.text);
  const [run] = await read<HeldOfRun & { has_more: boolean }>(kernel, "saw_held", HELD, [project_id, root_turn_id]);
  if (!run || run.turns.length === 0) throw await noRun(kernel, { project_id, root_turn_id });
  const known = knownCards(run, CARDS_MAX + 1);
  const looked = known.slice(0, CARDS_MAX);
  const hits = await read<Hit>(kernel, "saw_hits", HITS, [project_id, looked, text, longestOf(text)]);
  return {
    text,
    cards: hits.slice(0, LISTED_MAX).map(({ card_id, type }) => ({ card_id, type })),
    cards_total: hits.length,
    turns: sawTurns(run, new Map(hits.map(({ card_id, writer }) => [card_id, writer]))),
    looked_at: looked.length,
    is_partial: run.has_more || run.turns.length === TURNS_MAX || known.length > CARDS_MAX,
  };
}
