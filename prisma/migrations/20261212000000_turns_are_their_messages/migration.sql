-- A turn is its own message (docs/deploy.md, Upgrades). Every turn wrote a row of state.agent_inbox of 843 bytes with 689 of index entries, and
-- wrote it anew when it was taken. What a claim and the watchdog ask of a turn that waits or runs is in a narrow row of state.due; the rest
-- of what the message said, the turn says.

-- In the order in which units lock.
LOCK TABLE state.agent_turns, state.agent_inbox IN ACCESS EXCLUSIVE MODE;

-- One row for each turn that waits in its agent's queue, waits to be taken, is claimed, or runs; none for one that sleeps or has ended.
-- Keys of ours only: the turn's row is written in the same statement, and the daily check compares the two.
CREATE TABLE state.due (
  next_retry_at    timestamptz NOT NULL DEFAULT now(),
  created_at       timestamptz NOT NULL DEFAULT now(),
  turn_epoch       bigint NOT NULL DEFAULT 0,
  -- Of who holds it: since when, and, once it runs, when the holder was last heard.
  claimed_at       timestamptz,
  heartbeat_at     timestamptz,
  -- hashtext of the run's root turn: claims take runs in turn by it.
  run_key          integer NOT NULL DEFAULT 0,
  -- How often it has been handed out.
  attempt          integer NOT NULL DEFAULT 1,
  needs_own_worker boolean NOT NULL DEFAULT false,
  -- By a limit of its run.
  is_held          boolean NOT NULL DEFAULT false,
  project_id       text NOT NULL,
  agent_turn_id    text NOT NULL,
  worker_target    text NOT NULL,
  -- Its agent, while no claim may take it: behind another turn of the agent, or held.
  queued_for       text,
  claimed_by       text,
  PRIMARY KEY (project_id, agent_turn_id),
  CHECK (claimed_by IS NULL AND heartbeat_at IS NULL OR claimed_by IS NOT NULL AND queued_for IS NULL),
  CHECK (queued_for IS NOT NULL OR NOT is_held)
) WITH (fillfactor = 50);

-- Who held a turn before it was taken over or handed on: its row says who took it last.
ALTER TABLE state.agent_turns ADD COLUMN taken_by text, ADD COLUMN taken_epoch bigint;
CREATE TABLE state.turn_holders (
  project_id    text NOT NULL,
  agent_turn_id text NOT NULL,
  turn_epoch    bigint NOT NULL,
  held_by       text NOT NULL,
  PRIMARY KEY (project_id, agent_turn_id, turn_epoch)
);

INSERT INTO state.due (project_id, agent_turn_id, turn_epoch, worker_target, needs_own_worker, run_key, next_retry_at, created_at, attempt,
  queued_for, is_held, claimed_by, claimed_at, heartbeat_at)
SELECT t.project_id, t.agent_turn_id, t.turn_epoch, t.worker_target, t.needs_own_worker, hashtext(t.root_turn_id),
  coalesce(i.next_retry_at, now()), coalesce(i.created_at, t.created_at), coalesce(i.attempt, t.attempt), q.agent_id, q.is_held,
  CASE WHEN t.status = 'running' THEN coalesce(t.lease_holder, '?') WHEN i.status = 'processing' THEN coalesce(i.claimed_by, '?') END,
  CASE WHEN t.status = 'running' THEN coalesce(t.leased_at, now()) WHEN i.status = 'processing' THEN coalesce(i.processed_at, now()) END,
  CASE WHEN t.status = 'running' THEN coalesce(t.heartbeat_at, now()) END
FROM state.agent_turns t
LEFT JOIN (
  SELECT DISTINCT ON (i.project_id, i.agent_turn_id) i.project_id, i.agent_turn_id, i.status, i.defer_reason, i.next_retry_at, i.created_at,
    i.attempt, i.claimed_by, i.processed_at
  FROM state.agent_inbox i
  JOIN state.agent_turns o ON o.project_id = i.project_id AND o.agent_turn_id = i.agent_turn_id AND o.turn_epoch = i.turn_epoch
  WHERE i.message_type = 'turn' AND i.status IN ('queued', 'pending', 'processing', 'deferred')
  ORDER BY i.project_id, i.agent_turn_id, i.inbox_id DESC
) i ON i.project_id = t.project_id AND i.agent_turn_id = t.agent_turn_id AND t.status <> 'running'
CROSS JOIN LATERAL (SELECT coalesce(i.status = 'queued' AND i.defer_reason = 'run_limit', false) AS is_held,
  CASE WHEN t.status = 'queued' OR i.status = 'queued' AND i.defer_reason = 'run_limit' THEN t.agent_id END AS agent_id) q
