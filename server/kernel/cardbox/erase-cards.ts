// Removes the content of cards from the database, not only from what is shown: hiding leaves the bytes where a backup and a person
// with a database client can read them. What stays is a stub, so that no box and no reference breaks.
import type { Unit } from "../unit";

/** What a stub still says of itself: who wrote it, where, and what it answers. Everything else may quote the content. */
const KEPT = "type,role,author_id,agent_turn_id,step_id,trace_id,parent_step_id,redacted_from,replaces,stands_for";

// $2 the cards; $3 an author who becomes $4. The body of a profile stays: agents are made of it.
const ERASE = `
  WITH old AS (
    SELECT c.card_id, c.content FROM cards c
    WHERE c.tenant_id = $1 AND c.card_id = ANY ($2::text[]) AND c.metadata ->> 'type' IS DISTINCT FROM 'sys.profile'
    ORDER BY c.card_id FOR UPDATE
  ), erased AS (
    UPDATE cards c SET deleted_at = coalesce(c.deleted_at, now()), content = 'null', tool_calls = NULL,
      metadata = (SELECT jsonb_object_agg(m.key,
        CASE WHEN m.key = 'author_id' AND m.value = to_jsonb($3::text) THEN to_jsonb($4::text) ELSE m.value END) FROM jsonb_each(c.metadata) m
        WHERE m.key = ANY (string_to_array('${KEPT}', ',')))
    FROM old WHERE c.tenant_id = $1 AND c.card_id = old.card_id
    RETURNING c.card_id
  ), found AS (
    DELETE FROM card_search s USING erased e WHERE s.tenant_id = $1 AND s.card_id = e.card_id
  )
  SELECT e.card_id, ARRAY(SELECT r ->> 'sha256' FROM jsonb_array_elements(
    CASE jsonb_typeof(o.content -> 'artifacts') WHEN 'array' THEN o.content -> 'artifacts' ELSE '[]' END) AS r) AS sha256s
  FROM erased e JOIN old o ON o.card_id = e.card_id`;

/** `author`: a person whose name does not stay in the stubs. */
export type CardsToErase = { project_id: string; card_ids: string[]; author?: { from: string; to: string } };

export type Erased = { card_ids: string[]; sha256s: string[] };

/** `sha256s`: the files that they referred to. Cards that are not there, and bodies of profiles, are left out. */
export async function eraseCards(unit: Unit, input: CardsToErase): Promise<Erased> {
  if (input.card_ids.length === 0) return { card_ids: [], sha256s: [] };
  const rows = await unit.query<{ card_id: string; sha256s: string[] }>("cards_erase", ERASE, [
    input.project_id,
    input.card_ids,
    input.author?.from ?? null,
    input.author?.to ?? null,
  ]);
  return {
    card_ids: rows.map((row) => row.card_id),
    sha256s: [...new Set(rows.flatMap((row) => row.sha256s))],
  };
}
