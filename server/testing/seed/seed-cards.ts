// Cards, what their text index holds, and boxes. One card is in every fifth context, one box has 10,000.
// $P is the project, $N how many turns it has, $R how many a run has.

const sid = (kind: string, i: string) => `pg_temp.sid($P, '${kind}', ${i})`;

/** Five a turn are given to it, and its parent's; it writes five more, into its output. */
const CARDS = `
  INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at, tool_call_id, born_box)
  SELECT $P, ${sid("card_", "i")},
    CASE k WHEN 6 THEN jsonb_build_object('kind', 'tool_call', 'tool_name', 'web_search', 'arguments', jsonb_build_object('q', x.text))
      WHEN 7 THEN jsonb_build_object('kind', 'tool_result', 'status', 'success', 'result', jsonb_build_object('found', x.text))
      ELSE jsonb_build_object('kind', 'text', 'text', x.text) END,
    jsonb_strip_nulls(jsonb_build_object('type', (ARRAY['task.instruction', 'task.context', 'task.context', 'task.context', 'delegation.context',
        'agent.thought', 'tool.call', 'tool.result', 'agent.thought', 'task.deliverable'])[k + 1],
      'role', CASE WHEN k < 5 THEN 'user' WHEN k = 7 THEN 'tool' ELSE 'assistant' END,
      'function_name', CASE WHEN k = 7 THEN 'web_search' END,
      'author_id', CASE WHEN j = 0 AND k < 5 THEN 'human_ann' ELSE ${sid("agent_", "w - (w % 10 = 9)::int")} END,
      'agent_turn_id', CASE WHEN w >= 0 THEN ${sid("turn_", "w")} END)),
    md5(x.text) || md5(x.text), 20 + (i % 50)::int * 4, now() - ($N - t) * interval '10 seconds' + k * interval '500 milliseconds',
    CASE WHEN k IN (6, 7) THEN 'call_' || t END, CASE WHEN k >= 5 THEN ${sid("out_", "t")} END
  FROM generate_series(0, $N::bigint * 10 - 1) i
  CROSS JOIN LATERAL (SELECT i / 10 AS t, (i % 10)::int AS k, i / 10 % $R AS j, md5(i::text) AS m OFFSET 0) a
  CROSS JOIN LATERAL (SELECT CASE WHEN k >= 5 THEN t WHEN j = 0 THEN t ELSE t - j + (j - 1) / 8 END AS w) b
  CROSS JOIN LATERAL (SELECT concat_ws(' ', 'the report about', left(m, 3), substr(m, 4, 3), substr(m, 7, 4), 'and', substr(m, 11, 4),
    substr(m, 15, 3), E'of\\n  the', substr(m, 18, 4), substr(m, 22, 3), 'with', substr(m, 25, 4), CASE WHEN i % 50 = 0 THEN 'sailing' END,
    CASE WHEN i % 5000 = 7 THEN 'lighthouse' END) AS text) x`;

const INDEXED = `
  INSERT INTO card_search (tenant_id, card_id, body, created_at)
  SELECT tenant_id, card_id, to_tsvector('simple', coalesce(content ->> 'text', content ->> 'arguments', content ->> 'result')), created_at
  FROM cards WHERE tenant_id = $P AND card_id LIKE 'card%'`;

/**
 * A turn's context, its output (which a turn of a reused agent shares with the one before), and its first request. The instruction of
 * the run is in all of its contexts; every other one names the context of the run's root for it.
 */
const BOXES = `
  INSERT INTO card_boxes (tenant_id, box_id, kind, owner_agent_id, owner_turn_id, length, token_sum, consist, created_at,
    tail, carried, tail_origins, tail_tokens, tail_untravelled, chunk_count, base_box, base_len)
  SELECT $P, pg_temp.sid($P, k, t), CASE k WHEN 'in_' THEN 'context' WHEN 'out_' THEN 'output' ELSE 'request' END,
    CASE WHEN k = 'in_' THEN NULL ELSE ${sid("agent_", "t - (t % 10 = 9)::int")} END, CASE WHEN k = 'in_' THEN NULL ELSE ${sid("turn_", "t")} END,
    cardinality(c.ids) + heir::int, 400, 'U400', now() - ($N - t) * interval '10 seconds', c.ids, CASE WHEN k <> 'out_' THEN c.ids END,
    jsonb_build_array(jsonb_build_array(cardinality(c.ids), CASE k WHEN 'out_' THEN 'given' ELSE 'inherited' END)), 400, false,
    heir::int, CASE WHEN heir THEN ${sid("in_", "t / $R * $R")} END, CASE WHEN heir THEN 1 END
  FROM generate_series(0, $N::bigint - 1) t, unnest(ARRAY['in_', 'out_', 'req_']) k
  CROSS JOIN LATERAL (SELECT k = 'in_' AND t % $R > 0 AND t % 2 = 1 AS heir) h
  CROSS JOIN LATERAL (SELECT ARRAY(SELECT ${sid("card_", "CASE WHEN g = -1 THEN t / $R * $R * 10 WHEN g = 10 THEN 5 ELSE t * 10 + g END")}
    FROM generate_series(CASE k WHEN 'out_' THEN 5 WHEN 'in_' THEN CASE WHEN t % $R = 0 OR heir THEN 0 ELSE -1 END ELSE 0 END,
      CASE k WHEN 'in_' THEN 4 ELSE 9 END) g
    UNION ALL SELECT ${sid("card_", "5")} WHERE k = 'in_' AND t % 5 = 3) AS ids) c`;

const WHOLE = `
  INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, consist, created_at, chunk_count)
    VALUES ($P, 'whole_box', 'plain', least(10000, $N * 10), 200000, 'U200000', now() - interval '1 day',
      (least(10000, $N * 10) - 1) / 64 + 1)`;
const WHOLE_CHUNKS = `
  INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens)
  SELECT $P, 'whole_box', n, n * 64, c.ids, jsonb_build_array(jsonb_build_array(cardinality(c.ids), 'given')), 1280
  FROM generate_series(0, (least(10000, $N * 10) - 1) / 64) n
  CROSS JOIN LATERAL (SELECT ARRAY(SELECT ${sid("card_", "x::bigint")} FROM generate_series(n * 64, least(n * 64 + 63, least(10000, $N * 10) - 1)) x) AS ids) c`;

export const seedCards = [CARDS, INDEXED, BOXES, WHOLE, WHOLE_CHUNKS];
