// What must hold between rows, as statements that look at one row after the other: what foreign keys would keep at a quarter of the
// time of each write, and what several rows say of one thing. A verb keeps it by what it locks and writes; this finds where one did
// not, or where somebody changed rows by hand.

import { BASES_MAX, basesUnder } from "../cardbox/bases";

const TURN = "state.agent_turns x WHERE x.project_id = r.project_id AND x.agent_turn_id";
const AGENT = "resource.project_agents x WHERE x.project_id = r.project_id AND x.agent_id";
const BOX = "card_boxes x WHERE x.tenant_id = r.project_id AND x.box_id";
const BATCH = "state.pmo_batches x WHERE x.project_id = r.project_id AND x.batch_id";
const CARD = "cards x WHERE x.tenant_id = r.project_id AND x.card_id";

/** OFFSET 0 keeps this a look-up by key. Planned as a join, it read a project's cards from the first one on, for each of its boxes. */
const missing = (there: string, id: string) => `NOT EXISTS (SELECT 1 FROM ${there} = ${id} OFFSET 0)`;
/** A column that names a row which does not exist. */
const lost = (column: string, there: string) =>
  `WHEN r.${column} IS NOT NULL AND ${missing(there, `r.${column}`)} THEN '${column} ' || r.${column} || ' does not exist'`;

/**
 * Some rows of a table in the order of `project` and `key`, with which an index begins: those behind ($1, $2), $3 of them. `columns` are
 * those that `fault` reads of a row `r`: SQL of what is wrong with it, or null. `run` is the root turn of its run. A project that is being
 * emptied, or a run, has rows whose others have gone.
 */
const sliceSql = (table: string, project: string, key: string, run: string, columns: string, fault: string) => `
  WITH part AS MATERIALIZED (
    SELECT t.${project} AS project_id, t.${key} AS row_key${columns}
    FROM ${table} t WHERE (t.${project}, t.${key}) > ($1, $2) ORDER BY t.${project}, t.${key} LIMIT $3
  ), judged AS (SELECT r.project_id, r.row_key, ${run} AS root_turn_id, ${fault} AS what FROM part r)
  SELECT (SELECT count(*)::int FROM part) AS rows,
    (SELECT jsonb_build_object('project_id', p.project_id, 'row_key', p.row_key) FROM part p ORDER BY p.project_id DESC, p.row_key DESC LIMIT 1) AS last,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('project_id', j.project_id, 'row_key', j.row_key, 'what', j.what) ORDER BY j.project_id, j.row_key), '[]')
      FROM judged j WHERE j.what IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM projects gone WHERE gone.project_id = j.project_id AND gone.deleting_at IS NOT NULL) AND NOT EXISTS (
        SELECT 1 FROM state.deletions d WHERE d.project_id = j.project_id AND d.kind = 'run' AND d.subject_id = j.root_turn_id
          AND d.ended_at IS NULL)) AS faults`;

// No key leads from these to their project (trigger enter_project).
const OF_TENANT = ["cards", "card_boxes", "box_chunks", "card_search"];
const OF_PROJECT = [
  "resource.project_agents",
  "state.agent_turns",
  "state.inbox_messages",
  "state.due",
  "state.turn_holders",
  "state.agent_steps",
  "state.turn_waiting_tools",
  "state.pmo_batches",
  "state.branch_extra",
  "state.alarm_due",
  "state.edge_extra",
  "state.identity_extra",
  "state.runs",
];
export const ENTERED_TABLES: readonly string[] = [...OF_TENANT, ...OF_PROJECT];

/** The next project after one that has a row in any of these tables: a look into an index of each. */
const nextProject = (after: string) =>
  `least(${OF_TENANT.map((table) => `(SELECT min(x.tenant_id) FROM ${table} x WHERE x.tenant_id > ${after})`).join(", ")},
      ${OF_PROJECT.map((table) => `(SELECT min(x.project_id) FROM ${table} x WHERE x.project_id > ${after})`).join(", ")})`;
const tablesOf = (project: string) =>
  `concat_ws(', ', ${OF_TENANT.map((table) => `CASE WHEN EXISTS (SELECT 1 FROM ${table} x WHERE x.tenant_id = ${project}) THEN '${table}' END`).join(", ")},
      ${OF_PROJECT.map((table) => `CASE WHEN EXISTS (SELECT 1 FROM ${table} x WHERE x.project_id = ${project}) THEN '${table}' END`).join(", ")})`;

