// The values that a search can be narrowed by, with counts: over the newest rows that it looks at, and how many those are.
import type { QueryFacets, QuerySearch } from "@/server/contract/query-search";
import { isField } from "@/server/contract/search-query/fields";
import { printLeaf } from "@/server/contract/search-query/print-query";
import type { QueryTree } from "@/server/contract/search-query/query-tree";
import { STORED_CARD } from "../cardbox/card-row";
import { type Reader, read, UNPREPARED } from "../reader";
import { conditionOf } from "./condition";
import { readScope } from "./read-scope";
import { type Hit, type Pieces, type Source, statement } from "./source";
import { TURN_COLUMNS } from "./turn-source";

const COUNTED_MAX = 5_000;
const VALUES_MAX = 20;

const sizeOf = (tokens: string) =>
  `CASE WHEN ${tokens} < 100 THEN '<100' WHEN ${tokens} < 1000 THEN '[100 TO 999]' WHEN ${tokens} < 10000 THEN '[1000 TO 9999]'
    WHEN ${tokens} < 100000 THEN '[10000 TO 99999]' ELSE '>=100k' END`;
const runOf = (root: string) =>
  `(SELECT r.number::text FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = ${root})`;

/** From `looked`, the rows that were looked at, and `hit`, one row for each hit and field. */
const COUNTS = `
  SELECT f.field, f.value, f.n, CASE
      WHEN f.field IN ('agent', 'author') THEN (SELECT nullif(a.display_name, '') FROM resource.project_agents a
        WHERE a.project_id = $1 AND a.agent_id = f.value)
      WHEN f.field = 'run' THEN (SELECT nullif(r.title, '') FROM state.runs r WHERE r.project_id = $1 AND r.number = f.value::int)
    END AS name FROM (
    SELECT h.field, h.value, h.n, row_number() OVER (PARTITION BY h.field ORDER BY h.n DESC, h.value) AS place FROM (
      SELECT hit.field, hit.value, count(*)::int AS n FROM hit WHERE hit.value IS NOT NULL GROUP BY 1, 2) h
  ) f WHERE f.place <= ${VALUES_MAX}
  UNION ALL SELECT '', 'looked_at', count(*)::int, NULL FROM looked
  ORDER BY 1, 3 DESC, 2`;

const CARDS = (p: Pieces) => `
  WITH looked AS MATERIALIZED (
    SELECT ${STORED_CARD} FROM cards c WHERE c.tenant_id = $1 AND ${p.within}
    ORDER BY c.created_at DESC, c.card_id DESC LIMIT ${p.window}
  ), hit AS MATERIALIZED (
    SELECT f.field, f.value FROM looked c
    LEFT JOIN state.agent_turns o ON o.project_id = $1 AND o.agent_turn_id = c.metadata ->> 'agent_turn_id'
    CROSS JOIN LATERAL (VALUES ('', 'hits'), ('type', c.metadata ->> 'type'), ('author', c.metadata ->> 'author_id'),
      ('tokens', ${sizeOf("c.token_count")}), ('run', ${runOf("o.root_turn_id")})) AS f(field, value)
    WHERE ${p.where}
  ) ${COUNTS}`;

const TURNS = (p: Pieces) => `
  WITH looked AS MATERIALIZED (
    SELECT ${TURN_COLUMNS} FROM state.agent_turns t WHERE t.project_id = $1 AND ${p.within}
    ORDER BY t.created_at DESC, t.agent_turn_id DESC LIMIT ${p.window}
  ), hit AS MATERIALIZED (
    SELECT f.field, f.value FROM looked t
    CROSS JOIN LATERAL (VALUES ('', 'hits'), ('status', t.status), ('agent', t.agent_id), ('profile', t.profile_name),
      ('tokens', ${sizeOf("(t.tokens_in + t.tokens_out)")}), ('run', ${runOf("t.root_turn_id")})) AS f(field, value)
    WHERE ${p.where}
  ) ${COUNTS}`;

type CountRow = { field: string; value: string; n: number; name: string | null };
type Asked = QuerySearch & { project_id: string; tree: QueryTree };

/** Only where they are asked for. */
export async function readFacets(reader: Reader, source: Source<Hit>, input: Asked): Promise<{ facets?: QueryFacets }> {
  if (!input.facets) return {};
  const scope = await readScope(reader, source, input);
  const window = Math.min(scope.is_keyed ? COUNTED_MAX : scope.window, COUNTED_MAX);
  const { pieces, values } = statement(input.project_id, (bind) => ({
    within: scope.within(bind, null),
    where: conditionOf(scope.rest, scope.sql, bind),
    window,
    limit: 1,
  }));
  const rows =
    source.kind === "card"
      ? await read<CountRow>(reader, UNPREPARED, CARDS(pieces), values)
      : await read<CountRow>(reader, UNPREPARED, TURNS(pieces), values);
  const figure = (name: string) => rows.find(({ field, value }) => field === "" && value === name)?.n ?? 0;
  const looked_at = figure("looked_at");
  const names = [...new Set(rows.map(({ field }) => field))].filter(isField);
  return {
    facets: {
      looked_at,
      is_all: looked_at < window,
      hits: figure("hits"),
      fields: names.map((field) => ({
        field,
        values: rows
          .filter((row) => row.field === field)
          .map(({ value, n, name }) => ({
            value,
            ...(name !== null && { name }),
            count: n,
            filter:
              field === "tokens"
                ? `tokens:${value}`
                : printLeaf({
                    kind: "filter",
                    at: 0,
                    field,
                    op: "=",
                    values: [{ text: value, is_prefix: false, n: null }],
                  }),
          })),
      })),
    },
  };
}