WHERE t.status IN ('queued', 'dispatched', 'running') AND NOT t.is_human;

-- The same order for every look at what waits: a claim goes from target to target, project to project, run to run.
CREATE INDEX due_waiting ON state.due (worker_target, project_id, needs_own_worker, run_key, next_retry_at, created_at, agent_turn_id)
  WHERE claimed_by IS NULL AND queued_for IS NULL;
CREATE INDEX due_queued ON state.due (project_id, queued_for, created_at, agent_turn_id) WHERE queued_for IS NOT NULL;
CREATE INDEX due_held ON state.due (project_id, run_key) WHERE is_held;
-- What workers hold, for the watchdog. Without the time: a heartbeat touches no index.
CREATE INDEX due_claimed ON state.due (claimed_by) WHERE claimed_by IS NOT NULL;

-- A view that went along with the old table would answer only a part of it, and say nothing.
DO $$
DECLARE theirs record;
BEGIN
  SELECT DISTINCT r.ev_class::regclass AS name INTO theirs
  FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
  WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = 'state.agent_inbox'::regclass
    AND r.ev_class <> d.refobjid LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'view % depends on table state.agent_inbox, which becomes a view: drop it, upgrade, and create it again', theirs.name;
  END IF;
  SELECT c.conrelid::regclass AS name, c.conname INTO theirs FROM pg_constraint c
  WHERE c.contype = 'f' AND c.confrelid = 'state.agent_inbox'::regclass LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'foreign key % of table % refers to table state.agent_inbox, which becomes a view: drop it and upgrade again', theirs.conname, theirs.name;
  END IF;
END $$;

CREATE TEMP TABLE inbox_before ON COMMIT DROP AS
SELECT i.project_id, i.inbox_id, i.agent_id, i.message_type, i.agent_turn_id, i.turn_epoch, i.worker_target, i.status, i.attempt, i.next_retry_at,
  i.defer_reason, i.claimed_by, i.created_at, i.needs_own_worker, i.run_key
FROM state.agent_inbox i;
-- Those that a row of state.due says now.
CREATE TEMP TABLE inbox_moved ON COMMIT DROP AS
SELECT i.project_id, i.agent_turn_id, max(i.inbox_id) AS inbox_id FROM state.agent_inbox i
JOIN state.due d ON d.project_id = i.project_id AND d.agent_turn_id = i.agent_turn_id AND d.turn_epoch = i.turn_epoch AND d.heartbeat_at IS NULL
WHERE i.message_type = 'turn' AND i.status IN ('queued', 'pending', 'processing', 'deferred')
GROUP BY i.project_id, i.agent_turn_id;

-- Results, timeouts and what people sent to turns; and, whole and under their ids, the messages that turns were before and that are over.
ALTER TABLE state.agent_inbox RENAME TO inbox_messages;
ALTER TABLE state.inbox_messages RENAME CONSTRAINT agent_inbox_pkey TO inbox_messages_pkey;
ALTER TABLE state.inbox_messages RENAME CONSTRAINT agent_inbox_project_id_message_type_correlation_id_key
  TO inbox_messages_project_id_message_type_correlation_id_key;
ALTER TABLE state.inbox_messages RENAME CONSTRAINT agent_inbox_project_id_agent_id_fkey TO inbox_messages_project_id_agent_id_fkey;
ALTER TABLE state.inbox_messages RENAME CONSTRAINT agent_inbox_message_type_check TO inbox_messages_message_type_check;
ALTER TABLE state.inbox_messages RENAME CONSTRAINT agent_inbox_status_check TO inbox_messages_status_check;
ALTER INDEX state.agent_inbox_processing RENAME TO inbox_messages_processing;
DELETE FROM state.inbox_messages i USING inbox_moved m WHERE i.project_id = m.project_id AND i.inbox_id = m.inbox_id;
-- What was left open of epochs that are over: nobody could act on it any more.
UPDATE state.inbox_messages SET status = CASE status WHEN 'queued' THEN 'skipped' ELSE 'consumed' END, archived_at = now()
WHERE message_type = 'turn' AND status IN ('queued', 'pending', 'processing', 'deferred');
ALTER TABLE state.inbox_messages ADD CONSTRAINT inbox_messages_turns_are_over
  CHECK (message_type <> 'turn' OR status IN ('consumed', 'error', 'skipped'));
