-- What an agent does now is told by its own row and its live turn's (docs/deploy.md, Upgrades): of an agent, the row of its head, the row of its
-- pointers, their index entries and two updates a turn are gone. state.agent_state_head and state.agent_state_pointers are views.

-- In the order in which units lock.
LOCK TABLE state.agent_turns, resource.project_agents, state.agent_state_head, state.agent_state_pointers, state.turn_waiting_tools
  IN ACCESS EXCLUSIVE MODE;

-- A view that went along with the old tables would answer what no longer changes.
DO $$
DECLARE
  theirs text;
BEGIN
  SELECT string_agg(DISTINCT format('view %s depends on table %s', r.ev_class::regclass, d.refobjid::regclass), ', ') INTO theirs
  FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
  WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
    AND d.refobjid IN ('state.agent_state_head'::regclass, 'state.agent_state_pointers'::regclass) AND r.ev_class <> d.refobjid;
  IF theirs IS NOT NULL THEN
    RAISE EXCEPTION '%, which becomes a view: drop it, upgrade, and create it again', theirs;
  END IF;
  SELECT string_agg(format('foreign key %s of %s', c.conname, c.conrelid::regclass), ', ') INTO theirs FROM pg_constraint c
  WHERE c.contype = 'f' AND c.confrelid IN ('state.agent_state_head'::regclass, 'state.agent_state_pointers'::regclass);
  IF theirs IS NOT NULL THEN
    RAISE EXCEPTION '% refers to a table which becomes a view: drop it, upgrade, and do without', theirs;
  END IF;
END $$;

CREATE SCHEMA heads_before;
ALTER TABLE state.agent_state_head SET SCHEMA heads_before;
ALTER TABLE state.agent_state_pointers SET SCHEMA heads_before;

-- At the end of the row, those that change most often last: the log has the rest of it only once. None of them has an index, or an end of
-- a turn would write an entry of every other index of its agent too.
ALTER TABLE resource.project_agents
  ADD COLUMN memory_context_box_id text,
  ADD COLUMN last_output_box_id text,
  -- The highest that it has leased; of a turn that was resumed, from its end on.
  ADD COLUMN turn_epoch bigint NOT NULL DEFAULT 0,
  -- From its lease to its end; null = idle. One column, so that an agent has one (K1).
  ADD COLUMN active_turn text;
-- Room for a second version of every row of a page: the end of its first turn.
ALTER TABLE resource.project_agents SET (fillfactor = 45);

-- The head decided what a turn might do. Where somebody changed one of the two by hand, the turn is set to what the head says.
UPDATE state.agent_turns t SET status = h.status, turn_epoch = h.turn_epoch, lease_holder = h.lease_holder, heartbeat_at = h.heartbeat_at,
  output_box_id = coalesce(h.output_box_id, t.output_box_id), rev = t.rev + 1
FROM heads_before.agent_state_head h
WHERE h.active_agent_turn_id IS NOT NULL AND t.project_id = h.project_id AND t.agent_turn_id = h.active_agent_turn_id
  AND t.agent_id = h.agent_id AND t.ended_at IS NULL AND NOT t.is_human AND coalesce(h.output_box_id, t.output_box_id) IS NOT NULL
  AND (t.status, t.turn_epoch, t.lease_holder, t.output_box_id)
    IS DISTINCT FROM (h.status, h.turn_epoch, h.lease_holder, coalesce(h.output_box_id, t.output_box_id));
-- Its row in the queue goes with it; one that sleeps has none.
INSERT INTO state.due (project_id, agent_turn_id, turn_epoch, worker_target, needs_own_worker, run_key, attempt)
SELECT t.project_id, t.agent_turn_id, t.turn_epoch, t.worker_target, t.needs_own_worker, hashtext(t.root_turn_id), t.attempt
FROM state.agent_turns t JOIN heads_before.agent_state_head h ON h.project_id = t.project_id AND h.active_agent_turn_id = t.agent_turn_id
WHERE t.status IN ('dispatched', 'running') AND NOT t.is_human
ON CONFLICT DO NOTHING;
DELETE FROM state.due d USING state.agent_turns t
WHERE t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id AND (t.status = 'suspended' OR t.ended_at IS NOT NULL);
UPDATE state.due d SET turn_epoch = t.turn_epoch,
  -- What is dispatched is in no queue, unless a limit of its run holds it.
  queued_for = CASE WHEN t.status <> 'running' AND d.is_held THEN d.queued_for END, is_held = d.is_held AND t.status <> 'running',
  claimed_by = CASE WHEN t.status = 'running' THEN coalesce(t.lease_holder, '?') END,
  claimed_at = CASE WHEN t.status = 'running' THEN coalesce(d.claimed_at, now()) END,
  heartbeat_at = CASE WHEN t.status = 'running' THEN coalesce(t.heartbeat_at, now()) END
