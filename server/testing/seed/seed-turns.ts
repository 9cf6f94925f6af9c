// Runs, agents, turns and what belongs to a turn: steps, edges, batches, messages. Every turn has delegated to eight others, as
// a batch where its number is even. The last nine of the newest run have not ended, whatever the size of the project.

const sid = (kind: string, i: string) => `pg_temp.sid($P, '${kind}', ${i})`;
const TURNS = "generate_series(0, $N::bigint - 1) t CROSS JOIN LATERAL (SELECT t % $R AS j, t / $R * $R AS r) a";
const PARENT = "(r + (j - 1) / 8)";
const AGO = "now() - ($N - t) * interval '10 seconds'";
const PROFILE = "(ARRAY['Archivist', 'Builder', 'Critic', 'Worker'])[t % 4 + 1]";

const RUNS = `
  INSERT INTO state.runs (project_id, root_turn_id, number, title, source, created_at)
  SELECT $P, ${sid("turn_", "r * $R::bigint")}, r + 1, 'Report ' || (r + 1) || ' about ' || left(md5(r::text), 5), 'launch', now() - ($N - r * $R) * interval '10 seconds'
  FROM generate_series(0, ($N - 1) / $R) r`;
const RUN_COUNT = "UPDATE projects SET run_count = ($N - 1) / $R + 1 WHERE project_id = $P";

const PEOPLE = `
  INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target, is_human, created_at)
  SELECT $P, 'human_ann', (SELECT profile_box_id FROM resource.profiles WHERE project_id = $P ORDER BY name LIMIT 1), 'sys.human', 'human', true, now() - $N * interval '10 seconds'`;
/** One in ten turns is the second of its agent. */
const AGENTS = `
  INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target, display_name, owner_agent_id, created_at, last_seen_at,
    made_action, made_by, made_trace_id, made_step_id)
  SELECT $P, ${sid("agent_", "t")}, p.profile_box_id, p.name, p.worker_target, p.name || ' ' || t, ${sid("agent_", PARENT)}, ${AGO}, ${AGO},
    'provision', CASE WHEN ${PARENT} % $R = 0 THEN 'human_ann' ELSE ${sid("agent_", `${PARENT} - (${PARENT} % 10 = 9)::int`)} END, 'trace_' || r, ${sid("step_", PARENT)}
  FROM ${TURNS} JOIN resource.profiles p ON p.project_id = $P AND p.name = ${PROFILE} WHERE t % 10 <> 9 AND j > 0`;

const STATUS = `CASE WHEN t >= $N - 3 THEN 'queued' WHEN t >= $N - 6 THEN 'suspended' WHEN t >= $N - 9 THEN 'running'
  WHEN t % 33 = 5 THEN 'failed' WHEN t % 50 = 7 THEN 'partial' ELSE 'success' END`;
