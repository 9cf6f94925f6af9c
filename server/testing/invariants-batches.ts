// What must hold of batches: see invariants.ts.
import type { Invariant } from "./invariant";

// The aggregation table of docs/design/kernel.md 8 again in SQL, to check batch/decide.ts independently.
const AGGREGATE = `
  CASE WHEN bool_and(k.status = 'success') THEN 'success' WHEN bool_or(k.status = 'success') THEN 'partial'
    WHEN bool_or(k.status = 'failed') THEN 'failed' WHEN bool_or(k.status = 'timeout') THEN 'timeout'
    WHEN bool_or(k.status = 'partial') THEN 'partial' ELSE 'failed' END`;

export const batchInvariants: Invariant[] = [
  {
    name: "every batch has ended",
    when: "settled",
    sql: `
      SELECT project_id, batch_id AS id, format('%s, parent turn %s', status, parent_agent_turn_id) AS what
      FROM state.pmo_batches WHERE status = 'running' AND ($1::text IS NULL OR project_id = $1)`,
  },
  {
    name: "a batch that has ended has said so once",
    when: "always",
    sql: `
      SELECT b.project_id, b.batch_id AS id, format('%s, with %s frames of an end', b.status, count(j.event_id)) AS what
      FROM state.pmo_batches b LEFT JOIN state.journal j ON j.project_id = b.project_id AND j.kind = 'batch' AND j.entity_id = b.batch_id
        AND j.frame ->> 'status' <> 'running'
      WHERE ($1::text IS NULL OR b.project_id = $1)
      GROUP BY b.project_id, b.batch_id, b.status, b.ended_at
      HAVING count(j.event_id) <> CASE WHEN b.status = 'running' THEN 0 ELSE 1 END OR (b.status = 'running') <> (b.ended_at IS NULL)`,
  },
  {
    name: "a batch that has ended has no open branch, and each branch says what its turn says",
    when: "always",
    sql: `
      SELECT k.project_id, k.batch_task_id AS id, format('task %s of batch %s (%s): %s, its turn %s', k.task_index, k.batch_id, b.status,
        k.status, t.status) AS what
      FROM state.pmo_batch_tasks k JOIN state.pmo_batches b USING (project_id, batch_id)
      LEFT JOIN state.agent_turns t ON t.project_id = k.project_id AND t.agent_turn_id = k.agent_turn_id
      WHERE ($1::text IS NULL OR k.project_id = $1) AND ((b.status <> 'running' AND NOT (k.status = 'dispatched' AND k.task_index = ANY (b.late)
          AND b.policy ->> 'late' = 'run') AND (k.status IN ('pending', 'dispatched') OR k.result_view IS NULL OR k.result_view ->> 'status' <> k.status))
        OR (t.agent_turn_id IS NOT NULL AND k.status <> CASE WHEN t.ended_at IS NULL THEN 'dispatched' ELSE t.status END))`,
  },
  {
    name: "a batch has as many branches as it was given",
    when: "always",
    sql: `
      SELECT b.project_id, b.batch_id AS id, format('%s tasks of %s', count(k.batch_task_id), b.task_count) AS what
      FROM state.pmo_batches b LEFT JOIN state.pmo_batch_tasks k USING (project_id, batch_id)
      WHERE ($1::text IS NULL OR b.project_id = $1)
      GROUP BY b.project_id, b.batch_id, b.task_count
      HAVING count(k.batch_task_id) <> b.task_count OR min(k.task_index) <> 0 OR max(k.task_index) <> b.task_count - 1`,
  },
  {
    name: "a branch is its newest turn, or has a row of its own, and not both",
    when: "always",
    sql: `
      SELECT b.project_id, b.batch_id AS id, format('task %s: turn %s of batch %s and task %s, newest %s, own row %s', u.n - 1, u.turn, t.batch_id,
        t.task_index, newest.agent_turn_id, x.status) AS what
      FROM state.pmo_batches b CROSS JOIN unnest(b.turns) WITH ORDINALITY AS u(turn, n)
      LEFT JOIN state.agent_turns t ON t.project_id = b.project_id AND t.agent_turn_id = u.turn
      LEFT JOIN state.branch_extra x ON x.project_id = b.project_id AND x.batch_id = b.batch_id AND x.task_index = u.n - 1
      LEFT JOIN LATERAL (SELECT o.agent_turn_id FROM state.agent_turns o WHERE o.project_id = b.project_id AND o.batch_id = b.batch_id
        AND o.task_index = u.n - 1 ORDER BY o.created_at DESC, o.agent_turn_id DESC LIMIT 1) newest ON true
      WHERE ($1::text IS NULL OR b.project_id = $1) AND ((u.turn IS NULL) = (x.status IS NULL)
        OR (u.turn IS NOT NULL AND (t.batch_id, t.task_index, newest.agent_turn_id) IS DISTINCT FROM (b.batch_id, (u.n - 1)::int, u.turn)))`,
  },
  {
    name: "every branch has what its type says",
    when: "always",
    sql: `
      SELECT k.project_id, k.batch_id AS id, format('task %s', k.task_index) AS what FROM state.pmo_batch_tasks k
      WHERE ($1::text IS NULL OR k.project_id = $1) AND (k.batch_task_id IS NULL OR k.agent_id IS NULL OR k.metadata IS NULL
        OR k.status IS NULL OR k.updated_at IS NULL)`,
  },
  {
    name: "a batch names as many branches as it was given, and no row of its own is of another",
    when: "always",
    sql: `
      SELECT b.project_id, b.batch_id AS id, format('%s turns of %s', cardinality(b.turns), b.task_count) AS what
      FROM state.pmo_batches b WHERE ($1::text IS NULL OR b.project_id = $1) AND (cardinality(b.turns) <> b.task_count
        OR EXISTS (SELECT 1 FROM state.branch_extra x WHERE x.project_id = b.project_id AND x.batch_id = b.batch_id AND x.task_index >= b.task_count))`,
  },
  {
    name: "no more branches run than max_parallel says",
    when: "always",
    sql: `
      SELECT b.project_id, b.batch_id AS id, format('%s run, max_parallel %s', count(*), b.max_parallel) AS what
      FROM state.pmo_batches b JOIN state.pmo_batch_tasks k USING (project_id, batch_id)
      WHERE k.status = 'dispatched' AND ($1::text IS NULL OR b.project_id = $1)
      GROUP BY b.project_id, b.batch_id, b.max_parallel HAVING count(*) > b.max_parallel`,
  },
  {
    name: "a task is tried by itself as often as it may be, and not once more",
    when: "always",
    sql: `
      SELECT k.project_id, k.batch_task_id AS id, format('%s after %s earlier attempts, attempts_max %s', k.status,
        coalesce(jsonb_array_length(k.metadata -> 'earlier'), 0), k.attempts_max) AS what
      FROM state.pmo_batch_tasks k JOIN state.pmo_batches b USING (project_id, batch_id)
      WHERE ($1::text IS NULL OR k.project_id = $1) AND (
        (SELECT count(*) FROM jsonb_array_elements(coalesce(k.metadata -> 'earlier', '[]')) e WHERE e ->> 'retried_by' = 'attempts') >= k.attempts_max
        OR (b.status IN ('partial', 'failed') AND NOT b.fail_fast AND b.closed_by IS NULL AND b.ended_at < coalesce(b.deadline_at, 'infinity')
          AND k.status IN ('failed', 'timeout') AND k.agent_turn_id IS NOT NULL
          AND coalesce(jsonb_array_length(k.metadata -> 'earlier'), 0) + 1 < k.attempts_max))`,
  },
  {
    name: "a batch ends as its branches say",
    when: "always",
    sql: `
      WITH said AS (
        SELECT b.*, ${AGGREGATE} AS aggregate, bool_or(k.status IN ('failed', 'canceled', 'timeout')) AS has_bad,
          bool_or(k.error_detail LIKE 'batch stopped by%') AS by_hand,
          string_agg(k.status, ' ' ORDER BY k.task_index) AS branches,
          bool_or(b.status = 'canceled' AND p.ended_at = b.ended_at) AS with_parent
        FROM state.pmo_batches b JOIN state.pmo_batch_tasks k USING (project_id, batch_id)
        JOIN state.agent_turns p ON p.project_id = b.project_id AND p.agent_turn_id = b.parent_agent_turn_id
        WHERE b.status <> 'running' AND ($1::text IS NULL OR b.project_id = $1)
        GROUP BY b.project_id, b.batch_id
      )
      SELECT project_id, batch_id AS id, format('%s of [%s], fail_fast %s, deadline %s', status, branches, fail_fast, deadline_at) AS what
      FROM said WHERE NOT CASE status
        WHEN 'canceled' THEN with_parent OR by_hand
        WHEN 'timeout' THEN ended_at >= deadline_at OR (aggregate = 'timeout' AND NOT fail_fast) OR closed_by = 'partial_timeout'
        ELSE closed_by IS NOT NULL OR status = CASE WHEN fail_fast AND has_bad THEN 'failed' ELSE aggregate END END`,
  },
  {
    name: "the gate of a policy closed as its arrivals say",
    when: "always",
    sql: `
      WITH gate AS (
        SELECT b.*, CASE b.policy ->> 'kind' WHEN 'any' THEN 1 WHEN 'quorum' THEN (b.policy ->> 'k')::int ELSE b.task_count END AS needed,
          (SELECT count(*) FROM state.pmo_batch_tasks k WHERE k.project_id = b.project_id AND k.batch_id = b.batch_id
            AND k.task_index = ANY (b.arrivals) AND (b.policy ->> 'count' = 'ended' OR k.status IN ('success', 'partial'))) AS counted
        FROM state.pmo_batches b WHERE b.policy IS NOT NULL AND b.status <> 'running' AND ($1::text IS NULL OR b.project_id = $1)
      )
      SELECT project_id, batch_id AS id, format('%s by %s, %s of %s counted, arrivals %s', status, closed_by, counted, needed, arrivals) AS what
      FROM gate WHERE cardinality(arrivals) <> (SELECT count(DISTINCT i) FROM unnest(arrivals) i) OR NOT CASE closed_by
        WHEN 'satisfied' THEN status = 'success' AND counted >= needed AND policy ->> 'kind' <> 'all'
        WHEN 'quorum_unreachable' THEN status = 'failed' AND counted < needed AND policy ->> 'kind' <> 'all'
        WHEN 'join_timeout' THEN status = 'failed' AND ended_at >= gate_at AND policy ->> 'on_timeout' = 'fail'
        WHEN 'partial_timeout' THEN ended_at >= gate_at AND status = CASE WHEN cardinality(arrivals) > 0 THEN 'partial' ELSE 'timeout' END
        ELSE true END`,
  },
  {
    name: "whoever waited for a batch that ended was woken once",
    when: "always",
    sql: `
      SELECT b.project_id, b.batch_id AS id, format('%s, parent turn %s %s, with %s results', b.status, p.agent_turn_id, p.status, count(c.card_id)) AS what
      FROM state.pmo_batches b
      JOIN state.agent_turns p ON p.project_id = b.project_id AND p.agent_turn_id = b.parent_agent_turn_id
      LEFT JOIN cards c ON c.tenant_id = b.project_id AND c.tool_call_id = b.parent_tool_call_id AND c.metadata ->> 'type' = 'tool.result'
      WHERE p.worker_target <> 'human' AND ($1::text IS NULL OR b.project_id = $1)
      GROUP BY b.project_id, b.batch_id, b.status, b.ended_at, p.agent_turn_id, p.status, p.ended_at
      HAVING count(c.card_id) <> CASE WHEN b.status = 'running' OR (b.status = 'canceled' AND p.ended_at = b.ended_at) THEN 0 ELSE 1 END`,
  },
];