FROM state.agent_turns t
WHERE t.project_id = d.project_id AND t.agent_turn_id = d.agent_turn_id AND t.status IN ('dispatched', 'running')
  AND (d.turn_epoch <> t.turn_epoch OR (t.status = 'running') <> (d.heartbeat_at IS NOT NULL)
    OR t.status = 'dispatched' AND d.queued_for IS NOT NULL AND NOT d.is_held);

-- A head whose turn is over, or gone, is that of an idle agent. An agent without a head has the one that its turns tell: the rescue used to
-- make it.
CREATE TEMP TABLE told ON COMMIT DROP AS
SELECT a.project_id, a.agent_id, p.memory_context_box_id, p.last_output_box_id,
  greatest(h.turn_epoch, live.turn_epoch, CASE WHEN h.agent_id IS NULL THEN past.turn_epoch END, 0) AS turn_epoch,
  live.agent_turn_id AS active_turn
FROM resource.project_agents a
LEFT JOIN heads_before.agent_state_head h ON h.project_id = a.project_id AND h.agent_id = a.agent_id
LEFT JOIN heads_before.agent_state_pointers p ON p.project_id = a.project_id AND p.agent_id = a.agent_id
LEFT JOIN (
  SELECT t.project_id, t.agent_id, max(t.turn_epoch) AS turn_epoch FROM state.agent_turns t
  WHERE NOT t.is_human AND t.leased_at IS NOT NULL GROUP BY 1, 2
) past ON past.project_id = a.project_id AND past.agent_id = a.agent_id
LEFT JOIN (
  SELECT DISTINCT ON (t.project_id, t.agent_id) t.project_id, t.agent_id, t.agent_turn_id, t.turn_epoch FROM state.agent_turns t
  LEFT JOIN heads_before.agent_state_head o ON o.project_id = t.project_id AND o.agent_id = t.agent_id
  WHERE t.status IN ('dispatched', 'running', 'suspended') AND NOT t.is_human
    AND (o.agent_id IS NULL OR o.active_agent_turn_id = t.agent_turn_id)
  ORDER BY t.project_id, t.agent_id, t.turn_epoch DESC, t.agent_turn_id DESC
) live ON live.project_id = a.project_id AND live.agent_id = a.agent_id;

UPDATE resource.project_agents a SET memory_context_box_id = n.memory_context_box_id, last_output_box_id = n.last_output_box_id,
  turn_epoch = n.turn_epoch, active_turn = n.active_turn
FROM told n WHERE a.project_id = n.project_id AND a.agent_id = n.agent_id
  AND (n.turn_epoch > 0 OR n.active_turn IS NOT NULL OR n.last_output_box_id IS NOT NULL OR n.memory_context_box_id IS NOT NULL);

-- Turns that sleep, by project: an index of live turns would be written with every end.
CREATE INDEX turn_waiting_tools_open ON state.turn_waiting_tools (project_id, agent_turn_id) WHERE wait_status IN ('waiting', 'received');

-- Looked up key by key: an agent, its live turn, the lease of one that runs, and what one that sleeps waits for.
CREATE VIEW state.agent_state_head AS
SELECT a.project_id, a.agent_id, t.agent_turn_id AS active_agent_turn_id, coalesce(t.profile_box_id, a.profile_box_id) AS profile_box_id,
  t.context_box_id, t.output_box_id, t.parent_step_id, t.trace_id, t.leased_at, greatest(a.turn_epoch, t.turn_epoch) AS turn_epoch,
  w.deadline AS resume_deadline, greatest(t.heartbeat_at, d.heartbeat_at) AS heartbeat_at, CASE WHEN t.status = 'dispatched' THEN t.leased_at END AS rung_at,
  greatest(a.created_at, a.last_seen_at, t.leased_at, t.started_at, w.moved_at) AS updated_at, coalesce(w.n, 0) AS waiting_tool_count,
  coalesce(t.status, 'idle') AS status, t.lease_holder
FROM resource.project_agents a
LEFT JOIN LATERAL (SELECT t.agent_turn_id, t.profile_box_id, t.context_box_id, t.output_box_id, t.parent_step_id, t.trace_id, t.leased_at,
    t.turn_epoch, t.heartbeat_at, t.started_at, t.status, t.lease_holder
  FROM state.agent_turns t WHERE t.project_id = a.project_id AND t.agent_turn_id = a.active_turn AND t.ended_at IS NULL OFFSET 0) t ON true
