-- A branch is its newest turn (docs/deploy.md, Upgrades): of a child of a fork, the row of its task, its three index entries and the update at its end are
-- gone. What no turn says of a branch is in state.branch_extra, and state.pmo_batch_tasks is a view of both.

-- In the order in which units lock.
LOCK TABLE state.agent_turns, state.pmo_batches, state.pmo_batch_tasks IN ACCESS EXCLUSIVE MODE;

-- A view that went along with the old table would answer what no longer changes.
DO $$
DECLARE
  theirs text;
BEGIN
  SELECT string_agg(DISTINCT r.ev_class::regclass::text, ', ') INTO theirs
  FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
  WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = 'state.pmo_batch_tasks'::regclass
    AND r.ev_class <> 'state.pmo_batch_tasks'::regclass;
  IF theirs IS NOT NULL THEN
    RAISE EXCEPTION 'view % depends on table state.pmo_batch_tasks, which becomes a view: drop it, upgrade, and create it again', theirs;
  END IF;
END $$;

CREATE SCHEMA IF NOT EXISTS before_lean;
ALTER TABLE state.pmo_batch_tasks DROP CONSTRAINT pmo_batch_tasks_project_id_batch_id_fkey;
ALTER TABLE state.pmo_batch_tasks SET SCHEMA before_lean;

-- With the end of a turn that is a branch: what its parent reads of it.
ALTER TABLE state.agent_turns ADD COLUMN summary text, ADD COLUMN pack_ref jsonb;
-- By task_index, the turn that the branch is; null where it has none.
ALTER TABLE state.pmo_batches ADD COLUMN turns text[] NOT NULL DEFAULT '{}';