const AGENT = `CASE WHEN j = 0 THEN 'human_ann' ELSE ${sid("agent_", "t - (t % 10 = 9)::int")} END`;
const TURN_ROWS = `
  INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, root_turn_id, parent_turn_id, parent_step_id, parent_tool_call_id, primitive, target_strategy,
    trace_id, profile_box_id, profile_name, worker_target, context_box_id, context_consist, instruction_card_id, batch_id, batch_task_id, headcode, title, depth,
    task_index, window_tokens, context_cards, context_tokens, created_at, output_box_id, output_start, leased_at, ended_at, deliverable_card_id,
    error_code, error, cost, step_count, output_cards, output_tokens, tokens_in, tokens_out, output_consist, note, started_at, turn_epoch, rev, is_human,
    sent_tokens, fullest_tokens, status, taken_by, taken_epoch)
  SELECT $P, ${sid("turn_", "t")}, ${AGENT}, ${sid("turn_", "r")}, CASE WHEN j > 0 THEN ${sid("turn_", PARENT)} END,
    CASE WHEN j > 0 THEN ${sid("step_", PARENT)} END, CASE WHEN j > 0 THEN 'fork_' || ${PARENT} END,
    CASE WHEN j = 0 THEN 'ui_action' WHEN is_batch THEN 'fork_join' ELSE 'delegate_async' END, CASE WHEN j > 0 THEN CASE WHEN t % 10 = 9 THEN 'reuse' ELSE 'new' END END,
    'trace_' || r, p.profile_box_id, CASE WHEN j = 0 THEN 'sys.human' ELSE p.name END, CASE WHEN j = 0 THEN 'human' ELSE p.worker_target END,
    ${sid("in_", "t")}, 'U400', ${sid("card_", "t * 10")}, CASE WHEN is_batch THEN ${sid("batch_", PARENT)} END, CASE WHEN is_batch THEN ${sid("bt_", "t")} END,
    depth || left(CASE WHEN j = 0 THEN 'H' ELSE p.name END, 1) || to_char(j, 'FM9900'), 'do the ' || left(md5(t::text), 6) || ' thing ' || t, depth,
    CASE WHEN is_batch THEN (j - 1) % 8 END, 128000, 6, 400, ${AGO}, CASE WHEN status <> 'queued' THEN ${sid("out_", "t - (t % 10 = 9)::int")} END, CASE WHEN status <> 'queued' THEN CASE WHEN t % 10 = 9 THEN 5 ELSE 0 END END,
    CASE WHEN status <> 'queued' THEN ${AGO} END, CASE WHEN is_ended THEN ${AGO} + interval '5 seconds' END, CASE WHEN is_ended THEN ${sid("card_", "t * 10 + 9")} END,
    CASE WHEN status = 'failed' THEN 'tool_timeout' END, CASE WHEN status = 'failed' THEN 'the tool did not answer' END, 0.01, 1, 5, 400, 800, 100, 'A400',
    CASE WHEN is_ended THEN 'done ' || t END, CASE WHEN status <> 'queued' THEN ${AGO} END, 1, 3, j = 0, 800, 800, status,
    CASE WHEN j > 0 AND status <> 'queued' THEN 'worker' END, CASE WHEN j > 0 AND status <> 'queued' THEN 1 END
  FROM ${TURNS}
  CROSS JOIN LATERAL (SELECT ${STATUS} AS status, j > 0 AND ${PARENT} % 2 = 0 AS is_batch,
    CASE WHEN j = 0 THEN 0 WHEN j < 9 THEN 1 WHEN j < 73 THEN 2 WHEN j < 585 THEN 3 ELSE 4 END AS depth) s
  CROSS JOIN LATERAL (SELECT status IN ('failed', 'partial', 'success') AS is_ended) e
  JOIN resource.profiles p ON p.project_id = $P AND p.name = ${PROFILE}`;

/** Or the joins below are planned as if the table were empty. */
const KNOWN = "ANALYZE state.agent_turns";
const LIVE = "t.status IN ('running', 'suspended')";
/** What their agents do now, and where they wrote last. */
const HEADS = `
  UPDATE resource.project_agents a SET turn_epoch = 1, last_output_box_id = n.output_box_id, active_turn = n.active_turn
  FROM (SELECT DISTINCT ON (t.agent_id) t.agent_id, t.output_box_id, CASE WHEN ${LIVE} THEN t.agent_turn_id END AS active_turn
    FROM state.agent_turns t WHERE t.project_id = $P AND NOT t.is_human ORDER BY t.agent_id, t.created_at DESC) n
  WHERE a.project_id = $P AND a.agent_id = n.agent_id`;
const LEASES = `
  UPDATE state.agent_turns t SET lease_holder = 'worker', heartbeat_at = now() WHERE t.project_id = $P AND t.status = 'running'`;
/** A turn that sleeps waits for a call. */
const WAITS = `
  INSERT INTO state.turn_waiting_tools (project_id, agent_id, agent_turn_id, turn_epoch, tool_call_id, tool_name, wait_status)
  SELECT t.project_id, t.agent_id, t.agent_turn_id, t.turn_epoch, 'slow_' || t.agent_turn_id, 'slow', 'waiting'
  FROM state.agent_turns t WHERE t.project_id = $P AND t.status = 'suspended' AND NOT t.is_human`;
