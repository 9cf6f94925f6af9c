// What else grows with a project: requests to people, environment data, plans and their runs, artifacts, context packs, files of
// a folder, alarms, saved views, and the journal.

const sid = (kind: string, i: string) => `pg_temp.sid($P, '${kind}', ${i})`;

/** Three are open; of ten turns one has asked. */
const REQUESTS = `
  INSERT INTO state.human_requests (project_id, request_id, kind, agent_id, agent_turn_id, root_turn_id, turn_epoch, tool_call_id, tool_name, question, status,
    decided_by, answer, created_at, decided_at)
  SELECT $P, ${sid("hr_", "t")}, 'question', a.agent_id, a.agent_turn_id, a.root_turn_id, 1, 'ask_' || t, 'ask_human', '{"question": "Which one?"}',
    CASE a.status WHEN 'suspended' THEN 'open' ELSE 'answered' END, CASE WHEN a.status <> 'suspended' THEN 'human_ann' END,
    CASE WHEN a.status <> 'suspended' THEN '"The first"'::jsonb END, a.created_at, CASE WHEN a.status <> 'suspended' THEN a.ended_at END
  FROM generate_series(0, $N::bigint - 1) t JOIN state.agent_turns a ON a.project_id = $P AND a.agent_turn_id = ${sid("turn_", "t")}
  WHERE a.status = 'suspended' OR (t % 10 = 1 AND a.ended_at IS NOT NULL)`;

const ENV = `
  INSERT INTO state.env_data (project_id, root_turn_id, key, short_description, value, stored_by, value_bytes)
  SELECT $P, r.root_turn_id, 'key_' || k, 'what ' || k || ' is', to_jsonb('value ' || k), 'human_ann', 9
  FROM state.runs r, generate_series(1, 20) k WHERE r.project_id = $P`;

const BODY = `'{"switchyard": "plan/1", "name": "Report", "nodes": [{"id": "a", "title": "Find", "target": {"ref": "Worker"}, "instruction": "Find it"},
  {"id": "b", "title": "Write", "target": {"ref": "Builder"}, "instruction": "Write it", "after": [{"node": "a"}]}]}'::jsonb`;
/** At least as many as a page lists, or a small project is quick because it has little to show. */
const PLAN_COUNT = "generate_series(0::bigint, greatest(($N - 1) / 100, 219)) i";
/** Those beyond one of a hundred turns are runs of their own. */
const PLAN_TURN = "CASE WHEN i * 100 < $N THEN i * 100 ELSE i * 4 + 2 END";
const PLAN_ROOT = "CASE WHEN i * 100 < $N THEN i * 100 / $R * $R ELSE i * 4 + 2 END";
const PLANS = `
  INSERT INTO resource.plans (project_id, plan_id, name, description, head_version, created_by, created_at)
  SELECT $P, ${sid("plan_", "i")}, 'Report-' || i, 'a report', 2, 'human_ann', now() - ($N - ${PLAN_TURN}) * interval '10 seconds' FROM ${PLAN_COUNT}`;
const VERSIONS = `
  INSERT INTO resource.plan_versions (project_id, plan_id, version, body, sha256, created_by)
  SELECT project_id, plan_id, v, ${BODY}, repeat(md5(v::text), 2), 'human_ann' FROM resource.plans, generate_series(1, 2) v WHERE project_id = $P`;
/** As many as one person may have. */
const DRAFTS = `
  INSERT INTO resource.plan_drafts (project_id, draft_id, plan_id, user_id, base_version, body)
  SELECT project_id, 'draft_' || plan_id, plan_id, 'local', 2, ${BODY} FROM resource.plans WHERE project_id = $P ORDER BY plan_id LIMIT 200`;
const PLAN_RUNS = `
  INSERT INTO state.plan_runs (project_id, plan_run_id, parent_turn_id, root_turn_id, plan_id, version, body, sha256, status, created_at, ended_at)
  SELECT $P, ${sid("prun_", "i")}, ${sid("turn_", PLAN_TURN)}, ${sid("turn_", PLAN_ROOT)}, ${sid("plan_", "i")}, 2, ${BODY}, repeat(md5('2'), 2), 'success',
    now() - ($N - ${PLAN_TURN}) * interval '10 seconds', now() FROM ${PLAN_COUNT}`;