-- With a status: a branch that has no turn of its own in `turns`. Without: what differs from what its turn says.
CREATE TABLE state.branch_extra (
  project_id     text NOT NULL,
  batch_id       text NOT NULL,
  task_index     integer NOT NULL CHECK (task_index >= 0),
  batch_task_id  text,
  agent_id       text,
  context_box_id text,
  created_at     timestamptz,
  attempts_max   integer CHECK (attempts_max BETWEEN 1 AND 5),
  -- With every try.
  metadata       jsonb,
  agent_turn_id  text,
  attempt_count  integer,
  next_retry_at  timestamptz,
  output_box_id  text,
  error_detail   text,
  result_view    jsonb,
  updated_at     timestamptz NOT NULL DEFAULT now(),
  rev            bigint NOT NULL DEFAULT 1,
  status         text CHECK (status IN ('pending', 'dispatched', 'success', 'failed', 'canceled', 'timeout', 'partial')),
  PRIMARY KEY (project_id, batch_id, task_index),
  FOREIGN KEY (project_id, batch_id) REFERENCES state.pmo_batches (project_id, batch_id) ON DELETE CASCADE,
  CHECK (status <> 'dispatched' OR agent_turn_id IS NOT NULL),
  CHECK (status IS NULL OR (batch_task_id IS NOT NULL AND agent_id IS NOT NULL AND created_at IS NOT NULL AND attempts_max IS NOT NULL
    AND metadata IS NOT NULL AND attempt_count IS NOT NULL))
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX branch_extra_one_task ON state.branch_extra (project_id, batch_task_id) WHERE batch_task_id IS NOT NULL;

-- Looked up key by key, whatever the tables held when a statement was planned: a batch, then its turns and its rows of branch_extra.
CREATE VIEW state.pmo_batch_tasks AS
SELECT b.project_id, coalesce(x.batch_task_id, t.batch_task_id) AS batch_task_id, b.batch_id,
  coalesce(x.agent_id, t.agent_id) AS agent_id, coalesce(x.context_box_id, t.context_box_id) AS context_box_id,
  (u.n - 1)::integer AS task_index, coalesce(x.created_at, b.created_at) AS created_at,
  CASE WHEN t.agent_turn_id IS NULL THEN x.metadata ELSE jsonb_strip_nulls(jsonb_build_object('title', t.title,
    'profile_name', t.profile_name, 'target_strategy', t.target_strategy, 'child_trace_id', t.trace_id, 'parent_trace_id', p.trace_id,
    'parent_traceparent', '00-' || p.trace_id || '-' || right(t.batch_task_id, 16) || '-01', 'dispatch_channel_id', t.channel))
    || coalesce(x.metadata, '{}') END AS metadata,
  coalesce(t.agent_turn_id, x.agent_turn_id) AS agent_turn_id, coalesce(x.attempt_count, 1) AS attempt_count, x.next_retry_at,
  coalesce(x.output_box_id, CASE WHEN t.ended_at IS NOT NULL THEN t.output_box_id END) AS output_box_id,
  coalesce(x.error_detail, CASE WHEN t.ended_at IS NOT NULL THEN coalesce(t.error, t.error_code) END) AS error_detail,
  coalesce(x.result_view, CASE WHEN t.ended_at IS NOT NULL THEN jsonb_strip_nulls(jsonb_build_object('task_index', u.n - 1,
    'status', t.status, 'summary', t.summary, 'output_box_id', t.output_box_id, 'agent_id', t.agent_id,
    'agent_turn_id', t.agent_turn_id, 'context_pack_ref', t.pack_ref,
    'error', CASE WHEN t.status <> 'success' THEN coalesce(t.error, t.error_code) END)) END) AS result_view,
  greatest(x.updated_at, t.created_at, t.ended_at) AS updated_at,
  coalesce(x.rev, 1) + CASE WHEN t.ended_at IS NULL THEN 0 ELSE 1 END AS rev,
  coalesce(x.status, CASE WHEN t.ended_at IS NULL THEN 'dispatched' ELSE t.status END) AS status,
  coalesce(x.attempts_max, 1) AS attempts_max
FROM state.pmo_batches b
LEFT JOIN LATERAL (SELECT p.trace_id FROM state.agent_turns p
  WHERE p.project_id = b.project_id AND p.agent_turn_id = b.parent_agent_turn_id OFFSET 0) p ON true
CROSS JOIN LATERAL unnest(b.turns) WITH ORDINALITY AS u(agent_turn_id, n)
LEFT JOIN LATERAL (SELECT t.agent_turn_id, t.batch_task_id, t.agent_id, t.context_box_id, t.title, t.profile_name, t.target_strategy,
    t.trace_id, t.channel, t.output_box_id, t.error, t.error_code, t.summary, t.pack_ref, t.created_at, t.ended_at, t.status
  FROM state.agent_turns t WHERE t.project_id = b.project_id AND t.agent_turn_id = u.agent_turn_id OFFSET 0) t ON true
LEFT JOIN LATERAL (SELECT x.batch_task_id, x.agent_id, x.context_box_id, x.created_at, x.metadata, x.agent_turn_id, x.attempt_count,
    x.attempts_max, x.next_retry_at, x.output_box_id, x.error_detail, x.result_view, x.updated_at, x.rev, x.status
  FROM state.branch_extra x WHERE x.project_id = b.project_id AND x.batch_id = b.batch_id AND x.task_index = u.n - 1 OFFSET 0) x ON true
WHERE t.agent_turn_id IS NOT NULL OR x.status IS NOT NULL;

-- Whoever might read the old table may read what has its name now.
DO $$
DECLARE
  said record;
BEGIN
  -- What ALTER DEFAULT PRIVILEGES gave the new one may have been taken from the old one.
  FOR said IN
    SELECT DISTINCT CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee
    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
    WHERE c.oid = 'state.pmo_batch_tasks'::regclass AND g.grantee <> c.relowner
  LOOP
    EXECUTE format('REVOKE ALL ON state.pmo_batch_tasks FROM %s', said.grantee);
  END LOOP;
  -- Not where policies said who sees which rows: without them, everybody who may read would read all.
  FOR said IN
    SELECT g.privilege_type AS privilege, CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee,
      CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END AS more, coalesce('(' || quote_ident(acl.of_column) || ')', '') AS part
    FROM pg_class c CROSS JOIN LATERAL (
      SELECT c.relacl AS acl, NULL::name AS of_column
      UNION ALL
      SELECT a.attacl, a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attacl IS NOT NULL AND NOT a.attisdropped
    ) acl CROSS JOIN LATERAL aclexplode(acl.acl) g
    WHERE c.oid = 'before_lean.pmo_batch_tasks'::regclass AND NOT c.relrowsecurity AND g.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s %s ON state.pmo_batch_tasks TO %s%s', said.privilege, said.part, said.grantee, said.more);
  END LOOP;
END $$;

-- Which branches their turns can stand for. Of a row that was behind its turn, the turn decides, as it always has.
CREATE TEMP TABLE fitting ON COMMIT DROP AS
SELECT k.project_id, k.batch_id, k.task_index, k.agent_turn_id, k.status = 'dispatched' AND t.ended_at IS NOT NULL AS is_behind
FROM before_lean.pmo_batch_tasks k
JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
WHERE t.batch_id = k.batch_id AND t.task_index = k.task_index
  AND (k.status = 'dispatched' OR (t.ended_at IS NOT NULL AND k.status = t.status AND k.result_view IS NOT NULL
    AND (k.output_box_id IS NOT NULL OR t.output_box_id IS NULL) AND (k.error_detail IS NOT NULL OR coalesce(t.error, t.error_code) IS NULL)));
CREATE UNIQUE INDEX ON fitting (project_id, batch_id, task_index);
ANALYZE fitting;

DO $$
DECLARE
  odd record;
BEGIN
  SELECT k.project_id, k.batch_id, k.task_index, k.agent_turn_id INTO odd FROM before_lean.pmo_batch_tasks k
  LEFT JOIN fitting f USING (project_id, batch_id, task_index)
  WHERE k.status = 'dispatched' AND f.batch_id IS NULL LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'task % of batch % in project % runs as turn %, which is not there or belongs to another batch: start the previous version, stop the turn that forked, and upgrade again',
      odd.task_index, odd.batch_id, odd.project_id, odd.agent_turn_id;
  END IF;
END $$;

UPDATE state.pmo_batches b SET turns = l.turns FROM (
  SELECT o.project_id, o.batch_id, array_agg(f.agent_turn_id ORDER BY i.n) AS turns
  FROM state.pmo_batches o
  -- As many as there are, whatever an import may once have said of their number.
  CROSS JOIN LATERAL (SELECT least(max(k.task_index), 9999) AS last FROM before_lean.pmo_batch_tasks k
    WHERE k.project_id = o.project_id AND k.batch_id = o.batch_id) k
  CROSS JOIN LATERAL generate_series(0, k.last) AS i(n)
  LEFT JOIN fitting f ON f.project_id = o.project_id AND f.batch_id = o.batch_id AND f.task_index = i.n
  GROUP BY o.project_id, o.batch_id) l
WHERE b.project_id = l.project_id AND b.batch_id = l.batch_id;

UPDATE state.agent_turns t SET summary = k.result_view ->> 'summary', pack_ref = k.result_view -> 'context_pack_ref'
FROM before_lean.pmo_batch_tasks k JOIN fitting f USING (project_id, batch_id, task_index)
WHERE t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id AND k.result_view ?| '{summary,context_pack_ref}';

-- Branches without a turn, as they are.
INSERT INTO state.branch_extra (project_id, batch_id, task_index, batch_task_id, agent_id, context_box_id, created_at, attempts_max, metadata,
  agent_turn_id, attempt_count, next_retry_at, output_box_id, error_detail, result_view, updated_at, rev, status)
SELECT k.project_id, k.batch_id, k.task_index, k.batch_task_id, k.agent_id, k.context_box_id, k.created_at, k.attempts_max, k.metadata,
  k.agent_turn_id, k.attempt_count, k.next_retry_at, k.output_box_id, k.error_detail, k.result_view, k.updated_at, k.rev, k.status
FROM before_lean.pmo_batch_tasks k
WHERE NOT EXISTS (SELECT 1 FROM fitting f WHERE f.project_id = k.project_id AND f.batch_id = k.batch_id AND f.task_index = k.task_index);

-- And of the others what their turn does not say. The span of parent_traceparent was a random one that nobody else has recorded; it is
-- derived from the branch's id now. The code that a plan kept for a turn is the turn's.
INSERT INTO state.branch_extra (project_id, batch_id, task_index, batch_task_id, agent_id, context_box_id, created_at, attempts_max, metadata,
  attempt_count, output_box_id, error_detail, result_view, updated_at, rev)
SELECT k.project_id, k.batch_id, k.task_index, nullif(k.batch_task_id, d.batch_task_id), nullif(k.agent_id, d.agent_id),
  nullif(k.context_box_id, d.context_box_id), nullif(k.created_at, d.created_at), nullif(k.attempts_max, 1), m.more, nullif(k.attempt_count, 1),
  CASE WHEN NOT f.is_behind THEN nullif(k.output_box_id, d.output_box_id) END, CASE WHEN NOT f.is_behind THEN nullif(k.error_detail, d.error_detail) END,
  CASE WHEN NOT f.is_behind AND k.result_view IS DISTINCT FROM d.result_view THEN k.result_view END, k.updated_at,
  k.rev - CASE WHEN k.status = 'dispatched' THEN 0 ELSE 1 END
FROM before_lean.pmo_batch_tasks k
JOIN fitting f USING (project_id, batch_id, task_index)
CROSS JOIN LATERAL (SELECT d.batch_task_id, d.agent_id, d.context_box_id, d.created_at, d.metadata, d.output_box_id, d.error_detail, d.result_view,
    d.rev FROM state.pmo_batch_tasks d
  WHERE d.project_id = k.project_id AND d.batch_id = k.batch_id AND d.task_index = k.task_index OFFSET 0) d
CROSS JOIN LATERAL (SELECT jsonb_object_agg(e.key, e.value) AS more FROM jsonb_each(k.metadata) AS e(key, value)
  WHERE e.key NOT IN ('parent_traceparent', 'headcode', 'turn') AND e.value IS DISTINCT FROM d.metadata -> e.key) m
WHERE m.more IS NOT NULL OR k.attempts_max <> 1 OR k.attempt_count <> 1 OR k.created_at <> d.created_at
  OR k.batch_task_id IS DISTINCT FROM d.batch_task_id OR k.agent_id <> d.agent_id OR k.context_box_id IS DISTINCT FROM d.context_box_id
  OR (NOT f.is_behind AND (k.rev <> d.rev OR k.result_view IS DISTINCT FROM d.result_view
    OR k.output_box_id IS DISTINCT FROM d.output_box_id OR k.error_detail IS DISTINCT FROM d.error_detail));

-- The view answers what the table did, or nothing is done. Where a row said less of its hand-over than its turn does, the view says more.
DO $$
DECLARE
  odd record;
BEGIN
  WITH before AS (
    SELECT k.project_id, count(*) AS n, md5(string_agg(md5(concat_ws('|', k.batch_task_id, k.batch_id, k.task_index, k.agent_id, k.context_box_id,
        k.agent_turn_id, k.attempt_count, k.attempts_max, k.next_retry_at, k.created_at, k.metadata - '{parent_traceparent,headcode,turn}'::text[],
        CASE WHEN f.is_behind THEN '' ELSE concat_ws('|', k.status, k.rev, k.output_box_id, k.error_detail, k.result_view) END)),
      '' ORDER BY k.batch_id, k.task_index)) AS digest
    FROM before_lean.pmo_batch_tasks k LEFT JOIN fitting f USING (project_id, batch_id, task_index) GROUP BY k.project_id
  ), after AS (
    SELECT k.project_id, count(*) AS n, md5(string_agg(md5(concat_ws('|', k.batch_task_id, k.batch_id, k.task_index, k.agent_id, CASE WHEN o.context_box_id IS NOT NULL THEN k.context_box_id END,
        k.agent_turn_id, k.attempt_count, k.attempts_max, k.next_retry_at, k.created_at, m.metadata,
        CASE WHEN f.is_behind THEN '' ELSE concat_ws('|', k.status, k.rev, k.output_box_id, k.error_detail, k.result_view) END)),
      '' ORDER BY k.batch_id, k.task_index)) AS digest
    FROM state.pmo_batch_tasks k
    LEFT JOIN before_lean.pmo_batch_tasks o ON o.project_id = k.project_id AND o.batch_id = k.batch_id AND o.task_index = k.task_index
    LEFT JOIN fitting f ON f.project_id = k.project_id AND f.batch_id = k.batch_id AND f.task_index = k.task_index
    CROSS JOIN LATERAL (SELECT coalesce(jsonb_object_agg(e.key, e.value), '{}') AS metadata FROM jsonb_each(k.metadata) AS e(key, value)
      WHERE o.metadata ? e.key AND e.key NOT IN ('parent_traceparent', 'headcode', 'turn')) m
    GROUP BY k.project_id
  )
  SELECT coalesce(b.project_id, a.project_id) AS project_id, coalesce(b.n, 0) AS had, coalesce(a.n, 0) AS has INTO odd
  FROM before b FULL JOIN after a USING (project_id) WHERE b.n IS DISTINCT FROM a.n OR b.digest IS DISTINCT FROM a.digest LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the branches of project % would not be the same after the upgrade: % before, % after. Nothing is changed; start the previous version, and report this with the rows of state.pmo_batch_tasks of the project',
      odd.project_id, odd.had, odd.has;
  END IF;
END $$;

-- Not where there is nothing yet: of a table that was looked at while it was empty, plans read every row.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM state.pmo_batches) THEN
    ANALYZE state.pmo_batches, state.branch_extra;
  END IF;
END $$;
