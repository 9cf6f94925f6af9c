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
  FROM state.agent_inbox i WHERE i.message_type = 'turn' AND i.status IN ('queued', 'pending', 'processing', 'deferred')
  ORDER BY i.project_id, i.agent_turn_id, i.turn_epoch DESC, i.inbox_id DESC
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
