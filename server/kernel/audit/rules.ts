// What must hold between rows, as statements that look at one row after the other: what foreign keys would keep at a quarter of the
// time of each write, and what several rows say of one thing. A verb keeps it by what it locks and writes; this finds where one did
// not, or where somebody changed rows by hand.

/** `r`: one row of `table`, which the fault is said of. */
export type AuditRule = {
  rule: string;
  table: string;
  /** Its project, and its key within the project; an index begins with both. */
  project: "project_id" | "tenant_id";
  key: string;
  /** Columns that the fault reads. */
  columns: readonly string[];
  /** SQL: what is wrong with `r`, or null. */
  fault: string;
  /** Rows of a slice, where one of them leads to many others. */
  rows?: number;
};

const there = {
  turn: "state.agent_turns x WHERE x.project_id = r.project_id AND x.agent_turn_id",
  agent: "resource.project_agents x WHERE x.project_id = r.project_id AND x.agent_id",
  box: "card_boxes x WHERE x.tenant_id = r.project_id AND x.box_id",
  card: "cards x WHERE x.tenant_id = r.project_id AND x.card_id",
} as const;

/** A column that names a row which is not there. */
const lost = (column: string, at: keyof typeof there) =>
  `WHEN r.${column} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ${there[at]} = r.${column}) THEN '${column} ' || r.${column} || ' is not there'`;

const turns = { table: "state.agent_turns", project: "project_id", key: "agent_turn_id" } as const;

export const AUDIT_RULES: readonly AuditRule[] = [
  {
    ...turns,
    rule: "turn-references",
    columns: [
      "agent_id",
      "parent_turn_id",
      "root_turn_id",
      "profile_box_id",
      "context_box_id",
      "output_box_id",
      "instruction_card_id",
      "deliverable_card_id",
    ],
    fault: `CASE ${lost("agent_id", "agent")} ${lost("parent_turn_id", "turn")} ${lost("root_turn_id", "turn")}
      ${lost("profile_box_id", "box")} ${lost("context_box_id", "box")} ${lost("output_box_id", "box")}
      ${lost("instruction_card_id", "card")} ${lost("deliverable_card_id", "card")} END`,
  },
  {
    ...turns,
    rule: "ended-turn-is-closed",
    columns: ["ended_at"],
    fault: `CASE WHEN r.ended_at IS NULL THEN NULL
      WHEN EXISTS (SELECT 1 FROM state.agent_steps s WHERE s.project_id = r.project_id AND s.agent_turn_id = r.row_key AND s.status = 'started')
        THEN 'it has ended, and a step of it has not'
      WHEN EXISTS (SELECT 1 FROM state.turn_waiting_tools w WHERE w.project_id = r.project_id AND w.agent_turn_id = r.row_key
        AND w.wait_status IN ('waiting', 'received')) THEN 'it has ended, and still waits for a call'
      WHEN EXISTS (SELECT 1 FROM state.agent_inbox i WHERE i.project_id = r.project_id AND i.agent_turn_id = r.row_key
        AND i.status IN ('queued', 'pending', 'processing', 'deferred')) THEN 'it has ended, and a message to it is open' END`,
  },
  {
    ...turns,
    rule: "live-turn-has-its-agent",
    columns: ["status", "is_human", "agent_id", "turn_epoch"],
    fault: `CASE WHEN r.is_human OR r.status NOT IN ('dispatched', 'running', 'suspended') THEN NULL
      ELSE (SELECT 'it is ' || r.status || ' at epoch ' || r.turn_epoch || ', and its agent is '
          || coalesce(h.status || ' at epoch ' || h.turn_epoch || coalesce(' with ' || h.active_agent_turn_id, ''), 'without a state')
        FROM (SELECT 1) one LEFT JOIN state.agent_state_head h ON h.project_id = r.project_id AND h.agent_id = r.agent_id
        WHERE (h.active_agent_turn_id, h.status, h.turn_epoch) IS DISTINCT FROM (r.row_key, r.status, r.turn_epoch)) END`,
  },
  {
    table: "resource.project_agents",
    project: "project_id",
    key: "agent_id",
    rule: "agent-references",
    columns: ["profile_box_id"],
    fault: `CASE ${lost("profile_box_id", "box")}
      ELSE (SELECT CASE h.status WHEN 'idle' THEN NULL ELSE 'it is ' || h.status || ', and its turn ' || coalesce(h.active_agent_turn_id, '') || ' has ended or is not there' END
        FROM state.agent_state_head h WHERE h.project_id = r.project_id AND h.agent_id = r.row_key AND NOT EXISTS (
          SELECT 1 FROM state.agent_turns t WHERE t.project_id = r.project_id AND t.agent_turn_id = h.active_agent_turn_id AND t.ended_at IS NULL)) END`,
  },
  {
    table: "card_boxes",
    project: "tenant_id",
    key: "box_id",
    rule: "box-cards",
    rows: 100,
    columns: ["length", "token_sum", "deletion_id"],
    // A box of a run that is being deleted has lost its chunks already.
    fault: `CASE WHEN r.deletion_id IS NOT NULL THEN NULL ELSE (
      SELECT CASE WHEN r.length <> k.cards THEN 'it says ' || r.length || ' cards, and holds ' || k.cards
        WHEN r.token_sum <> k.tokens THEN 'it says ' || r.token_sum || ' tokens, and its chunks ' || k.tokens
        ELSE (SELECT 'it holds card ' || i.card_id || ', which is not there' FROM card_box_chunks c
          CROSS JOIN LATERAL unnest(c.card_ids) AS i(card_id) WHERE c.tenant_id = r.project_id AND c.box_id = r.row_key
            AND NOT EXISTS (SELECT 1 FROM cards x WHERE x.tenant_id = r.project_id AND x.card_id = i.card_id) LIMIT 1) END
      FROM (SELECT coalesce(sum(cardinality(c.card_ids)), 0) AS cards, coalesce(sum(c.tokens), 0) AS tokens
        FROM card_box_chunks c WHERE c.tenant_id = r.project_id AND c.box_id = r.row_key) k) END`,
  },
  {
    table: "state.pmo_batches",
    project: "project_id",
    key: "batch_id",
    rule: "batch-branches",
    columns: ["parent_agent_turn_id", "task_count", "status", "policy", "late"],
    fault: `CASE ${lost("parent_agent_turn_id", "turn")} ELSE (
      SELECT CASE WHEN b.n <> r.task_count THEN 'it was given ' || r.task_count || ' tasks, and has ' || b.n
        WHEN r.status <> 'running' AND b.open > 0 THEN 'it has ended, and ' || b.open || ' of its branches have not' END
      FROM (SELECT count(*) AS n, count(*) FILTER (WHERE k.status IN ('pending', 'dispatched')
          AND NOT (k.task_index = ANY (r.late) AND r.policy ->> 'late' = 'run')) AS open
        FROM state.pmo_batch_tasks k WHERE k.project_id = r.project_id AND k.batch_id = r.row_key) b) END`,
  },
  {
    table: "state.runs",
    project: "project_id",
    key: "root_turn_id",
    rule: "run-root",
    columns: [],
    fault: `CASE WHEN NOT EXISTS (SELECT 1 FROM ${there.turn} = r.row_key) THEN 'its root turn is not there' END`,
  },
];
