// What cards of two runs say, without the ids that each run makes: equal for cards that say the same. Two statements for all.

import { type Reader, read } from "../../reader";
import { foldIds, namesOf } from "./fold-ids";

/** Texts that are read to take ids out of them. Beyond, cards are equal if every letter is. */
const FOLDED_MAX = 4_000;
const FOLDED_BYTES_MAX = 65_536;
/** Of all together. */
const BYTES_MAX = 16_777_216;

// The hash of a card covers the id of its call, which is another one in each run.
// A context pack says when, where and under which id it was built: those are other ones for the same pack of another run.
const SAID = `
  CASE c.metadata ->> 'type' WHEN 'context.pack'
    THEN (c.content #- '{data,packId}' #- '{data,runId}' #- '{data,nodeId}' #- '{data,createdAt}')::text
    ELSE c.content::text END || coalesce(regexp_replace(c.tool_calls::text, '"id": "[^"]*"', '', 'g'), '')`;
const DIGESTS = `
  SELECT c.card_id, md5(${SAID}) AS said, CASE WHEN c.metadata ->> 'type' = 'tool.call' THEN c.content ->> 'tool_name' END AS tool_name,
    CASE WHEN c.metadata ->> 'type' = 'context.pack' THEN array_remove(ARRAY[c.metadata ->> 'sha256', c.metadata #>> '{context_pack,ref}',
      c.metadata #>> '{context_pack,pack_id}', c.metadata #>> '{context_pack,code}'], NULL) END AS names
  FROM cards c WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[])`;
// OFFSET: or what a card says is put together three times.
const TEXTS = `
  SELECT w.card_id, w.said FROM (
    SELECT t.card_id, t.said, sum(octet_length(t.said)) OVER (ORDER BY t.at) AS bytes FROM (
      SELECT c.card_id, ${SAID} AS said, a.at FROM unnest($2::text[]) WITH ORDINALITY AS a(card_id, at)
      JOIN cards c ON c.tenant_id = $1 AND c.card_id = a.card_id OFFSET 0) t
    WHERE octet_length(t.said) <= ${FOLDED_BYTES_MAX}) w
  WHERE w.bytes <= ${BYTES_MAX}`;

type Digest = { card_id: string; said: string | null; tool_name: string | null; names: string[] | null };
type Text = { card_id: string; said: string | null };

export type Words = { words: Map<string, string>; tools: Map<string, string> };
/** Ids of cards on both sides that stand for each other, in the order of reading. */
export type ToFold = { a: readonly string[]; b: readonly string[] };

/** `pairs`: of each the cards that the other does not have. */
export async function readWords(
  reader: Reader,
  { project_id, pairs, since_ms }: { project_id: string; pairs: readonly ToFold[]; since_ms: number },
): Promise<Words> {
  const ids = [...new Set(pairs.flatMap(({ a, b }) => [...a, ...b]))];
  const digests = await read<Digest>(reader, "compare_digests", DIGESTS, [project_id, ids]);
  const words = new Map(digests.flatMap(({ card_id, said }) => (said === null ? [] : [[card_id, said] as const])));
  const tools = new Map(
    digests.flatMap(({ card_id, tool_name }) => (tool_name === null ? [] : [[card_id, tool_name] as const])),
  );
  const differing = pairs.flatMap(({ a, b }) => {
    const [saidA, saidB] = [a, b].map((side) => new Set(side.map((id) => words.get(id))));
    return [...a.filter((id) => !saidB?.has(words.get(id))), ...b.filter((id) => !saidA?.has(words.get(id)))];
  });
  const texts = await read<Text>(reader, "compare_texts", TEXTS, [
    project_id,
    [...new Set(differing)].slice(0, FOLDED_MAX),
  ]);
  const names = namesOf(digests.flatMap((digest) => digest.names ?? []));
  for (const { card_id, said } of texts) if (said !== null) words.set(card_id, foldIds(said, since_ms, names));
  return { words, tools };
}
