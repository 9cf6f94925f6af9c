// What must hold between rows, as statements that look at one row after the other: what foreign keys would keep at a quarter of the
// time of each write, and what several rows say of one thing. A verb keeps it by what it locks and writes; this finds where one did
// not, or where somebody changed rows by hand.

import { BASES_MAX, basesUnder } from "../cardbox/bases";

const TURN = "state.agent_turns x WHERE x.project_id = r.project_id AND x.agent_turn_id";
const AGENT = "resource.project_agents x WHERE x.project_id = r.project_id AND x.agent_id";
const BOX = "card_boxes x WHERE x.tenant_id = r.project_id AND x.box_id";
const CARD = "cards x WHERE x.tenant_id = r.project_id AND x.card_id";

/** A column that names a row which does not exist. */
const lost = (column: string, there: string) =>
  `WHEN r.${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${there} = r.${column}) THEN '${column} ' || r.${column} || ' does not exist'`;

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
      WHEN EXISTS (SELECT 1 FROM state.agent_inbox i WHERE i.project_id = r.project_id AND i.agent_turn_id = r.row_key
        AND i.status IN ('queued', 'pending', 'processing', 'deferred')) THEN 'it has ended, and a message to it is open' END`,
  ),
  "live-turn-has-its-agent": sliceSql(
    "state.agent_turns",
    "project_id",
    "agent_turn_id",
    "r.root_turn_id",
    ", t.root_turn_id, t.status, t.is_human, t.agent_id, t.turn_epoch",
    `CASE WHEN r.is_human OR r.status NOT IN ('dispatched', 'running', 'suspended') THEN NULL
      ELSE (SELECT 'it is ' || r.status || ' at epoch ' || r.turn_epoch || ', and its agent is '
          || coalesce(h.status || ' at epoch ' || h.turn_epoch || coalesce(' with ' || h.active_agent_turn_id, ''), 'without a state')
        FROM (SELECT 1) one LEFT JOIN state.agent_state_head h ON h.project_id = r.project_id AND h.agent_id = r.agent_id
        WHERE (h.active_agent_turn_id, h.status, h.turn_epoch) IS DISTINCT FROM (r.row_key, r.status, r.turn_epoch)) END`,
  ),
  "agent-references": sliceSql(
    "resource.project_agents",
    "project_id",
    "agent_id",
    "NULL",
    ", t.profile_box_id",
    `CASE ${lost("profile_box_id", BOX)}
      ELSE (SELECT CASE h.status WHEN 'idle' THEN NULL
          ELSE 'it is ' || h.status || ', and its turn ' || coalesce(h.active_agent_turn_id, '') || ' has ended or does not exist' END
        FROM state.agent_state_head h WHERE h.project_id = r.project_id AND h.agent_id = r.row_key AND NOT EXISTS (
          SELECT 1 FROM state.agent_turns t WHERE t.project_id = r.project_id AND t.agent_turn_id = h.active_agent_turn_id AND t.ended_at IS NULL)) END`,
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
            AND NOT EXISTS (SELECT 1 FROM ${CARD} = i.card_id) LIMIT 1) END
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
          WHEN r.base_len > b.length OR r.base_len < b.base_len THEN 'it begins with ' || r.base_len || ' cards of ' || r.base_box || ', which has '
            || b.length || ', ' || coalesce(b.base_len, 0) || ' of them of its own base'
          WHEN r.length <> r.base_len + own.cards THEN 'it says ' || r.length || ' cards, and has ' || r.base_len || ' of its base and ' || own.cards || ' of its own'
          WHEN ${basesUnder("r.project_id", "r.base_box")} > ${BASES_MAX} THEN 'more than ${BASES_MAX} boxes are under it' END
        FROM (SELECT coalesce(cardinality(r.tail), 0) + coalesce((SELECT sum(cardinality(k.card_ids)) FROM box_chunks k
          WHERE k.tenant_id = r.project_id AND k.box_id = r.row_key), 0) AS cards) own
        LEFT JOIN LATERAL (SELECT x.length, x.base_len FROM ${BOX} = r.base_box OFFSET 0) b ON true) END`,
  ),
  // Nothing else leads from a chunk to its box.
  "chunk-box": sliceSql(
    "box_chunks",
    "tenant_id",
    "box_id",
    "NULL",
    "",
    `CASE WHEN NOT EXISTS (SELECT 1 FROM ${BOX} = r.row_key) THEN 'a chunk of it is there, and the box does not exist' END`,
  ),
  "batch-branches": sliceSql(
    "state.pmo_batches",
    "project_id",
    "batch_id",
    "r.root_turn_id",
    ", t.root_turn_id, t.parent_agent_turn_id, t.task_count, t.status, t.policy, t.late",
    `CASE ${lost("parent_agent_turn_id", TURN)} ELSE (
      SELECT CASE WHEN b.n <> r.task_count THEN 'it was given ' || r.task_count || ' tasks, and has ' || b.n
        WHEN r.status <> 'running' AND b.open > 0 THEN 'it has ended, and ' || b.open || ' of its branches have not' END
      FROM (SELECT count(*) AS n, count(*) FILTER (WHERE k.status IN ('pending', 'dispatched')
          AND NOT (k.task_index = ANY (r.late) AND r.policy ->> 'late' = 'run')) AS open
        FROM state.pmo_batch_tasks k WHERE k.project_id = r.project_id AND k.batch_id = r.row_key) b) END`,
  ),
  "run-root": sliceSql(
    "state.runs",
    "project_id",
    "root_turn_id",
    "r.row_key",
    "",
    `CASE WHEN NOT EXISTS (SELECT 1 FROM ${TURN} = r.row_key) THEN 'its root turn does not exist' END`,
  ),
};

export type AuditRule = keyof typeof AUDIT_SQL;
export const AUDIT_RULES = Object.keys(AUDIT_SQL) as AuditRule[];