/** From project to project instead of from row to row. */
const PROJECTS = `
  WITH RECURSIVE part AS (
    SELECT ${nextProject("$1")} AS project_id, 1 AS n
    UNION ALL SELECT ${nextProject("p.project_id")}, p.n + 1 FROM part p WHERE p.project_id IS NOT NULL AND p.n < $3
  ), known AS (
    SELECT p.project_id FROM part p WHERE p.project_id IS NOT NULL AND $2::text IS NOT NULL
  )
  SELECT (SELECT count(*)::int FROM known) AS rows,
    (SELECT jsonb_build_object('project_id', max(k.project_id), 'row_key', max(k.project_id)) FROM known k HAVING count(*) > 0) AS last,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('project_id', k.project_id, 'row_key', k.project_id,
        'what', 'the project does not exist, and rows of it are in ' || ${tablesOf("k.project_id")}) ORDER BY k.project_id), '[]')
      FROM known k WHERE NOT EXISTS (SELECT 1 FROM projects p WHERE p.project_id = k.project_id)) AS faults`;

/** By rule, in the order in which they are looked at. */
export const AUDIT_SQL = {
  "turn-references": sliceSql(
    "state.agent_turns",
    "project_id",
    "agent_turn_id",
    "r.root_turn_id",
    `, t.root_turn_id, t.agent_id, t.parent_turn_id, t.profile_box_id, t.context_box_id, t.output_box_id, t.instruction_card_id,
      t.deliverable_card_id`,
    `CASE ${lost("agent_id", AGENT)} ${lost("parent_turn_id", TURN)} ${lost("root_turn_id", TURN)} ${lost("profile_box_id", BOX)}
      ${lost("context_box_id", BOX)} ${lost("output_box_id", BOX)} ${lost("instruction_card_id", CARD)} ${lost("deliverable_card_id", CARD)} END`,
  ),
  "ended-turn-is-closed": sliceSql(
    "state.agent_turns",
    "project_id",
    "agent_turn_id",
    "r.root_turn_id",
    ", t.root_turn_id, t.ended_at",
    `CASE WHEN r.ended_at IS NULL THEN NULL
      WHEN EXISTS (SELECT 1 FROM state.agent_steps s WHERE s.project_id = r.project_id AND s.agent_turn_id = r.row_key AND s.status = 'started')
        THEN 'it has ended, and a step of it has not'
      WHEN EXISTS (SELECT 1 FROM state.turn_waiting_tools w WHERE w.project_id = r.project_id AND w.agent_turn_id = r.row_key
        AND w.wait_status IN ('waiting', 'received')) THEN 'it has ended, and still waits for a call'
      WHEN EXISTS (SELECT 1 FROM state.inbox_messages i WHERE i.project_id = r.project_id AND i.agent_turn_id = r.row_key
        AND i.status IN ('pending', 'processing', 'deferred')) THEN 'it has ended, and a message to it is open' END`,
  ),
  "turn-is-due": sliceSql(
    "state.agent_turns",
    "project_id",
    "agent_turn_id",
    "r.root_turn_id",
    ", t.root_turn_id, t.status, t.is_human, t.turn_epoch, t.lease_holder, t.worker_target, t.needs_own_worker, t.agent_id",
    `CASE WHEN r.is_human OR r.status NOT IN ('queued', 'dispatched', 'running') THEN NULL
      ELSE (SELECT 'it is ' || r.status || ' at epoch ' || r.turn_epoch || coalesce(', held by ' || r.lease_holder, '') || ', and what is due of it '
          || coalesce('is at epoch ' || d.turn_epoch || coalesce(' with ' || d.claimed_by, '') || coalesce(' behind ' || d.queued_for, ''), 'is missing')
        FROM (SELECT 1) one LEFT JOIN state.due d ON d.project_id = r.project_id AND d.agent_turn_id = r.row_key
        WHERE (d.turn_epoch, d.worker_target, d.needs_own_worker, d.heartbeat_at IS NOT NULL)
            IS DISTINCT FROM (r.turn_epoch, r.worker_target, r.needs_own_worker, r.status = 'running')
          OR (r.status = 'running' AND d.claimed_by IS DISTINCT FROM r.lease_holder)
          OR (r.status = 'queued' AND d.queued_for IS DISTINCT FROM r.agent_id)
          OR (r.status = 'dispatched' AND (d.queued_for IS NOT NULL) IS DISTINCT FROM d.is_held)) END`,
  ),
  "due-turn": sliceSql(
    "state.due",
    "project_id",
    "agent_turn_id",
    "(SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = r.project_id AND t.agent_turn_id = r.row_key)",
    "",
    `(SELECT 'it is due, and ' || coalesce('the turn is ' || t.status, 'there is no such turn') FROM (SELECT 1) one
      LEFT JOIN state.agent_turns t ON t.project_id = r.project_id AND t.agent_turn_id = r.row_key
      WHERE t.agent_turn_id IS NULL OR t.is_human OR t.status NOT IN ('queued', 'dispatched', 'running'))`,
  ),
  // K1 from the side of the turn: an agent names one.
  "live-turn-has-its-agent": sliceSql(
    "state.agent_turns",
    "project_id",
    "agent_turn_id",
    "r.root_turn_id",
    ", t.root_turn_id, t.status, t.is_human, t.agent_id, t.turn_epoch",
    `CASE WHEN r.is_human OR r.status NOT IN ('dispatched', 'running', 'suspended') THEN NULL
      ELSE (SELECT 'it is ' || r.status || ', and its agent ' || CASE WHEN a.active_turn IS NULL THEN 'is idle' ELSE 'has ' || a.active_turn END
        FROM resource.project_agents a WHERE a.project_id = r.project_id AND a.agent_id = r.agent_id
          AND a.active_turn IS DISTINCT FROM r.row_key) END`,
  ),
  // K5: no key keeps it. A box has one owner, and that agent one turn; two that share one anyway are found by the turns of the box.
  "live-turn-has-its-box": sliceSql(
    "state.agent_turns",
    "project_id",
    "agent_turn_id",
    "r.root_turn_id",
    ", t.root_turn_id, t.status, t.is_human, t.agent_id, t.output_box_id",
    `CASE WHEN r.is_human OR r.status NOT IN ('dispatched', 'running', 'suspended') THEN NULL ELSE coalesce(
      (SELECT 'it writes into box ' || b.box_id || ', which belongs to ' || coalesce(b.owner_agent_id, 'nobody') FROM card_boxes b
        WHERE b.tenant_id = r.project_id AND b.box_id = r.output_box_id AND b.owner_agent_id IS DISTINCT FROM r.agent_id),
      (SELECT 'it shares its output box with turn ' || o.agent_turn_id FROM state.agent_turns o
        WHERE o.project_id = r.project_id AND o.output_box_id = r.output_box_id AND o.agent_turn_id <> r.row_key AND o.ended_at IS NULL
        ORDER BY o.agent_turn_id LIMIT 1)) END`,
  ),
  "agent-references": sliceSql(
    "resource.project_agents",
    "project_id",
    "agent_id",
    "NULL",
    ", t.profile_box_id, t.active_turn, t.turn_epoch, t.last_output_box_id",
    `CASE ${lost("profile_box_id", BOX)} ${lost("last_output_box_id", BOX)} WHEN r.active_turn IS NULL THEN NULL
      ELSE nullif(coalesce((SELECT CASE WHEN t.agent_id <> r.row_key THEN 'its turn ' || r.active_turn || ' is one of agent ' || t.agent_id
          WHEN t.ended_at IS NOT NULL THEN 'its turn ' || r.active_turn || ' has ended'
          WHEN t.status = 'queued' OR t.is_human THEN 'its turn ' || r.active_turn || ' was not leased'
          WHEN t.turn_epoch < r.turn_epoch THEN 'it has leased epoch ' || r.turn_epoch || ', and its turn has ' || t.turn_epoch
          ELSE '' END FROM state.agent_turns t WHERE t.project_id = r.project_id AND t.agent_turn_id = r.active_turn),
        'its turn ' || r.active_turn || ' does not exist'), '') END`,
  ),
  // A box of a run that is being deleted has lost its chunks already.
  "box-cards": sliceSql(
    "card_boxes",
    "tenant_id",
    "box_id",
    "NULL",
    ", t.length, t.token_sum, t.deletion_id",
    `CASE WHEN r.deletion_id IS NOT NULL THEN NULL ELSE (
      SELECT CASE WHEN r.length <> k.cards THEN 'it says ' || r.length || ' cards, and holds ' || k.cards
        WHEN r.token_sum <> k.tokens THEN 'it says ' || r.token_sum || ' tokens, and its chunks ' || k.tokens
        ELSE (SELECT 'it holds card ' || i.card_id || ', which does not exist' FROM card_box_chunks c
          CROSS JOIN LATERAL unnest(c.card_ids) AS i(card_id) WHERE c.tenant_id = r.project_id AND c.box_id = r.row_key
            AND ${missing(CARD, "i.card_id")} LIMIT 1) END
      FROM (SELECT coalesce(sum(cardinality(c.card_ids)), 0) AS cards, coalesce(sum(c.tokens), 0) AS tokens
        FROM card_box_chunks c WHERE c.tenant_id = r.project_id AND c.box_id = r.row_key) k) END`,
  ),
  "box-base": sliceSql(
    "card_boxes",
    "tenant_id",
    "box_id",
    "NULL",
    ", t.length, t.tail, t.base_box, t.base_len, t.deletion_id",
    `CASE WHEN r.deletion_id IS NOT NULL OR (r.base_box IS NULL AND r.base_len IS NULL) THEN NULL ${lost("base_box", BOX)}
      ELSE (SELECT CASE
          WHEN r.base_box IS NULL OR coalesce(r.base_len, 0) < 1 THEN 'it says ' || coalesce(r.base_len::text, 'no') || ' cards of base ' || coalesce(r.base_box, '')
          WHEN r.base_len > b.length THEN 'it begins with ' || r.base_len || ' cards of ' || r.base_box || ', which has ' || b.length
          WHEN r.length <> r.base_len + own.cards THEN 'it says ' || r.length || ' cards, and has ' || r.base_len || ' of its base and ' || own.cards || ' of its own'
          WHEN ${basesUnder("r.project_id", "r.base_box")} > ${BASES_MAX} THEN 'more than ${BASES_MAX} boxes are under it' END
        FROM (SELECT coalesce(cardinality(r.tail), 0) + coalesce((SELECT sum(cardinality(k.card_ids)) FROM box_chunks k
          WHERE k.tenant_id = r.project_id AND k.box_id = r.row_key), 0) AS cards) own
        LEFT JOIN LATERAL (SELECT x.length FROM ${BOX} = r.base_box OFFSET 0) b ON true) END`,
  ),
  // Nothing else leads from a chunk to its box.
  "chunk-box": sliceSql(
    "box_chunks",
    "tenant_id",
    "box_id",
    "NULL",
    "",
    `CASE WHEN ${missing(BOX, "r.row_key")} THEN 'a chunk of it is there, and the box does not exist' END`,
  ),
  "batch-branches": sliceSql(
    "state.pmo_batches",
    "project_id",
    "batch_id",
    "r.root_turn_id",
    ", t.root_turn_id, t.parent_agent_turn_id, t.task_count, t.status, t.policy, t.late",
    `CASE ${lost("parent_agent_turn_id", TURN)} ELSE (
      SELECT CASE WHEN b.n <> r.task_count THEN 'it was given ' || r.task_count || ' tasks, and has ' || b.n
        WHEN r.status <> 'running' AND b.open > 0 THEN 'it has ended, and ' || b.open || ' of its branches have not'
        WHEN r.status = 'running' AND EXISTS (SELECT 1 FROM ${TURN} = r.parent_agent_turn_id AND x.ended_at IS NOT NULL AND NOT x.is_human OFFSET 0)
          THEN 'it runs, and turn ' || r.parent_agent_turn_id || ' that forked it has ended' END
      FROM (SELECT count(*) AS n, count(*) FILTER (WHERE k.status IN ('pending', 'dispatched')
          AND NOT (k.task_index = ANY (r.late) AND r.policy ->> 'late' = 'run')) AS open
        FROM state.pmo_batch_tasks k WHERE k.project_id = r.project_id AND k.batch_id = r.row_key) b) END`,
  ),
  "step-references": sliceSql(
    "state.agent_steps",
    "project_id",
    "step_id",
    "(SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = r.project_id AND t.agent_turn_id = r.agent_turn_id)",
    ", t.agent_turn_id, t.request_box_id",
    `CASE ${lost("agent_turn_id", TURN)} ${lost("request_box_id", BOX)} END`,
  ),
  "wait-references": sliceSql(
    "state.turn_waiting_tools",
    "project_id",
    "tool_call_id",
    "(SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = r.project_id AND t.agent_turn_id = r.agent_turn_id)",
    ", t.agent_id, t.agent_turn_id, t.tool_result_card_id",
    `CASE ${lost("agent_turn_id", TURN)} ${lost("agent_id", AGENT)} ${lost("tool_result_card_id", CARD)} END`,
  ),
  "message-references": sliceSql(
    "state.inbox_messages",
    "project_id",
    "inbox_id",
    "(SELECT t.root_turn_id FROM state.agent_turns t WHERE t.project_id = r.project_id AND t.agent_turn_id = r.agent_turn_id)",
    ", t.agent_id, t.agent_turn_id",
    `CASE ${lost("agent_turn_id", TURN)} ${lost("agent_id", AGENT)} END`,
  ),
  "branch-batch": sliceSql(
    "state.branch_extra",
    "project_id",
    "batch_id",
    "NULL",
    "",
    `CASE WHEN ${missing(BATCH, "r.row_key")}
      THEN 'a branch of it is there, and the batch does not exist' END`,
  ),
  "card-words": sliceSql(
    "card_search",
    "tenant_id",
    "card_id",
    "NULL",
    "",
    `CASE WHEN ${missing(CARD, "r.row_key AND x.deleted_at IS NULL")}
      THEN 'it is found by its words, and does not exist or is erased' END`,
  ),
  "run-root": sliceSql(
    "state.runs",
    "project_id",
    "root_turn_id",
    "r.row_key",
    "",
    `CASE WHEN ${missing(TURN, "r.row_key")} THEN 'its root turn does not exist' END`,
  ),
  "project-there": PROJECTS,
};

export type AuditRule = keyof typeof AUDIT_SQL;
export const AUDIT_RULES = Object.keys(AUDIT_SQL) as AuditRule[];
