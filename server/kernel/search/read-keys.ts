// The ids that one term of a query leaves, read by its index before anything else is asked of them.
import { heldIn } from "../cardbox/held-in";
import { UNINDEXED_FROM } from "../cardbox/index-cards";
import { matchesText, wordsOf } from "../cardbox/words-of-card";
import { type Reader, read } from "../reader";
import { aboveTurns, cardsIn, heldCards, rootsOf, sawCards, underTurns, wroteCards } from "./key-sets";

/** More are not sorted in one go: the rows are then walked from the newest on. */
const KEYS_MAX = 5_000;
/** Runs are what people ask for most, and an old one is far down in the walk. */
const RUN_KEYS_MAX = 20_000;
const WORD_KEYS_MAX = 2_000;
/** Cards that the text index has not taken in yet and that are searched one by one. */
const FRESH_MAX = 2_000;

type ReadKeys = { project_id: string; field: KeyField; ids: readonly string[] };
type KeysRow = { ids: string[] | null };

const keys = (set: string) => `
  SELECT ARRAY(SELECT DISTINCT s.id FROM (${set}) s LIMIT ${KEYS_MAX + 1}) AS ids`;
const GIVEN = "$2::text[]";
/** Boxes of a card are counted before anything is looked up for them: twenty thousand took 0.2 s, and were too many in the end. */
const ofPlaces = (set: string) => `
  SELECT CASE WHEN (SELECT count(*) FROM (SELECT FROM ${heldIn(GIVEN)} k LIMIT ${KEYS_MAX + 1}) k) <= ${KEYS_MAX}
    THEN ARRAY(SELECT DISTINCT s.id FROM (${set}) s) END AS ids`;
const SAW = ofPlaces(sawCards(GIVEN));
const HELD = ofPlaces(heldCards(GIVEN));
const WROTE = keys(wroteCards(GIVEN));
const UNDER = keys(underTurns(GIVEN));
const ABOVE = keys(aboveTurns(GIVEN));
const IN = keys(cardsIn(GIVEN));

// Ids of turns are read first: each has few cards.
const RUN = `
  SELECT ARRAY(SELECT c.card_id FROM (${rootsOf(GIVEN)}) r
    CROSS JOIN LATERAL (SELECT t.agent_turn_id FROM state.agent_turns t WHERE t.project_id = $1 AND t.root_turn_id = r.id OFFSET 0) t
    CROSS JOIN LATERAL (SELECT c.card_id FROM cards c
      WHERE c.tenant_id = $1 AND c.metadata ->> 'agent_turn_id' = t.agent_turn_id OFFSET 0) c
    LIMIT ${RUN_KEYS_MAX + 1}) AS ids`;

/** The most selective first. */
export const keyFields = {
  card: ["in", "run"],
  turn: ["wrote", "held", "saw", "above", "under"],
} as const;
export type KeyField = (typeof keyFields)["card" | "turn"][number];

function keysBy(reader: Reader, { field, project_id, ids }: ReadKeys): Promise<KeysRow[]> {
  const values = [project_id, ids];
  switch (field) {
    case "in":
      return read<KeysRow>(reader, "search_keys_in", IN, values);
    case "wrote":
      return read<KeysRow>(reader, "search_keys_wrote", WROTE, values);
    case "held":
      return read<KeysRow>(reader, "search_keys_held", HELD, values);
    case "saw":
      return read<KeysRow>(reader, "search_keys_saw", SAW, values);
    case "above":
      return read<KeysRow>(reader, "search_keys_above", ABOVE, values);
    case "under":
      return read<KeysRow>(reader, "search_keys_under", UNDER, values);
    case "run":
      return read<KeysRow>(reader, "search_keys_run", RUN, values);
  }
}

/** null = too many. */
export async function readKeys(reader: Reader, input: ReadKeys): Promise<string[] | null> {
  const [row] = await keysBy(reader, input);
  const ids = row?.ids ?? null;
  return ids === null || ids.length > (input.field === "run" ? RUN_KEYS_MAX : KEYS_MAX) ? null : ids;
}

// Each new card is looked up in the index by its key: as NOT EXISTS, the whole index was read beside it.
const WORDS = `
  WITH fresh AS MATERIALIZED (
    SELECT c.card_id, c.content, c.tool_calls FROM cards c
    WHERE c.tenant_id = $1 AND c.created_at >= ${UNINDEXED_FROM("$1")} AND c.deleted_at IS NULL
      AND (SELECT s.card_id FROM card_search s WHERE s.tenant_id = $1 AND s.card_id = c.card_id) IS NULL
    ORDER BY c.created_at DESC LIMIT ${FRESH_MAX + 1}
  )
  SELECT (SELECT count(*) > ${FRESH_MAX} FROM fresh) AS has_more, ARRAY(
    SELECT h.card_id FROM (
      SELECT c.card_id FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($3::text[])
      UNION ALL
      SELECT c.card_id FROM fresh c WHERE ${matchesText("to_tsquery('simple', $2)")}
      UNION ALL
      SELECT s.card_id FROM card_search s WHERE s.tenant_id = $1 AND s.body @@ ${wordsOf("to_tsquery('simple', $2)")}
    ) h LIMIT ${WORD_KEYS_MAX + 1}) AS ids`;

/** Cards with these words, and those whose ids the words are. null = too many, or too many that are not indexed yet. */
export async function readWordKeys(
  reader: Reader,
  { project_id, terms, ids }: { project_id: string; terms: string; ids: readonly string[] },
): Promise<string[] | null> {
  const rows = await read<{ ids: string[]; has_more: boolean }>(reader, "search_keys_words", WORDS, [
    project_id,
    terms,
    ids,
  ]);
  const [row] = rows;
  return row === undefined || row.has_more || row.ids.length > WORD_KEYS_MAX ? null : row.ids;
}
