// Two projects with the same rows under other ids, each row so that some field of the search language fires on it alone.
import type pg from "pg";

/** Ids begin with `x`; what they say is the same in both. */
export async function seedSearch(pool: pg.Pool, project: string, x: string): Promise<void> {
  await pool.query(ROWS.replaceAll("$P", project).replaceAll("$X", x));
}

const turn =
  "profile_box_id, worker_target, context_box_id, output_box_id, root_turn_id, trace_id, window_tokens, deliverable_card_id";

const ROWS = `
  INSERT INTO projects (project_id, title, run_count) VALUES ('$P', 'One', 8);
  INSERT INTO card_boxes (tenant_id, box_id, kind, length, token_sum, consist, owner_turn_id, created_at) VALUES
    ('$P', '$X_pbox', 'profile', 1, 5, 'S5', NULL, now() - interval '9 days'),
    ('$P', '$X_ctx1', 'context', 1, 5, 'U5', NULL, now() - interval '8 days'),
    ('$P', '$X_ctx2', 'context', 4, 1500, 'U10 A20', NULL, now() - interval '7 days'),
    ('$P', '$X_out2', 'output', 2, 40, 'A40', '$X_t2', now() - interval '6 days'),
    ('$P', '$X_ctx3', 'context', 1, 30, 'U30', NULL, now() - interval '5 days'),
    ('$P', '$X_out3', 'output', 0, 0, '', '$X_t3', now() - interval '4 days'),
    ('$P', '$X_req2', 'request', 2, 30, 'U30', '$X_t2', now() - interval '3 days'),
    ('$P', '$X_plain', 'plain', 1, 99, 'U99', NULL, now() - interval '2 days');
  INSERT INTO resource.profiles (project_id, profile_box_id, name, worker_target, description, tags) VALUES
    ('$P', '$X_pbox', 'Iron', 'worker_generic', 'Knows batteries', ARRAY['metal']), ('$P', '$X_ctx1', 'sys.human', 'human', NULL, '{}');
  INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target, display_name, is_human) VALUES
    ('$P', '$X_iron', '$X_pbox', 'Iron', 'worker_generic', 'Iron Ann', false), ('$P', '$X_zinc', '$X_pbox', 'Zinc', 'own_worker', NULL, false),
    ('$P', '$X_human', '$X_ctx1', 'sys.human', 'human', NULL, true);
  INSERT INTO state.runs (project_id, root_turn_id, number, title, source) VALUES
    ('$P', '$X_t1', 7, 'Storage of energy', 'launch'), ('$P', '$X_t9', 8, 'Another', 'import');
  INSERT INTO state.agent_turns (project_id, agent_turn_id, parent_turn_id, agent_id, is_human, status, primitive, target_strategy, depth, profile_name,
      headcode, title, error_code, ended_at, started_at, cost, step_count, attempt, tokens_in, tokens_out, context_cards, output_cards,
      batch_id, task_index, forked_from, output_start, created_at, ${turn}) VALUES
    ('$P', '$X_t1', NULL, '$X_human', true, 'success', 'ui_action', NULL, 0, 'sys.human', '0H01', 'Which storage', NULL, now(), NULL, NULL, 0, 1,
      0, 0, 1, 0, NULL, NULL, NULL, 0, now() - interval '5 hours', '$X_ctx1', 'human', '$X_ctx1', '$X_ctx1', '$X_t1', 'x', 1000, 'd'),
    ('$P', '$X_t2', '$X_t1', '$X_iron', false, 'failed', 'delegate_async', 'new', 1, 'Iron', '1A01', 'Cost of iron-air', 'tool_timeout',
      now() - interval '3 hours', now() - interval '4 hours', 0.5, 3, 2, 1000, 500, 4, 2, '$X_b1', 0, NULL, 1, now() - interval '4 hours',
      '$X_pbox', 'worker_generic', '$X_ctx2', '$X_out2', '$X_t1', 'x', 1000, 'd'),
    ('$P', '$X_t3', '$X_t2', '$X_zinc', false, 'success', 'fork_join', 'reuse', 2, 'Zinc', '2B01', 'Safety of zinc', NULL,
      now() - interval '179 minutes', now() - interval '180 minutes', 0.1, 1, 1, 90, 5, 1, 0, '$X_b1', 1, '{"agent_turn_id": "q", "step": 1}', 0,
      now() - interval '3 hours', '$X_pbox', 'own_worker', '$X_ctx3', '$X_out3', '$X_t1', 'x', 1000, 'd'),
    ('$P', '$X_t4', '$X_t2', '$X_iron', false, 'running', 'ask_expert', 'clone', 2, 'Iron', '2A02', 'Still at it', NULL,
      NULL, now() - interval '30 seconds', NULL, 0, 1, 0, 0, 1, 0, '$X_b1', 2, NULL, 0,
      now() - interval '2 hours', '$X_pbox', 'worker_generic', '$X_ctx3', '$X_out3', '$X_t1', 'x', 1000, NULL),
    ('$P', '$X_t9', NULL, '$X_zinc', false, 'queued', 'import', NULL, 0, 'Zinc', '0Z01', 'Other run', NULL,
      NULL, NULL, NULL, 0, 1, 0, 0, 1, 0, NULL, NULL, NULL, 0,
      now() - interval '1 hour', '$X_pbox', 'worker_generic', '$X_ctx3', '$X_out3', '$X_t9', 'x', 1000, NULL);
  INSERT INTO state.edge_extra (project_id, edge_id, primitive, edge_phase, target_turn_id, correlation_id, recursion_depth, is_inferred) VALUES
    ('$P', '$X_e1', 'enqueue', 'request', '$X_t9', '$X_k1', 0, true), ('$P', '$X_e2', 'enqueue', 'request', '$X_t2', '$X_k2', 0, false);
  INSERT INTO state.pmo_batches (project_id, batch_id, parent_agent_id, parent_agent_turn_id, parent_tool_call_id, parent_turn_epoch, root_turn_id,
      task_count, status) VALUES ('$P', '$X_b1', '$X_human', '$X_t1', '$X_call', 1, '$X_t1', 3, 'running');
  INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at) VALUES
    ('$P', '$X_c1', '{"kind": "text", "text": "Iron-air batteries store\\n  energy for 100% of a day"}',
      '{"type": "task.instruction", "role": "user", "author_id": "$X_human"}', 'h', 10, now() - interval '10 hours'),
    ('$P', '$X_c2', '{"kind": "tool_call", "tool_name": "web_search", "arguments": {"q": "zinc \\"flow\\" price"}}',
      '{"type": "tool.call", "role": "assistant", "author_id": "$X_iron", "agent_turn_id": "$X_t2"}', 'h', 2500, now() - interval '9 hours'),
    ('$P', '$X_c3', '{"kind": "tool_result", "status": "failed", "error": {"code": "x", "message": "the download failed"}}',
      '{"type": "tool.result", "role": "tool", "author_id": "web_search", "agent_turn_id": "$X_t2", "function_name": "web_search"}', 'h', 30,
      now() - interval '8 hours'),
    ('$P', '$X_c4', '{"kind": "text", "text": "Call me, *** please"}',
      '{"type": "task.context", "role": "user", "redacted_from": "$X_c9"}', 'h', 7, now() - interval '30 hours'),
    ('$P', '$X_c5', '{"kind": "text", "text": "An imported remark about energy"}', '{"type": "task.context", "role": "system"}', 'h', 8,
      now() - interval '7 hours'),
    ('$P', '$X_fresh', '{"kind": "text", "text": "Gravity storage, not indexed yet"}', '{"type": "agent.thought", "role": "assistant", "agent_turn_id": "$X_t9"}',
      'h', 20, now());
  INSERT INTO cards (tenant_id, card_id, content, metadata, content_hash, token_count, created_at, deleted_at) VALUES
    ('$P', '$X_gone', '{"kind": "text", "text": "energy that is gone"}', '{"type": "task.context", "role": "user"}', 'h', 9, now() - interval '6 hours', now());
  INSERT INTO card_search (tenant_id, card_id, body, created_at)
    SELECT tenant_id, card_id, to_tsvector('simple', coalesce(content ->> 'text', content::text)), created_at FROM cards
    WHERE tenant_id = '$P' AND card_id NOT IN ('$X_fresh', '$X_gone');
  INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens) VALUES
    ('$P', '$X_ctx2', 0, 0, ARRAY['$X_c1', '$X_c4', '$X_fresh', '$X_gone'], '[[1, "arg:instruction"], [1, "box:$X_plain"], [1, "card"], [1, "ptr"]]', 1500),
    ('$P', '$X_out2', 0, 0, ARRAY['$X_c5', '$X_c2'], '[[1, "import"], [1, "turn:$X_t2"]]', 40),
    ('$P', '$X_ctx3', 0, 0, ARRAY['$X_c4'], '[[1, "box:$X_plain"]]', 30),
    ('$P', '$X_req2', 0, 0, ARRAY['$X_c1', '$X_c3'], '[[2, "card"]]', 30),
    ('$P', '$X_plain', 0, 0, ARRAY['$X_c3'], '[[1, "given"]]', 99);
  INSERT INTO state.alarms (project_id, alarm_id, rule, subject_kind, subject_id, root_turn_id, agent_turn_id, figures) VALUES
    ('$P', '$X_al1', 'pressure', 'turn', '$X_t2', '$X_t1', '$X_t2', '{}'), ('$P', '$X_al2', 'late', 'turn', '$X_t3', '$X_t1', '$X_t3', '{}'),
    ('$P', '$X_al3', 'secret', 'card', '$X_c1', '$X_t1', '$X_t4', '{}'), ('$P', '$X_al4', 'off_recipe', 'box', '$X_plain', '$X_t1', '$X_t4', '{}');
  INSERT INTO state.alarm_mutes (project_id, rule, alarm_id, scope, person, reason) VALUES
    ('$P', 'late', '$X_al2', 'this', 'ann', 'a test'), ('$P', 'off_recipe', '', 'rule', 'ann', 'an import');
  INSERT INTO resource.context_packs (project_id, sha256, pack_id, input_key, kind, title, goal, sidecar_sha256, input_sha256, estimate, token_limit,
      found, profile, global_mode, counts, created_by) VALUES
    ('$P', repeat(md5('$P'), 2), 'pack_1', '$X_key', 'built', 'Battery notes', 'Choose a battery', repeat(md5('s'), 2), repeat(md5('s'), 2), 1, 2, 3, 'routine', 'planning', '{}', 'ann');`;