LEFT JOIN LATERAL (SELECT d.heartbeat_at FROM state.due d
  WHERE t.status = 'running' AND d.project_id = a.project_id AND d.agent_turn_id = t.agent_turn_id OFFSET 0) d ON true
LEFT JOIN LATERAL (SELECT count(*)::integer AS n, CASE WHEN bool_or(w.deadline_at IS NULL) THEN NULL ELSE max(w.deadline_at) END AS deadline,
    max(w.updated_at) AS moved_at
  FROM state.turn_waiting_tools w WHERE t.status = 'suspended' AND w.project_id = a.project_id AND w.agent_turn_id = t.agent_turn_id
    AND w.wait_status IN ('waiting', 'received') OFFSET 0) w ON true;

CREATE VIEW state.agent_state_pointers AS
SELECT a.project_id, a.agent_id, a.memory_context_box_id, a.last_output_box_id, coalesce(a.last_seen_at, a.created_at) AS updated_at
FROM resource.project_agents a WHERE a.last_output_box_id IS NOT NULL OR a.memory_context_box_id IS NOT NULL;

-- Whoever might read an old table may read what has its name now.
DO $$
DECLARE
  said record;
  target text;
BEGIN
  FOREACH target IN ARRAY ARRAY['agent_state_head', 'agent_state_pointers'] LOOP
    -- What ALTER DEFAULT PRIVILEGES gave the new one may have been taken from the old one.
    FOR said IN
      SELECT DISTINCT CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END AS grantee
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
      WHERE c.oid = format('state.%I', target)::regclass AND g.grantee <> c.relowner
    LOOP
      EXECUTE format('REVOKE ALL ON state.%I FROM %s', target, said.grantee);
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
      WHERE c.oid = format('heads_before.%I', target)::regclass AND NOT c.relrowsecurity AND g.grantee <> c.relowner
    LOOP
      EXECUTE format('GRANT %s %s ON state.%I TO %s%s', said.privilege, said.part, target, said.grantee, said.more);
    END LOOP;
  END LOOP;
END $$;

-- The views answer what the tables did, or nothing is done: where nobody changed rows by hand, all of it.
DO $$
DECLARE
  odd record;
BEGIN
  WITH before AS (
    SELECT h.project_id, count(*) AS n, md5(string_agg(md5(concat_ws('|', h.agent_id, h.turn_epoch, p.last_output_box_id, p.memory_context_box_id,
      CASE WHEN t.agent_turn_id IS NOT NULL THEN concat_ws('|', h.active_agent_turn_id, h.status,
        coalesce(h.output_box_id, t.output_box_id), h.lease_holder) END)), '' ORDER BY h.agent_id)) AS digest
    FROM heads_before.agent_state_head h
    LEFT JOIN heads_before.agent_state_pointers p ON p.project_id = h.project_id AND p.agent_id = h.agent_id
    LEFT JOIN state.agent_turns t ON t.project_id = h.project_id AND t.agent_turn_id = h.active_agent_turn_id AND t.agent_id = h.agent_id
      AND t.ended_at IS NULL AND t.status IN ('dispatched', 'running', 'suspended') AND NOT t.is_human
    GROUP BY h.project_id
  ), after AS (
    SELECT h.project_id, count(*) AS n, md5(string_agg(md5(concat_ws('|', h.agent_id, h.turn_epoch, p.last_output_box_id, p.memory_context_box_id,
      CASE WHEN h.active_agent_turn_id IS NOT NULL THEN concat_ws('|', h.active_agent_turn_id, h.status,
        h.output_box_id, h.lease_holder) END)), '' ORDER BY h.agent_id)) AS digest
    FROM heads_before.agent_state_head o
    JOIN state.agent_state_head h ON h.project_id = o.project_id AND h.agent_id = o.agent_id
    LEFT JOIN state.agent_state_pointers p ON p.project_id = h.project_id AND p.agent_id = h.agent_id
    GROUP BY h.project_id
  )
  SELECT coalesce(b.project_id, a.project_id) AS project_id, coalesce(b.n, 0) AS had, coalesce(a.n, 0) AS has INTO odd
  FROM before b FULL JOIN after a USING (project_id) WHERE b.n IS DISTINCT FROM a.n OR b.digest IS DISTINCT FROM a.digest LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the agents of project % would not be the same after the upgrade: % before, % after. Nothing is changed; start the previous version, and report this with the rows of state.agent_state_head of the project',
      odd.project_id, odd.had, odd.has;
  END IF;
END $$;

DROP TABLE heads_before.agent_state_head, heads_before.agent_state_pointers;
DROP SCHEMA heads_before;

-- Not where there is nothing yet: of a table that was looked at while it was empty, plans read every row.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM resource.project_agents) THEN
    ANALYZE resource.project_agents;
  END IF;
END $$;