DROP INDEX state.agent_inbox_by_run, state.agent_inbox_by_turn, state.agent_inbox_waiting, state.agent_inbox_held, state.agent_inbox_queued;
CREATE INDEX inbox_messages_waiting ON state.inbox_messages
  (worker_target, project_id, needs_own_worker, run_key, next_retry_at, created_at, inbox_id) WHERE status IN ('pending', 'deferred');
CREATE INDEX inbox_messages_by_turn ON state.inbox_messages (project_id, agent_turn_id) WHERE status IN ('pending', 'processing', 'deferred');

-- Turns as the messages that they are: one for each, of its last epoch that was handed out. Its id is the turn's, in other words.
CREATE VIEW state.turn_messages AS
SELECT t.project_id, 'inbox_' || substr(t.agent_turn_id, 6) AS inbox_id, t.agent_id, 'turn' AS message_type,
  t.agent_turn_id || CASE WHEN t.attempt = 1 AND t.handovers = 0 THEN '' ELSE '.' || s.turn_epoch END AS correlation_id,
  t.agent_turn_id, s.turn_epoch, t.worker_target,
  jsonb_build_object('CG-Agent-Id', t.agent_id, 'CG-Recursion-Depth', t.depth,
    'traceparent', '00-' || t.trace_id || '-' || right(t.agent_turn_id, 16) || '-01') AS context_headers,
  jsonb_strip_nulls(jsonb_build_object('profile_box_id', t.profile_box_id, 'context_box_id', t.context_box_id,
    'output_box_id', t.output_box_id)) AS payload,
  CASE WHEN d.queued_for IS NOT NULL THEN 'queued' WHEN s.is_open THEN CASE WHEN d.claimed_by IS NULL THEN 'pending' ELSE 'processing' END
    WHEN t.taken_by IS NULL AND t.leased_at IS NULL THEN 'skipped' ELSE 'consumed' END AS status,
  coalesce(d.attempt, t.attempt) AS attempt, 0 AS retry_count, coalesce(d.next_retry_at, t.created_at) AS next_retry_at,
  CASE WHEN d.is_held THEN 'run_limit' END AS defer_reason, NULL::text AS last_error,
  CASE WHEN s.is_open THEN d.claimed_by ELSE t.taken_by END AS claimed_by,
  CASE WHEN s.is_open THEN d.claimed_at ELSE greatest(t.started_at, t.leased_at) END AS processed_at,
  CASE WHEN NOT s.is_open THEN coalesce(greatest(t.started_at, t.leased_at), t.ended_at) END AS archived_at,
  coalesce(d.created_at, t.created_at) AS created_at, t.needs_own_worker, hashtext(t.root_turn_id) AS run_key
FROM state.agent_turns t
LEFT JOIN LATERAL (SELECT d.agent_turn_id, d.turn_epoch, d.attempt, d.next_retry_at, d.is_held, d.queued_for, d.claimed_by, d.claimed_at,
    d.heartbeat_at, d.created_at FROM state.due d WHERE d.project_id = t.project_id AND d.agent_turn_id = t.agent_turn_id OFFSET 0) d ON true
CROSS JOIN LATERAL (SELECT d.agent_turn_id IS NOT NULL AND d.heartbeat_at IS NULL AS is_open,
  CASE WHEN d.agent_turn_id IS NOT NULL AND d.heartbeat_at IS NULL THEN d.turn_epoch ELSE t.taken_epoch END AS turn_epoch) s
WHERE s.is_open OR t.taken_epoch IS NOT NULL;

CREATE VIEW state.agent_inbox AS
SELECT m.project_id, m.inbox_id, m.agent_id, m.message_type, m.correlation_id, m.agent_turn_id, m.turn_epoch, m.worker_target, m.context_headers,
  m.payload, m.status, m.attempt, m.retry_count, m.next_retry_at, m.defer_reason, m.last_error, m.claimed_by, m.processed_at, m.archived_at,
  m.created_at, m.needs_own_worker, m.run_key
