-- Frames of turns and agents are kept as rows and made JSON by whoever reads them. Two fifths of what Postgres spent on a child of
-- a fork was the making of frames that nobody may ever look at: row to JSON, times to text, JSON to jsonb, for each move of
-- each turn. What a turn's row says covers its edge, its task and its output box as well.

-- What a turn told at one of its moves. `tells`, added up: 1 the turn, 2 the edge that asked for it, 4 its end (task), 8 its
-- output box as it then was. A column that turns get later comes with a type and a column of its own beside these: with one more
-- attribute, this type refuses the rows that processes of the version before make.
CREATE TYPE state.told_turn AS (
  tells smallint,
  edge_id text,
  box_kind text,
  box_owner_turn_id text,
  box_rev bigint,
  box_length integer,
  box_token_sum bigint,
  agent_turn_id text,
  agent_id text,
  profile_name text,
  worker_target text,
  is_human boolean,
  status text,
  turn_epoch bigint,
  attempt integer,
  parent_turn_id text,
  root_turn_id text,
  primitive text,
  target_strategy text,
  depth integer,
  trace_id text,
  batch_task_id text,
  batch_id text,
  task_index integer,
  headcode text,
  title text,
  note text,
  profile_box_id text,
  context_box_id text,
  output_box_id text,
  output_start integer,
  instruction_card_id text,
  deliverable_card_id text,
  step_count integer,
  context_cards integer,
  context_tokens bigint,
  context_consist text,
  output_cards integer,
  output_tokens bigint,
  output_consist text,
  window_tokens integer,
  sent_tokens integer,
  fullest_tokens integer,
  tokens_in bigint,
  tokens_out bigint,
  cost numeric,
  error_code text,
  error text,
  mark jsonb,
  forked_from jsonb,
  lease_holder text,
  heartbeat_at timestamp with time zone,
  created_at timestamp with time zone,
  leased_at timestamp with time zone,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  rev bigint
);

CREATE TYPE state.told_agent AS (
  agent_id text,
  profile_name text,
  worker_target text,
  display_name text,
  owner_agent_id text,
  derived_from text,
  created_at timestamp with time zone,
  rev bigint
);

-- A pack has one of the three. Of a turn four numbers are kept, whatever it tells: 200 of them stay below the 998 of a pack.
ALTER TABLE state.journal_packs
  ALTER frames DROP NOT NULL,
  ADD COLUMN turns state.told_turn[] COMPRESSION pglz,
  ADD COLUMN agents state.told_agent[] COMPRESSION pglz,
  DROP CONSTRAINT journal_packs_frames,
  ADD CONSTRAINT journal_packs_frames CHECK (num_nonnulls(frames, turns, agents) = 1
    AND (frames IS NULL OR (jsonb_typeof(frames) = 'array' AND frames <> '[]'::jsonb AND frames -> 998 IS NULL))
    AND coalesce(cardinality(turns), 1) BETWEEN 1 AND 249 AND coalesce(cardinality(agents), 1) BETWEEN 1 AND 998);
ALTER TABLE state.journal_packs ALTER turns SET STORAGE MAIN, ALTER agents SET STORAGE MAIN;

-- A time as JavaScript writes it.
CREATE FUNCTION state.iso(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS
  $$ SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- The frames of a pack with their numbers in it, from 1.
CREATE FUNCTION state.frames_of(frames jsonb, turns state.told_turn[], agents state.told_agent[])
  RETURNS TABLE (n bigint, frame jsonb) LANGUAGE sql STABLE PARALLEL SAFE ROWS 20 AS $$
  SELECT e.n, e.frame FROM jsonb_array_elements(frames) WITH ORDINALITY AS e(frame, n)
  UNION ALL
  SELECT (t.ordinality - 1) * 4 + told.slot, told.frame::jsonb
  FROM unnest(turns) WITH ORDINALITY AS t CROSS JOIN LATERAL (
    SELECT 1 AS slot, json_strip_nulls(row_to_json(shown)) AS frame FROM (SELECT 'turn' AS kind, t.agent_turn_id AS id,
      t.agent_turn_id, t.agent_id, t.profile_name, t.worker_target, t.is_human, t.status, t.turn_epoch, t.attempt,
      t.parent_turn_id, t.root_turn_id, t.primitive, t.target_strategy, t.depth, t.trace_id, t.batch_task_id, t.batch_id,
      t.task_index, t.headcode, t.title, t.note, t.profile_box_id, t.context_box_id, t.output_box_id, t.output_start,
      t.instruction_card_id, t.deliverable_card_id, t.step_count, t.context_cards, t.context_tokens, t.context_consist,
      t.output_cards, t.output_tokens, t.output_consist, t.window_tokens, t.sent_tokens, t.fullest_tokens, t.tokens_in,
      t.tokens_out, t.cost, t.error_code, t.error, t.mark, t.forked_from, t.lease_holder,
      state.iso(t.heartbeat_at) AS heartbeat_at, state.iso(t.created_at) AS created_at, state.iso(t.leased_at) AS leased_at,
      state.iso(t.started_at) AS started_at, state.iso(t.ended_at) AS ended_at, t.rev
    ) AS shown WHERE t.tells & 1 > 0
    UNION ALL
    SELECT 2, json_build_object('kind', 'edge', 'id', t.edge_id, 'rev', 1, 'root_turn_id', t.root_turn_id,
      'source_turn_id', t.parent_turn_id, 'target_turn_id', t.agent_turn_id, 'is_inferred', false, 'primitive', t.primitive,
      'target_strategy', t.target_strategy, 'created_at', state.iso(t.created_at)) WHERE t.tells & 2 > 0
    UNION ALL
    SELECT 3, json_strip_nulls(json_build_object('kind', 'task', 'id', t.agent_turn_id, 'rev', t.rev, 'status', t.status,
      'agent_id', t.agent_id, 'root_turn_id', t.root_turn_id, 'output_box_id', t.output_box_id,
      'deliverable_card_id', t.deliverable_card_id, 'error_code', t.error_code)) WHERE t.tells & 4 > 0
    UNION ALL
    SELECT 4, json_strip_nulls(json_build_object('kind', 'box', 'id', t.output_box_id, 'rev', t.box_rev, 'box_kind', t.box_kind,
      'owner_turn_id', t.box_owner_turn_id, 'length', t.box_length, 'token_sum', t.box_token_sum)) WHERE t.tells & 8 > 0
  ) AS told
  UNION ALL
  SELECT a.ordinality, json_strip_nulls(json_build_object('kind', 'agent', 'id', a.agent_id, 'rev', a.rev, 'agent_id', a.agent_id,
    'profile_name', a.profile_name, 'display_name', a.display_name, 'worker_target', a.worker_target,
    'owner_agent_id', a.owner_agent_id, 'derived_from', a.derived_from, 'created_at', state.iso(a.created_at)))::jsonb
  FROM unnest(agents) WITH ORDINALITY AS a
$$;

CREATE OR REPLACE VIEW state.journal AS
SELECT p.project_id, p.pack_id * 1000 + f.n AS event_id, p.xid, 'evt.' || (f.frame ->> 'kind') || '.' || (f.frame ->> 'id') AS subject,
  f.frame ->> 'kind' AS kind, f.frame ->> 'id' AS entity_id, (f.frame ->> 'rev')::bigint AS rev, f.frame, p.created_at
FROM state.journal_packs p CROSS JOIN LATERAL state.frames_of(p.frames, p.turns, p.agents) AS f(n, frame);