const STEPS = `
  INSERT INTO state.agent_steps (project_id, step_id, agent_turn_id, agent_id, turn_epoch, ordinal, status, trace_id, request_box_id, request_bytes, request_sha256,
    request_tokens, tool_call_ids, usage, cost, started_at, ended_at)
  SELECT $P, ${sid("step_", "t")}, a.agent_turn_id, a.agent_id, 1, 1, 'completed', a.trace_id, ${sid("req_", "t")},
    convert_to('{"model": "scripted", "messages": [{"role": "user", "content": "the report"}]}', 'UTF8'), encode(sha256(convert_to('{"model": "scripted", "messages": [{"role": "user", "content": "the report"}]}', 'UTF8')), 'hex'), 800, ARRAY['call_' || t],
    '{"input_tokens": 800, "output_tokens": 100}', 0.01, a.created_at, a.created_at + interval '4 seconds'
  FROM generate_series(0, $N::bigint - 1) t JOIN state.agent_turns a ON a.project_id = $P AND a.agent_turn_id = ${sid("turn_", "t")} WHERE a.status <> 'queued' AND NOT a.is_human`;
/** Turns, batches and agents tell the others. */
const EDGES = `
  INSERT INTO state.edge_extra (project_id, edge_id, primitive, edge_phase, source_agent_id, source_turn_id, source_step_id, target_agent_id, target_turn_id,
    root_turn_id, correlation_id, recursion_depth, trace_id, parent_step_id, metadata, created_at)
  SELECT $P, 'edge_b' || substr(t.agent_turn_id, 6), 'report', 'response', o.agent_id, t.parent_turn_id, t.parent_step_id, t.agent_id, t.agent_turn_id,
    t.root_turn_id, t.agent_turn_id, t.depth, t.trace_id, t.parent_step_id,
    jsonb_build_object('primitive', t.primitive, 'target_strategy', t.target_strategy), t.created_at + interval '5 seconds'
  FROM state.agent_turns t JOIN state.agent_turns o ON o.project_id = $P AND o.agent_turn_id = t.parent_turn_id
  WHERE t.project_id = $P AND t.ended_at IS NOT NULL`;
const BATCHES = `
  INSERT INTO state.pmo_batches (project_id, batch_id, parent_agent_id, parent_agent_turn_id, parent_tool_call_id, parent_turn_epoch, root_turn_id, task_count, turns, status, created_at, ended_at)
  SELECT $P, t.batch_id, o.agent_id, o.agent_turn_id, t.parent_tool_call_id, 1, t.root_turn_id, count(*)::int, array_agg(t.agent_turn_id ORDER BY t.task_index),
    CASE WHEN bool_and(t.ended_at IS NOT NULL) THEN 'success' ELSE 'running' END, min(t.created_at), CASE WHEN bool_and(t.ended_at IS NOT NULL) THEN max(t.ended_at) END
  FROM state.agent_turns t JOIN state.agent_turns o ON o.project_id = $P AND o.agent_turn_id = t.parent_turn_id
  WHERE t.project_id = $P AND t.batch_id IS NOT NULL GROUP BY t.batch_id, o.agent_id, o.agent_turn_id, t.parent_tool_call_id, t.root_turn_id`;
const DUE = `
  INSERT INTO state.due (project_id, agent_turn_id, turn_epoch, worker_target, run_key, created_at, next_retry_at, queued_for, claimed_by, claimed_at, heartbeat_at)
  SELECT $P, t.agent_turn_id, 1, t.worker_target, hashtext(t.root_turn_id), t.created_at, t.created_at,
    CASE t.status WHEN 'queued' THEN t.agent_id END, CASE t.status WHEN 'running' THEN 'worker' END, CASE t.status WHEN 'running' THEN now() END,
    CASE t.status WHEN 'running' THEN now() END
  FROM state.agent_turns t WHERE t.project_id = $P AND NOT t.is_human AND t.status IN ('queued', 'running')`;

export const seedTurns = [
  RUNS,
  RUN_COUNT,
  PEOPLE,
  AGENTS,
  TURN_ROWS,
  KNOWN,
  HEADS,
  LEASES,
  DUE,
  WAITS,
  STEPS,
  EDGES,
  BATCHES,
];