const NODES = `
  INSERT INTO state.plan_run_nodes (project_id, plan_run_id, node_id, status, starts, started_at, ended_at)
  SELECT project_id, plan_run_id, n, 'success', 1, created_at, ended_at FROM state.plan_runs, unnest(ARRAY['a', 'b']) n WHERE project_id = $P`;

/** At least as many as words of packs are looked for in, for the same reason. */
const FILE_COUNT = "generate_series(0::bigint, greatest(($N - 1) / 20, 1099)) i";
const PACK_TURN = "i * 20 % $N";
const SHA = "md5($P || i) || md5($P || i)";
const ARTIFACTS = `
  INSERT INTO resource.artifacts (project_id, sha256, mime, bytes, size)
  SELECT $P, ${SHA}, 'text/plain', convert_to('file ' || i, 'UTF8'), length('file ' || i) FROM ${FILE_COUNT}`;
const NAMES = `
  INSERT INTO resource.artifact_names (project_id, area, name, sha256, mime, size, created_at, created_by)
  SELECT $P, 'reports', 'report-' || i || '.txt', ${SHA}, 'text/plain', length('file ' || i), now() - (greatest(($N - 1) / 20, 1099) - i) * interval '200 seconds', 'human_ann'
  FROM ${FILE_COUNT}`;
const PACKS = `
  INSERT INTO resource.context_packs (project_id, sha256, pack_id, input_key, kind, title, goal, sidecar_sha256, input_sha256, estimate, token_limit, found, profile,
    global_mode, counts, root_turn_id, agent_turn_id, created_at, created_by)
  SELECT $P, ${SHA}, 'pack_' || i, 'key_' || i, 'built', 'Pack ' || i, 'To choose ' || left(md5(i::text), 6), ${SHA}, ${SHA}, 100, 6000, 3, 'routine', 'planning', '{}',
    ${sid("turn_", `${PACK_TURN} / $R * $R`)}, ${sid("turn_", PACK_TURN)}, now() - (greatest(($N - 1) / 20, 1099) - i) * interval '200 seconds', 'human_ann'
  FROM ${FILE_COUNT}`;
const FOLDER = `
  INSERT INTO resource.workspaces (project_id, name, kind, state, generation, files) VALUES ($P, 'repo', 'bundle', 'ready', 1, $N)`;
const FILES = `
  INSERT INTO resource.workspace_files (project_id, workspace, generation, path, sha256, size, stamp, kind, terms, counts, length)
  SELECT $P, 'repo', 1, 'src/' || left(md5(i::text), 2) || '/file-' || i || '.ts', ${SHA}, 900, i::text, 'text',
    ARRAY['export', 'word' || i % 997, left(md5(i::text), 4)], ARRAY[3, 1, 1], 5
  FROM generate_series(0, $N - 1) i`;

/** Of ten turns one has given cause for one. */
const ALARMS = `
  INSERT INTO state.alarms (project_id, alarm_id, rule, subject_kind, subject_id, root_turn_id, agent_turn_id, figures, found_at)
  SELECT $P, ${sid("alarm_", "t")}, (ARRAY['pressure', 'left_behind', 'no_reader'])[1 + t % 3], 'turn', a.agent_turn_id, a.root_turn_id, a.agent_turn_id,
    '{"tokens": 900}', a.created_at
  FROM generate_series(0, $N::bigint - 1, 10) t JOIN state.agent_turns a ON a.project_id = $P AND a.agent_turn_id = ${sid("turn_", "t")}`;
const VIEWS = `
  INSERT INTO resource.saved_views (project_id, name, page, query, saved_by)
  SELECT $P, 'view ' || i, 'search', 'is:failed', 'human_ann' FROM generate_series(1, 50) i`;

const JOURNAL = `
  INSERT INTO state.journal_packs (project_id, frames, created_at)
  SELECT $P, jsonb_build_array(jsonb_build_object('kind', 'box', 'id', t.context_box_id, 'rev', 1, 'box_kind', 'context', 'length', 6, 'token_sum', 400)), t.created_at
  FROM state.agent_turns t WHERE t.project_id = $P`;

export const seedAround = [
  REQUESTS,
  ENV,
  PLANS,
  VERSIONS,
  DRAFTS,
  PLAN_RUNS,
  NODES,
  ARTIFACTS,
  NAMES,
  PACKS,
  FOLDER,
  FILES,
  ALARMS,
  VIEWS,
  JOURNAL,
];
