// What must hold of plan runs: see invariants.ts.
import type { Invariant } from "./invariant";

const OPEN = "('waiting', 'held', 'running')";

export const planInvariants: Invariant[] = [
  {
    name: "every plan run has ended",
    when: "settled",
    sql: `
      SELECT r.project_id, r.plan_run_id AS id, format('parent turn %s; open: %s', r.parent_turn_id, (
        SELECT string_agg(format('%s %s %s', n.node_id, n.status, n.reason), ', ') FROM state.plan_run_nodes n
        WHERE n.project_id = r.project_id AND n.plan_run_id = r.plan_run_id AND n.status IN ${OPEN})) AS what
      FROM state.plan_runs r WHERE r.status = 'running' AND ($1::text IS NULL OR r.project_id = $1)`,
  },
  {
    name: "a plan run that has ended has said so once",
    when: "always",
    sql: `
      SELECT r.project_id, r.plan_run_id AS id, format('%s, with %s frames of an end', r.status, count(j.event_id)) AS what
      FROM state.plan_runs r LEFT JOIN state.journal j ON j.project_id = r.project_id AND j.kind = 'plan_run'
        AND j.entity_id = r.plan_run_id AND j.frame ->> 'status' <> 'running'
      WHERE ($1::text IS NULL OR r.project_id = $1)
      GROUP BY r.project_id, r.plan_run_id, r.status
      HAVING count(j.event_id) <> CASE WHEN r.status = 'running' THEN 0 ELSE 1 END`,
  },
  {
    name: "a plan run that has ended has no open node and no batch that runs",
    when: "always",
    sql: `
      SELECT r.project_id, r.plan_run_id AS id, format('%s, and node %s is %s', r.status, n.node_id, n.status) AS what
      FROM state.plan_runs r JOIN state.plan_run_nodes n USING (project_id, plan_run_id)
      WHERE r.status <> 'running' AND n.status IN ${OPEN} AND ($1::text IS NULL OR r.project_id = $1)
      UNION ALL
      SELECT r.project_id, r.plan_run_id, format('%s, and batch %s runs', r.status, b.batch_id)
      FROM state.plan_runs r JOIN state.pmo_batches b USING (project_id, plan_run_id)
      WHERE r.status <> 'running' AND b.status = 'running' AND ($1::text IS NULL OR r.project_id = $1)`,
  },
  {
    name: "a node of a plan has the batch of its try, and started each try once (K18)",
    when: "always",
    sql: `
      SELECT n.project_id, n.plan_run_id || '.' || n.node_id AS id,
        format('%s, try %s, batch %s; its batches: %s', n.status, n.try, n.batch_id, b.tries) AS what
      FROM state.plan_run_nodes n
      LEFT JOIN LATERAL (SELECT array_agg(b.plan_try ORDER BY b.plan_try) AS tries, bool_or(b.batch_id = n.batch_id AND b.plan_try = n.try) AS has_own,
          count(*) FILTER (WHERE b.status = 'running') AS running
        FROM state.pmo_batches b WHERE b.project_id = n.project_id AND b.plan_run_id = n.plan_run_id AND b.plan_node_id = n.node_id) b ON true
      WHERE ($1::text IS NULL OR n.project_id = $1) AND (
        (n.batch_id IS NOT NULL AND b.has_own IS NOT TRUE) OR (n.status = 'running' AND n.batch_id IS NULL)
        OR (n.status IN ('success', 'partial') AND n.batch_id IS NULL) OR b.running > 1
        OR cardinality(b.tries) <> (SELECT count(DISTINCT t) FROM unnest(b.tries) t)
        OR (n.status IN ('waiting', 'held') AND n.try = ANY (b.tries)))`,
  },
  {
    name: "a node of a plan says what its batch says",
    when: "always",
    sql: `
      SELECT n.project_id, n.plan_run_id || '.' || n.node_id AS id, format('%s, its batch %s: %s', n.status, b.batch_id, b.status) AS what
      FROM state.plan_run_nodes n JOIN state.pmo_batches b ON b.project_id = n.project_id AND b.batch_id = n.batch_id
      WHERE ($1::text IS NULL OR n.project_id = $1) AND n.status NOT IN ('running', 'skipped', 'replayed') AND n.status <> b.status
      UNION ALL
      SELECT n.project_id, n.plan_run_id || '.' || n.node_id, format('failed without a batch and without a reason: %s', n.reason)
      FROM state.plan_run_nodes n WHERE ($1::text IS NULL OR n.project_id = $1)
        AND n.status = 'failed' AND n.batch_id IS NULL AND (n.error_code IS NULL OR n.reason IS NULL)`,
  },
  {
    name: "a plan run and the turn that waits for it end together (K19)",
    when: "always",
    sql: `
      SELECT r.project_id, r.plan_run_id AS id, format('%s, its parent turn %s %s', r.status, t.agent_turn_id, t.status) AS what
      FROM state.plan_runs r JOIN state.agent_turns t ON t.project_id = r.project_id AND t.agent_turn_id = r.parent_turn_id
      WHERE ($1::text IS NULL OR r.project_id = $1) AND CASE WHEN t.is_human
        THEN (r.status = 'running') <> (t.ended_at IS NULL) ELSE r.status = 'running' AND t.ended_at IS NOT NULL END
      UNION ALL
      SELECT r.project_id, r.plan_run_id, format('%s, the wait of its call is %s', r.status, w.wait_status)
      FROM state.plan_runs r JOIN state.turn_waiting_tools w ON w.project_id = r.project_id AND w.agent_turn_id = r.parent_turn_id
        AND w.tool_call_id = r.parent_tool_call_id
      WHERE ($1::text IS NULL OR r.project_id = $1) AND (r.status = 'running') <> (w.wait_status = 'waiting')`,
  },
  {
    name: "a person is asked about a node of a plan while it is held, and not longer",
    when: "always",
    sql: `
      SELECT n.project_id, n.plan_run_id || '.' || n.node_id AS id, format('held, its request %s', q.status) AS what
      FROM state.plan_run_nodes n LEFT JOIN state.human_requests q ON q.project_id = n.project_id AND q.request_id = n.request_id
      WHERE n.status = 'held' AND q.status IS NULL AND ($1::text IS NULL OR n.project_id = $1)
      UNION ALL
      SELECT q.project_id, q.request_id, format('open, node %s is %s', n.node_id, n.status)
      FROM state.human_requests q LEFT JOIN state.plan_run_nodes n ON n.project_id = q.project_id AND n.request_id = q.request_id
      WHERE q.kind = 'plan_hold' AND q.status = 'open' AND n.status IS DISTINCT FROM 'held' AND ($1::text IS NULL OR q.project_id = $1)`,
  },
  {
    // By the journal's order: a unit's time is that of its beginning, and it may have waited for the row since.
    name: "a node of a plan that has started waited for what it loads (K20)",
    when: "always",
    sql: `
      WITH said AS (
        SELECT project_id, entity_id, min(event_id) AS first, max(event_id) FILTER (WHERE frame ->> 'status' <> 'running') AS ended
        FROM state.journal WHERE kind = 'batch' AND ($1::text IS NULL OR project_id = $1)
          AND entity_id IN (SELECT batch_id FROM state.pmo_batches WHERE plan_run_id IS NOT NULL) GROUP BY 1, 2
      )
      SELECT r.project_id, r.plan_run_id || '.' || d.node AS id, format('told of first at %s; %s was %s, told of its end at %s', bs.first,
        s.node_id, s.status, ss.ended) AS what
      FROM state.plan_runs r
      CROSS JOIN LATERAL (SELECT node ->> 'id' AS node, l ->> 'from' AS source, coalesce(node -> 'after', '[]') AS after
        FROM jsonb_array_elements(r.body -> 'nodes') node CROSS JOIN LATERAL jsonb_array_elements(coalesce(node -> 'load', '[]')) l
        WHERE l ? 'from' AND position('.' IN l ->> 'from') = 0) d
      JOIN state.pmo_batches b ON b.project_id = r.project_id AND b.plan_run_id = r.plan_run_id AND b.plan_node_id = d.node
      JOIN state.plan_run_nodes s ON s.project_id = r.project_id AND s.plan_run_id = r.plan_run_id AND s.node_id = d.source
      JOIN said bs ON bs.project_id = b.project_id AND bs.entity_id = b.batch_id
      LEFT JOIN said ss ON ss.project_id = s.project_id AND ss.entity_id = s.batch_id
      WHERE ($1::text IS NULL OR r.project_id = $1) AND s.try = 1 AND b.plan_try = 1 AND s.status <> 'replayed'
        AND NOT EXISTS (SELECT 1 FROM jsonb_array_elements(d.after) a WHERE a ->> 'node' = d.source)
        AND (s.status NOT IN ('success', 'partial') OR ss.ended IS NULL OR ss.ended > bs.first)`,
  },
  {
    // What an edit took away keeps its row, as skipped.
    name: "the body of a plan run has one revision for each edit, and a row for each of its nodes",
    when: "always",
    sql: `
      SELECT r.project_id, r.plan_run_id AS id, format('revision %s after %s edits; in the body only: %s; rows only: %s',
        r.body_rev, e.n, d.drawn_only, d.rows_only) AS what
      FROM state.plan_runs r
      CROSS JOIN LATERAL (SELECT count(*) AS n FROM state.plan_run_edits e
        WHERE e.project_id = r.project_id AND e.plan_run_id = r.plan_run_id) e
      CROSS JOIN LATERAL (SELECT string_agg(b.id, ', ') FILTER (WHERE n.node_id IS NULL) AS drawn_only,
          string_agg(n.node_id, ', ') FILTER (WHERE b.id IS NULL AND n.status <> 'skipped') AS rows_only
        FROM (SELECT x ->> 'id' AS id FROM jsonb_array_elements(r.body -> 'nodes') x) b
        FULL JOIN (SELECT node_id, status FROM state.plan_run_nodes n WHERE n.project_id = r.project_id AND n.plan_run_id = r.plan_run_id) n
          ON n.node_id = b.id) d
      WHERE ($1::text IS NULL OR r.project_id = $1)
        AND (r.body_rev <> e.n + 1 OR d.drawn_only IS NOT NULL OR d.rows_only IS NOT NULL)`,
  },
];
