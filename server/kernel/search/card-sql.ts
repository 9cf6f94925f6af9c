// What a query asks of `cards c`. $1 is the project.
import { chunkAt } from "../cardbox/chunks-of";
import { heldIn } from "../cardbox/held-in";
import { inOrder, SEARCH_TEXT, WORDS, wordsOf } from "../cardbox/words-of-card";
import { alarmFlags } from "./alarm-sql";
import type { Ask, KindSql } from "./condition";
import { cardsIn } from "./key-sets";
import { phraseTerm, wordTerm } from "./words";

/** A deleted or expired card keeps its type and author; nothing is found by its content. */
const ALIVE = "(c.deleted_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()))";

/** Asked row by row, and not as a join, so that the walk by age stops at the end of the page. */
const ofTurn = (question: string) =>
  `(SELECT ${question} FROM state.agent_turns t WHERE t.project_id = $1 AND t.agent_turn_id = c.metadata ->> 'agent_turn_id')`;

const displayName =
  "(SELECT a.display_name FROM resource.project_agents a WHERE a.project_id = $1 AND a.agent_id = t.agent_id)";

const INDEXED = `coalesce((SELECT s.body FROM card_search s WHERE s.tenant_id = $1 AND s.card_id = c.card_id),
  ${WORDS})`;

/** As JSON, a line break is \\n and a quotation mark \\". */
const FOLDED = `CASE WHEN c.content ->> 'kind' = 'text' THEN regexp_replace(left(c.content ->> 'text', 100000), '\\s+', ' ', 'g')
  ELSE replace(regexp_replace(${SEARCH_TEXT}, '(\\s|\\\\[nrt])+', ' ', 'g'), '\\"', '"') END`;

/** The origin of the card in box chunk `k`: they are kept as runs, [how many, origin]. */
const ORIGIN = `(SELECT r.run ->> 1 FROM (
    SELECT e.run, sum((e.run ->> 0)::int) OVER (ORDER BY e.ord) AS upto FROM jsonb_array_elements(k.origins) WITH ORDINALITY AS e(run, ord)
  ) r WHERE r.upto >= array_position(k.card_ids, c.card_id) ORDER BY r.upto LIMIT 1)`;
const ORIGIN_KIND = `CASE WHEN o.origin LIKE 'box:%' OR o.origin = 'card' THEN 'inherited'
  WHEN o.origin LIKE 'arg:%' OR o.origin IN ('pack', 'given') THEN 'argument' WHEN o.origin = 'ptr' THEN 'pointer'
  WHEN o.origin LIKE 'turn:%' THEN 'output' WHEN o.origin = 'import' THEN 'import' END`;

// Requests and profiles are left out: a request repeats the boxes that it was made of. OFFSET 0: the origin is read once.
const origin = ({ is }: Ask) => `(c.metadata ? 'redacted_from' AND ${is("'redacted'::text")}) OR (
  SELECT bool_or(${is("x.name")}) FROM ${heldIn("ARRAY[c.card_id]")} h CROSS JOIN LATERAL ${chunkAt("h.box_id", "h.n")} k
  CROSS JOIN LATERAL (SELECT ${ORIGIN} AS origin OFFSET 0) o CROSS JOIN LATERAL (SELECT ${ORIGIN_KIND} AS name OFFSET 0) x
  WHERE (SELECT b.kind NOT IN ('request', 'profile') FROM card_boxes b WHERE b.tenant_id = $1 AND b.box_id = h.box_id))`;

export const cardSql: KindSql = {
  fields: {
    type: ({ is }) => is("(c.metadata ->> 'type')"),
    role: ({ is }) => is("(c.metadata ->> 'role')"),
    author: ({ is }) => is("(c.metadata ->> 'author_id')"),
    agent: ({ is }) => ofTurn(`(${is("t.agent_id")} OR ${is(displayName)})`),
    profile: ({ is }) => ofTurn(is("t.profile_name")),
    tool: ({ is }) => `${ALIVE} AND ${is("coalesce(c.content ->> 'tool_name', c.metadata ->> 'function_name')")}`,
    tokens: ({ is }) => is("c.token_count"),
    run: ({ ids }) => {
      const wanted = ids();
      return ofTurn(
        `t.root_turn_id = ANY (${wanted}) OR (SELECT r.number::text = ANY (${wanted}) FROM state.runs r WHERE r.project_id = $1 AND r.root_turn_id = t.root_turn_id)`,
      );
    },
    in: ({ ids }) => `(c.card_id IN (${cardsIn(ids())})) IS TRUE`,
    origin,
    before: ({ is }) => is("c.created_at"),
    after: ({ is }) => is("c.created_at"),
  },
  flags: alarmFlags("al.subject_id = c.card_id"),
  word: ({ text, is_prefix }, bind) => {
    const query = `to_tsquery('simple', ${bind(wordTerm(text, is_prefix), "text")})`;
    return `((${ALIVE} AND CASE WHEN ${INDEXED} @@ ${wordsOf(query)} THEN ${inOrder(query)} ELSE false END) OR c.card_id = ${bind(text, "text")})`;
  },
  phrase: (text, bind) => {
    const query = `to_tsquery('simple', ${bind(phraseTerm(text), "text")})`;
    const folded = bind(text.replace(/\s+/gu, " "), "text");
    // CASE keeps the order: folding a long content takes a thousand times longer than asking the index.
    return `(CASE WHEN ${ALIVE} AND ${INDEXED} @@ ${wordsOf(query)} THEN strpos(lower(${FOLDED}), lower(${folded})) > 0 ELSE false END)`;
  },
};
