-- Who called whom, and who made whom, is told by the rows that say so anyway: a turn is the request and the response of its call, a
-- batch those of its join, an agent how it came to be. Every branch of a fork wrote three more rows, with thirteen index entries, to
-- say it again. The names of the tables stay, as views. Rows that nothing else tells, and all that are older, stay in the tables,
-- whole and under their ids: tool calls, recorded runs with edges of their own, changes of agents.

-- In the order in which units lock.
LOCK TABLE state.agent_turns, state.pmo_batches, state.execution_edges, state.identity_edges, resource.project_agents
  IN ACCESS EXCLUSIVE MODE;

-- What would stop one of the next four steps stops this one, while nothing is changed and the previous version still starts.
DO $$
DECLARE
  theirs record; odd record;
BEGIN
  LOCK TABLE state.pmo_batch_tasks, public.card_box_chunks IN ACCESS EXCLUSIVE MODE;
  SELECT DISTINCT r.ev_class::regclass AS name, d.refobjid::regclass AS of INTO theirs
  FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
  WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND r.ev_class <> d.refobjid
    AND d.refobjid = ANY ('{state.execution_edges,state.identity_edges,state.pmo_batch_tasks,public.card_box_chunks}'::regclass[]::oid[]) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'view % depends on table %, which becomes a view: drop it, upgrade, and create it again', theirs.name, theirs.of;
  END IF;
  SELECT c.conrelid::regclass AS name, c.conname, c.confrelid::regclass AS of INTO theirs FROM pg_constraint c
  WHERE c.contype = 'f'
    AND c.confrelid = ANY ('{state.execution_edges,state.identity_edges,state.pmo_batch_tasks,public.card_box_chunks}'::regclass[]::oid[]) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'foreign key % of table % refers to table %, which becomes a view: drop it and upgrade again', theirs.conname, theirs.name, theirs.of;
  END IF;
  SELECT k.task_index, k.batch_id, k.project_id, k.agent_turn_id INTO odd FROM state.pmo_batch_tasks k
  LEFT JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id AND t.batch_id = k.batch_id
    AND t.task_index = k.task_index
  WHERE k.status = 'dispatched' AND t.agent_turn_id IS NULL LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'task % of batch % in project % runs as turn %, which is not there or belongs to another batch: start the previous version, stop the turn that forked, and upgrade again',
      odd.task_index, odd.batch_id, odd.project_id, odd.agent_turn_id;
  END IF;
END $$;

CREATE TABLE state.edges_before AS
  SELECT project_id, 'execution' AS of, count(*) AS n, sum(hashtextextended(e::text, 0)::numeric) AS digest FROM (
    SELECT project_id, edge_id, primitive, edge_phase, source_agent_id, source_turn_id, source_step_id, target_agent_id,
      target_turn_id, root_turn_id, correlation_id, client_call_key, recursion_depth, trace_id, parent_step_id, is_inferred,
      metadata, created_at FROM state.execution_edges) e GROUP BY project_id
  UNION ALL
  SELECT project_id, 'identity', count(*), sum(hashtextextended(e::text, 0)::numeric) FROM (
    SELECT project_id, edge_id, action, source_agent_id, target_agent_id, trace_id, parent_step_id, metadata, created_at
    FROM state.identity_edges) e GROUP BY project_id;

ALTER TABLE state.execution_edges RENAME TO edge_extra;
ALTER TABLE state.edge_extra RENAME CONSTRAINT execution_edges_pkey TO edge_extra_pkey;
ALTER TABLE state.edge_extra RENAME CONSTRAINT execution_edges_project_id_correlation_id_primitive_edge_ph_key
  TO edge_extra_project_id_correlation_id_primitive_edge_phase_key;
ALTER TABLE state.edge_extra RENAME CONSTRAINT execution_edges_project_id_fkey TO edge_extra_project_id_fkey;
ALTER TABLE state.edge_extra RENAME CONSTRAINT execution_edges_primitive_check TO edge_extra_primitive_check;
ALTER TABLE state.edge_extra RENAME CONSTRAINT execution_edges_edge_phase_check TO edge_extra_edge_phase_check;
ALTER TABLE state.edge_extra RENAME CONSTRAINT execution_edges_recursion_depth_check TO edge_extra_recursion_depth_check;
ALTER INDEX state.execution_edges_by_run RENAME TO edge_extra_by_run;
ALTER INDEX state.execution_edges_by_source RENAME TO edge_extra_by_source;
ALTER INDEX state.execution_edges_by_target RENAME TO edge_extra_by_target;

ALTER TABLE state.identity_edges RENAME TO identity_extra;
ALTER TABLE state.identity_extra RENAME CONSTRAINT identity_edges_pkey TO identity_extra_pkey;
ALTER TABLE state.identity_extra RENAME CONSTRAINT identity_edges_project_id_fkey TO identity_extra_project_id_fkey;
ALTER TABLE state.identity_extra RENAME CONSTRAINT identity_edges_action_check TO identity_extra_action_check;
ALTER INDEX state.identity_edges_by_source RENAME TO identity_extra_by_source;
ALTER INDEX state.identity_edges_by_target RENAME TO identity_extra_by_target;
-- Ids of agents are not in the order of time, so the list of both is in that of the clock.
CREATE INDEX identity_extra_by_age ON state.identity_extra (project_id, created_at, edge_id);