FROM state.inbox_messages m
UNION ALL
SELECT m.project_id, m.inbox_id, m.agent_id, m.message_type, m.correlation_id, m.agent_turn_id, m.turn_epoch, m.worker_target, m.context_headers,
  m.payload, m.status, m.attempt, m.retry_count, m.next_retry_at, m.defer_reason, m.last_error, m.claimed_by, m.processed_at, m.archived_at,
  m.created_at, m.needs_own_worker, m.run_key
FROM state.turn_messages m;

-- The view answers what the table did, or nothing is done: every message under its id, and in the place of those that moved one for
-- the turn that says the same of it. What was left open of epochs that are over is over now.
DO $$
DECLARE odd record;
BEGIN
  WITH before AS (
    SELECT b.project_id, count(*) AS n, sum(hashtextextended(concat_ws('|', CASE WHEN m.inbox_id IS NULL THEN b.inbox_id ELSE b.agent_turn_id END,
      b.agent_id, b.message_type, b.agent_turn_id, b.turn_epoch, b.worker_target, b.attempt, b.created_at, b.needs_own_worker, b.run_key,
      CASE WHEN m.inbox_id IS NOT NULL AND b.status = 'deferred' THEN 'pending'
        WHEN m.inbox_id IS NULL AND b.message_type = 'turn' AND b.status = 'queued' THEN 'skipped'
        WHEN m.inbox_id IS NULL AND b.message_type = 'turn' AND b.status IN ('pending', 'processing', 'deferred') THEN 'consumed' ELSE b.status END,
      b.next_retry_at, coalesce(b.claimed_by, CASE WHEN m.inbox_id IS NOT NULL AND b.status = 'processing' THEN '?' END)), 0)::numeric) AS digest
    FROM inbox_before b LEFT JOIN inbox_moved m USING (project_id, inbox_id) GROUP BY b.project_id
  ), after AS (
    SELECT a.project_id, count(*) AS n, sum(hashtextextended(concat_ws('|', CASE WHEN m.inbox_id IS NULL THEN a.inbox_id ELSE a.agent_turn_id END,
      a.agent_id, a.message_type, a.agent_turn_id, a.turn_epoch, a.worker_target, a.attempt, a.created_at, a.needs_own_worker, coalesce(o.run_key, a.run_key),
      a.status, a.next_retry_at, a.claimed_by), 0)::numeric) AS digest
    FROM state.agent_inbox a
    LEFT JOIN inbox_moved m ON m.project_id = a.project_id AND m.agent_turn_id = a.agent_turn_id AND a.message_type = 'turn'
      AND a.status IN ('queued', 'pending', 'processing')
    LEFT JOIN inbox_before o ON o.project_id = m.project_id AND o.inbox_id = m.inbox_id
    -- A turn that had lost its message waits again.
    WHERE m.inbox_id IS NOT NULL OR a.message_type <> 'turn' OR a.status NOT IN ('queued', 'pending', 'processing')
    GROUP BY a.project_id
  )
  SELECT coalesce(b.project_id, a.project_id) AS project_id, coalesce(b.n, 0) AS had, coalesce(a.n, 0) AS has INTO odd
  FROM before b FULL JOIN after a USING (project_id) WHERE b.n IS DISTINCT FROM a.n OR b.digest IS DISTINCT FROM a.digest LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the inbox of project % would not be the same after the upgrade: % messages before, % after. Nothing is changed; start the previous version, and report this with the rows of state.agent_inbox of the project that are not consumed',
      odd.project_id, odd.had, odd.has;
  END IF;
END $$;

-- Whoever might read the table may read the views.
DO $$
DECLARE new_view regclass; said record;
BEGIN
  FOREACH new_view IN ARRAY '{state.agent_inbox,state.turn_messages}'::regclass[] LOOP
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
      WHERE c.oid = 'state.inbox_messages'::regclass AND NOT c.relrowsecurity AND g.grantee <> c.relowner AND g.privilege_type = 'SELECT'
    LOOP
      EXECUTE format('GRANT SELECT %s ON %s TO %s%s', said.part, new_view, said.grantee, said.more);
    END LOOP;
  END LOOP;
END $$;

-- Not where there is nothing yet: of a table that was looked at while it was empty, plans read every row.
DO $$
BEGIN
  IF EXISTS (SELECT 1 FROM state.due) THEN
    ANALYZE state.due, state.inbox_messages;
  END IF;
END $$;
