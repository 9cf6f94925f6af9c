// The values that cards can be filtered by, with counts, over the newest cards: counting a million takes longer than reading
// a page.
import type { CardFacets } from "@/server/contract/line";
import { type Reader, read } from "../reader";

const COUNTED_MAX = 10_000;
const AUTHORS_MAX = 50;

const FACETS = `
  WITH newest AS MATERIALIZED (
    SELECT metadata ->> 'type' AS type, metadata ->> 'role' AS role, metadata ->> 'author_id' AS author_id
    FROM cards WHERE tenant_id = $1 ORDER BY created_at DESC, card_id DESC LIMIT ${COUNTED_MAX}
  )
  SELECT (SELECT count(*)::int FROM newest) AS counted,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('value', type, 'cards', n) ORDER BY n DESC, type), '[]')
      FROM (SELECT type, count(*)::int AS n FROM newest GROUP BY 1) t) AS types,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('value', role, 'cards', n) ORDER BY n DESC, role), '[]')
      FROM (SELECT role, count(*)::int AS n FROM newest GROUP BY 1) t) AS roles,
    (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('value', author_id, 'cards', n, 'name',
        (SELECT nullif(a.display_name, '') FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = author_id)))
      ORDER BY n DESC, author_id), '[]')
      FROM (SELECT author_id, count(*)::int AS n FROM newest WHERE author_id IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1
        LIMIT ${AUTHORS_MAX}) t) AS authors`;

export async function readCardFacets(reader: Reader, input: { project_id: string }): Promise<CardFacets> {
  const [row] = await read<Omit<CardFacets, "is_all">>(reader, "card_facets", FACETS, [input.project_id]);
  if (!row) throw new Error("an aggregate answered no row");
  return { ...row, is_all: row.counted < COUNTED_MAX };
}