-- False for every row that is there: its edges are in the table. No row is written anew for it.
ALTER TABLE state.agent_turns
  ADD COLUMN tells_request boolean NOT NULL DEFAULT false,
  ADD COLUMN tells_response boolean NOT NULL DEFAULT false,
  -- (turn, client's call id) of the call that made it: a repeated call is recognised by it.
  ADD COLUMN client_call_key text,
  ADD COLUMN context_pack_ref jsonb;
ALTER TABLE state.agent_turns ALTER COLUMN tells_request SET DEFAULT true, ALTER COLUMN tells_response SET DEFAULT true;
ALTER TABLE state.pmo_batches
  ADD COLUMN tells_request boolean NOT NULL DEFAULT false,
  ADD COLUMN tells_response boolean NOT NULL DEFAULT false,
  ADD COLUMN parent_step_id text;
ALTER TABLE state.pmo_batches ALTER COLUMN tells_request SET DEFAULT true, ALTER COLUMN tells_response SET DEFAULT true;

DROP INDEX state.execution_edges_one_call;
CREATE UNIQUE INDEX agent_turns_one_call ON state.agent_turns (project_id, client_call_key) WHERE client_call_key IS NOT NULL;

-- What has not ended has no response yet, and nobody writes it any more.
UPDATE state.agent_turns SET tells_response = true WHERE ended_at IS NULL;
UPDATE state.pmo_batches SET tells_response = true WHERE ended_at IS NULL;
-- A call can be repeated while its turn runs.
UPDATE state.agent_turns t SET client_call_key = e.client_call_key
FROM state.edge_extra e
JOIN state.agent_turns caller ON caller.project_id = e.project_id AND caller.agent_turn_id = e.source_turn_id AND caller.ended_at IS NULL
WHERE e.client_call_key IS NOT NULL AND t.project_id = e.project_id AND t.agent_turn_id = e.target_turn_id;

-- How an agent came to be; no action = identity_extra tells it.
ALTER TABLE resource.project_agents
  ADD COLUMN made_action text CHECK (made_action IN ('provision', 'derive')),
  ADD COLUMN made_by text,
  ADD COLUMN made_trace_id text,
  ADD COLUMN made_step_id text;
CREATE INDEX project_agents_by_maker ON resource.project_agents (project_id, made_by) WHERE made_by IS NOT NULL;

-- One table in each part, and its columns as they are, so that a look-up by turn, agent, run or correlation uses the table's index.
-- Ids are those of their rows, and like those in the order of time: server/kernel/turns/edge-ids.ts makes the same.
CREATE VIEW state.execution_edges AS
SELECT e.project_id, e.edge_id, e.primitive, e.edge_phase, e.source_agent_id, e.source_turn_id, e.source_step_id, e.target_agent_id,
  e.target_turn_id, e.root_turn_id, e.correlation_id, e.client_call_key, e.recursion_depth, e.trace_id, e.parent_step_id,
  e.is_inferred, e.metadata, e.created_at
FROM state.edge_extra e
UNION ALL
SELECT t.project_id, 'edge_' || substr(t.agent_turn_id, 6), 'enqueue', 'request',
  (SELECT p.agent_id FROM state.agent_turns p WHERE p.project_id = t.project_id AND p.agent_turn_id = t.parent_turn_id),
  t.parent_turn_id, t.parent_step_id, t.agent_id, t.agent_turn_id, t.root_turn_id, t.agent_turn_id, t.client_call_key, t.depth,
  t.trace_id, t.parent_step_id, false,
  jsonb_build_object('primitive', t.primitive, 'target_strategy', t.target_strategy)
    || CASE WHEN t.context_pack_ref IS NULL THEN '{}' ELSE jsonb_build_object('context_pack_ref', t.context_pack_ref) END,
  t.created_at
FROM state.agent_turns t
WHERE t.tells_request AND t.parent_turn_id IS NOT NULL AND t.primitive <> 'ui_action'
UNION ALL
SELECT t.project_id, 'edge_' || substr(t.agent_turn_id, 6) || '_end', 'enqueue', 'response', t.agent_id, t.agent_turn_id, NULL,
  (SELECT p.agent_id FROM state.agent_turns p WHERE p.project_id = t.project_id AND p.agent_turn_id = t.parent_turn_id),
  t.parent_turn_id, t.root_turn_id, t.agent_turn_id, NULL, t.depth, t.trace_id, NULL, false, '{}'::jsonb, t.ended_at
FROM state.agent_turns t
WHERE t.tells_response AND t.parent_turn_id IS NOT NULL AND t.primitive <> 'ui_action' AND t.ended_at IS NOT NULL
UNION ALL
SELECT b.project_id, 'edge_' || substr(b.batch_id, 7), 'join', 'request', b.parent_agent_id, b.parent_agent_turn_id, b.parent_step_id,
  NULL, NULL, b.root_turn_id, b.batch_id, NULL,
  (SELECT p.depth FROM state.agent_turns p WHERE p.project_id = b.project_id AND p.agent_turn_id = b.parent_agent_turn_id),
  (SELECT p.trace_id FROM state.agent_turns p WHERE p.project_id = b.project_id AND p.agent_turn_id = b.parent_agent_turn_id),
  NULL, false, jsonb_build_object('task_count', b.task_count), b.created_at
FROM state.pmo_batches b
WHERE b.tells_request
UNION ALL
SELECT b.project_id, 'edge_' || substr(b.batch_id, 7) || '_end', 'join', 'response', NULL, NULL, NULL, b.parent_agent_id,
  b.parent_agent_turn_id, b.root_turn_id, b.batch_id, NULL,
  (SELECT p.depth FROM state.agent_turns p WHERE p.project_id = b.project_id AND p.agent_turn_id = b.parent_agent_turn_id),
  (SELECT p.trace_id FROM state.agent_turns p WHERE p.project_id = b.project_id AND p.agent_turn_id = b.parent_agent_turn_id),
  NULL, false, jsonb_build_object('status', b.status), b.ended_at
FROM state.pmo_batches b
WHERE b.tells_response AND b.ended_at IS NOT NULL;

CREATE VIEW state.identity_edges AS
SELECT e.project_id, e.edge_id, e.action, e.source_agent_id, e.target_agent_id, e.trace_id, e.parent_step_id, e.metadata, e.created_at
FROM state.identity_extra e
UNION ALL
SELECT a.project_id, 'edge_' || a.agent_id, a.made_action, a.made_by, a.agent_id, a.made_trace_id, a.made_step_id, '{}'::jsonb, a.created_at
FROM resource.project_agents a
WHERE a.made_action IS NOT NULL;

-- Every row of before is answered, and no other.
DO $$
DECLARE differs record;
BEGIN
  FOR differs IN
    SELECT coalesce(a.project_id, b.project_id) AS project_id, coalesce(a.of, b.of) AS of, coalesce(b.n, 0) AS before, coalesce(a.n, 0) AS after
    FROM state.edges_before b FULL JOIN (
      SELECT project_id, 'execution' AS of, count(*) AS n, sum(hashtextextended(e::text, 0)::numeric) AS digest FROM (
        SELECT project_id, edge_id, primitive, edge_phase, source_agent_id, source_turn_id, source_step_id, target_agent_id,
          target_turn_id, root_turn_id, correlation_id, client_call_key, recursion_depth, trace_id, parent_step_id, is_inferred,
          metadata, created_at FROM state.execution_edges) e GROUP BY project_id
      UNION ALL
      SELECT project_id, 'identity', count(*), sum(hashtextextended(e::text, 0)::numeric) FROM (
        SELECT project_id, edge_id, action, source_agent_id, target_agent_id, trace_id, parent_step_id, metadata, created_at
        FROM state.identity_edges) e GROUP BY project_id
    ) a USING (project_id, of)
    WHERE (a.n, a.digest) IS DISTINCT FROM (b.n, b.digest) LIMIT 1
  LOOP
    RAISE EXCEPTION 'project % has % % edges and the view answers % that are not the same. Nothing was changed. Restore the table from a backup, or report this with the output of: SELECT edge_id FROM state.%_edges WHERE project_id = ''%''',
      differs.project_id, differs.before, differs.of, differs.after, differs.of, differs.project_id;
  END LOOP;
END $$;
DROP TABLE state.edges_before;

-- Whoever might read the tables may read the views.
DO $$
DECLARE
  old_table regclass; new_view regclass; said record;
BEGIN
  FOR old_table, new_view IN VALUES
    ('state.edge_extra'::regclass, 'state.execution_edges'::regclass), ('state.identity_extra', 'state.identity_edges')
  LOOP
    -- What ALTER DEFAULT PRIVILEGES gave the view may have been taken from the table.
    FOR said IN
      SELECT DISTINCT CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g WHERE c.oid = new_view AND g.grantee <> c.relowner
    LOOP
      EXECUTE format('REVOKE ALL ON %s FROM %s', new_view, said.grantee);
    END LOOP;
    -- Not where policies said who sees which rows: without them, everybody who may read would read all.
    FOR said IN
      SELECT CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee,
        CASE WHEN g.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END AS more, coalesce('(' || quote_ident(acl.of_column) || ')', '') AS part
      FROM pg_class c CROSS JOIN LATERAL (
        SELECT c.relacl AS acl, NULL::name AS of_column
        UNION ALL
        SELECT a.attacl, a.attname FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attacl IS NOT NULL AND NOT a.attisdropped
      ) acl CROSS JOIN LATERAL aclexplode(acl.acl) g
      WHERE c.oid = old_table AND NOT c.relrowsecurity AND g.grantee <> c.relowner AND g.privilege_type = 'SELECT'
    LOOP
      EXECUTE format('GRANT SELECT %s ON %s TO %s%s', said.part, new_view, said.grantee, said.more);
    END LOOP;
  END LOOP;
END $$;
