// Who saw these words: the cards of a run that contain them, and its turns that were given, wrote or were sent one. What it costs
// follows the run, not the project: boxes are found by the run's turns, and cards by their places in them.

import type { SawTextAnswer } from "@/server/contract/answers/saw-text";
import { KernelError } from "@/server/contract/errors";
import { BLANKS, foldBlanks } from "@/server/contract/saw-text";
import type { Kernel } from "../kernel";
import { read } from "../reader";

const TURNS_MAX = 5_000;
const CARDS_MAX = 20_000;
const LISTED_MAX = 200;
/** Of one card's text. */
const CHARS_MAX = 1_000_000;

const TEXT = `left(coalesce(c.content ->> 'text', c.content ->> 'data', c.content ->> 'arguments', c.content ->> 'error',
  c.content ->> 'result', c.content ->> 'fields', ''), ${CHARS_MAX})`;

/** By their bits, in the order of their names. */
const WAYS = (bits: string) =>
  `array_remove(ARRAY[${["context", "memory", "output", "request"].map((name, i) => `CASE WHEN ${bits} & ${2 ** i} > 0 THEN '${name}' END`).join(", ")}], NULL)`;

// Cards are read in the order of their ids, most of which a run has side by side: one by one took three times as long. All turns of a
// reused agent share an output box: a turn that ended before a card was written never had it.
const SAW = `
  WITH run AS MATERIALIZED (
    SELECT t.agent_turn_id, t.headcode, t.created_at, t.context_box_id, t.output_box_id, t.output_start FROM state.agent_turns t
    WHERE t.project_id = $1 AND t.root_turn_id = $2 ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${TURNS_MAX}
  ), box AS (
    SELECT r.agent_turn_id, r.headcode, r.created_at, 'context' AS what, r.context_box_id AS box_id, NULL::int AS output_start FROM run r
    UNION ALL
    SELECT r.agent_turn_id, r.headcode, r.created_at, 'output', r.output_box_id, r.output_start FROM run r WHERE r.output_box_id IS NOT NULL
    UNION ALL
    SELECT r.agent_turn_id, r.headcode, r.created_at, 'request', b.box_id, NULL FROM run r CROSS JOIN LATERAL (SELECT b.box_id FROM card_boxes b
      WHERE b.tenant_id = $1 AND b.owner_turn_id = r.agent_turn_id AND b.kind = 'request' OFFSET 0) b
  ), held AS MATERIALIZED (
    SELECT b.agent_turn_id, b.headcode, b.created_at, b.what, b.output_start, u.id AS card_id, k.start + u.n - 1 AS position
    FROM box b CROSS JOIN LATERAL (SELECT k.start, k.card_ids FROM card_box_chunks k WHERE k.tenant_id = $1 AND k.box_id = b.box_id OFFSET 0) k
    CROSS JOIN LATERAL unnest(k.card_ids) WITH ORDINALITY AS u(id, n)
  ), known AS MATERIALIZED (
    SELECT DISTINCT h.card_id FROM held h LIMIT ${CARDS_MAX + 1}
  ), hit AS MATERIALIZED (
    SELECT c.card_id, c.type, c.writer, c.created_at FROM (
      SELECT c.card_id, c.metadata ->> 'type' AS type, c.metadata ->> 'agent_turn_id' AS writer, c.created_at, ${TEXT} AS text FROM cards c
      WHERE c.tenant_id = $1 AND c.card_id = ANY (ARRAY(SELECT card_id FROM known))
        AND c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()) OFFSET 0) c
    WHERE CASE WHEN strpos(c.text, $4) = 0 THEN false WHEN strpos(c.text, $3) > 0 THEN true
      ELSE strpos(regexp_replace(c.text, '${BLANKS}', ' ', 'g'), $3) > 0 END
  ), saw AS (
    SELECT h.agent_turn_id, h.headcode, h.created_at, h.card_id, bit_or(CASE h.what WHEN 'context' THEN 1 WHEN 'request' THEN 8
      ELSE CASE WHEN h.position < h.output_start THEN 2 ELSE 4 END END) AS what
    FROM held h JOIN hit x ON x.card_id = h.card_id
    WHERE h.what <> 'output' OR h.position < h.output_start OR x.writer = h.agent_turn_id
    GROUP BY 1, 2, 3, 4
  )
  SELECT (SELECT count(*)::int FROM hit) AS cards_total, (SELECT count(*)::int FROM known) AS looked_at,
    (SELECT count(*) = ${TURNS_MAX} FROM run) AS has_more_turns, (SELECT count(*)::int FROM run) AS turns_of_run,
    (SELECT coalesce(json_agg(json_build_object('card_id', x.card_id, 'type', x.type)), '[]') FROM (
      SELECT x.card_id, x.type FROM hit x ORDER BY x.created_at DESC, x.card_id DESC LIMIT ${LISTED_MAX}) x) AS cards,
    (SELECT coalesce(json_agg(json_build_object('agent_turn_id', s.agent_turn_id, 'headcode', s.headcode, 'as', s.what, 'cards', s.cards)
        ORDER BY s.created_at DESC, s.agent_turn_id DESC), '[]')
      FROM (SELECT s.agent_turn_id, s.headcode, s.created_at, ${WAYS("bit_or(s.what)")} AS what, count(*)::int AS cards FROM saw s GROUP BY 1, 2, 3) s) AS turns`;

type Row = Omit<SawTextAnswer, "text" | "is_partial"> & { has_more_turns: boolean; turns_of_run: number };

/** A card without it need not be folded, which takes most of the time; nor one with all the words side by side. */
const longestOf = (text: string): string =>
  text.split(" ").reduce((longest, word) => (word.length > longest.length ? word : longest), "");

/** not_found for an unknown run and for one of another project alike. */
export async function readSawText(
  kernel: Kernel,
  input: { project_id: string; root_turn_id: string; text: string },
): Promise<SawTextAnswer> {
  const text = foldBlanks(input.text);
  const [row] = await read<Row>(kernel, "saw_text", SAW, [input.project_id, input.root_turn_id, text, longestOf(text)]);
  if (!row || row.turns_of_run === 0)
    throw new KernelError("not_found", `run ${input.root_turn_id} not found in project ${input.project_id}`);
  const { has_more_turns, turns_of_run: _turns, looked_at, ...answer } = row;
  return {
    text,
    ...answer,
    looked_at: Math.min(looked_at, CARDS_MAX),
    is_partial: has_more_turns || looked_at > CARDS_MAX,
  };
}
