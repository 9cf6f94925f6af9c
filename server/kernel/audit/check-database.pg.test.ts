// Each rule finds the row that was broken by hand, and nothing in what the kernel wrote; the watchdog shows it and takes it back.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { hastyTunables, playWholeRun } from "@/server/testing/whole-run";
import { readHealth } from "../read-models/read-health";
import { deleteProject } from "../roster/delete-project";
import { checkDatabase } from "./check-database";
import { checkNextRows } from "./check-next-rows";
import { AUDIT_RULES, AUDIT_SQL, ENTERED_TABLES } from "./rules";

const P = "whole";
let kernel: TestKernel;
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: hastyTunables });
  await playWholeRun(kernel, kernel, 60_000);
}, 90_000);
afterAll(() => kernel.close());

const sql = async (text: string) => (await kernel.test.pool.query(text)).rows;

async function found() {
  const findings: { rule: string; row_key: string; what: string }[] = [];
  let rows = 0;
  for await (const checked of checkDatabase(kernel)) {
    rows += checked.rows;
    findings.push(...checked.findings);
  }
  return { rows, findings };
}

test("a run that used every verb has rows of every rule, and all agree", async () => {
  const looked: string[] = [];
  for await (const { rule, rows } of checkDatabase(kernel)) if (rows > 0) looked.push(rule);
  // No box of it is long enough for a full chunk, and nothing is due any more.
  expect(looked).toEqual(AUDIT_RULES.filter((rule) => rule !== "chunk-box" && rule !== "due-turn"));
  const { rows, findings } = await found();
  expect(findings).toEqual([]);
  expect(rows).toBeGreaterThan(50);
});

const ENDED = `SELECT agent_turn_id FROM state.agent_turns WHERE project_id = '${P}' AND ended_at IS NOT NULL AND NOT is_human ORDER BY agent_turn_id LIMIT 1`;

/** Forked by an agent, whose turn has ended. */
const AGENTS_BATCH = `SELECT min(b.batch_id) FROM state.pmo_batches b JOIN state.agent_turns t ON t.agent_turn_id = b.parent_agent_turn_id
  WHERE b.project_id = '${P}' AND t.ended_at IS NOT NULL AND NOT t.is_human`;

const STEP = `SELECT step_id FROM state.agent_steps WHERE project_id = '${P}' ORDER BY step_id LIMIT 1`;
/** The last of its agent's, of another agent than ENDED's. */
const OTHERS_TURN = `SELECT agent_turn_id FROM state.agent_turns WHERE project_id = '${P}' AND NOT is_human
  AND agent_id = (SELECT max(o.agent_id) FROM state.agent_turns o WHERE o.project_id = '${P}' AND NOT o.is_human
    AND o.agent_id <> (SELECT e.agent_id FROM state.agent_turns e WHERE e.agent_turn_id = (${ENDED})))
  ORDER BY turn_epoch DESC LIMIT 1`;
const OTHER = `SELECT agent_id FROM state.agent_turns WHERE agent_turn_id = (${OTHERS_TURN})`;

/** Broken and mended by hand: the row, and what is said of it. */
const BREAKS: { rule: string; breaks: string; mends: string; row: string; says: string }[] = [
  {
    rule: "turn-references",
    breaks: `UPDATE state.agent_turns SET parent_turn_id = 'turn_nowhere', mark = jsonb_build_object('was', parent_turn_id) WHERE agent_turn_id = (${ENDED})`,
    mends:
      "UPDATE state.agent_turns SET parent_turn_id = mark ->> 'was', mark = NULL WHERE parent_turn_id = 'turn_nowhere'",
    row: ENDED,
    says: "parent_turn_id turn_nowhere does not exist",
  },
  {
    rule: "ended-turn-is-closed",
    breaks: `INSERT INTO state.agent_steps (project_id, step_id, agent_turn_id, agent_id, ordinal, turn_epoch, status)
      SELECT '${P}', 'step_open', agent_turn_id, agent_id, 900, 1, 'started' FROM state.agent_turns WHERE agent_turn_id = (${ENDED})`,
    mends: "DELETE FROM state.agent_steps WHERE step_id = 'step_open'",
    row: ENDED,
    says: "it has ended, and a step of it has not",
  },
  {
    rule: "turn-is-due",
    breaks: `UPDATE state.agent_turns SET ended_at = NULL, status = 'running', mark = jsonb_build_object('at', ended_at, 'as', status) WHERE agent_turn_id = (${ENDED})`,
    mends:
      "UPDATE state.agent_turns SET ended_at = (mark ->> 'at')::timestamptz, status = mark ->> 'as', mark = NULL WHERE status = 'running'",
    row: "SELECT agent_turn_id FROM state.agent_turns WHERE status = 'running'",
    says: "and what is due of it is missing",
  },
  {
    rule: "due-turn",
    breaks: `INSERT INTO state.due (project_id, agent_turn_id, worker_target) SELECT '${P}', agent_turn_id, 'w' FROM state.agent_turns WHERE agent_turn_id = (${ENDED})`,
    mends: "DELETE FROM state.due",
    row: ENDED,
    says: "it is due, and the turn is",
  },
  {
    rule: "box-cards",
    breaks:
      "UPDATE card_boxes SET length = length + 1 WHERE (tenant_id, box_id) IN (SELECT tenant_id, box_id FROM card_boxes WHERE kind = 'output' AND length > 0 ORDER BY box_id LIMIT 1)",
    mends:
      "UPDATE card_boxes SET length = length - 1 WHERE (tenant_id, box_id) IN (SELECT tenant_id, box_id FROM card_boxes WHERE kind = 'output' AND length > 0 ORDER BY box_id LIMIT 1)",
    row: "SELECT box_id FROM card_boxes WHERE kind = 'output' AND length > 0 ORDER BY box_id LIMIT 1",
    says: "cards, and holds",
  },
  {
    rule: "box-base",
    breaks: `INSERT INTO card_boxes (tenant_id, box_id, kind, length, base_box, base_len)
      SELECT tenant_id, 'box_heir', 'plain', length + 7, box_id, length + 7 FROM card_boxes
      WHERE tenant_id = '${P}' AND kind = 'output' AND length > 0 ORDER BY box_id LIMIT 1`,
    mends: "DELETE FROM card_boxes WHERE box_id = 'box_heir'",
    row: "SELECT 'box_heir'",
    says: "it begins with",
  },
  {
    rule: "box-base",
    breaks: `INSERT INTO card_boxes (tenant_id, box_id, kind, length, base_box, base_len) VALUES ('${P}', 'box_orphan', 'plain', 1, 'box_nowhere', 1)`,
    mends: "DELETE FROM card_boxes WHERE box_id = 'box_orphan'",
    row: "SELECT 'box_orphan'",
    says: "base_box box_nowhere does not exist",
  },
  {
    rule: "chunk-box",
    breaks: `INSERT INTO box_chunks (tenant_id, box_id, n, start, card_ids, origins, tokens, has_untravelled)
      VALUES ('${P}', 'box_gone', 0, 0, '{c}', '[]', 1, false)`,
    mends: "DELETE FROM box_chunks WHERE box_id = 'box_gone'",
    row: "SELECT 'box_gone'",
    says: "the box does not exist",
  },
  {
    rule: "batch-branches",
    breaks:
      "UPDATE state.pmo_batches SET task_count = task_count + 1 WHERE batch_id = (SELECT min(batch_id) FROM state.pmo_batches)",
    mends:
      "UPDATE state.pmo_batches SET task_count = task_count - 1 WHERE batch_id = (SELECT min(batch_id) FROM state.pmo_batches)",
    row: "SELECT min(batch_id) FROM state.pmo_batches",
    says: "tasks, and has",
  },
  {
    rule: "batch-branches",
    breaks: `CREATE TABLE batch_kept AS SELECT batch_id, status, ended_at FROM state.pmo_batches WHERE batch_id = (${AGENTS_BATCH});
      UPDATE state.pmo_batches SET status = 'running', ended_at = NULL WHERE batch_id IN (SELECT batch_id FROM batch_kept)`,
    mends: `UPDATE state.pmo_batches b SET status = k.status, ended_at = k.ended_at FROM batch_kept k WHERE b.batch_id = k.batch_id;
      DROP TABLE batch_kept`,
    row: AGENTS_BATCH,
    says: "that forked it has ended",
  },
  {
    rule: "run-root",
    breaks: `INSERT INTO state.runs (project_id, root_turn_id, number, source, title) SELECT project_id, 'turn_gone', 9000, source, title FROM state.runs LIMIT 1`,
    mends: "DELETE FROM state.runs WHERE root_turn_id = 'turn_gone'",
    row: "SELECT 'turn_gone'",
    says: "its root turn does not exist",
  },
  {
    rule: "step-references",
    breaks: `UPDATE state.agent_steps SET agent_turn_id = 'turn_gone', error = agent_turn_id WHERE step_id = (${STEP})`,
    mends: "UPDATE state.agent_steps SET agent_turn_id = error, error = NULL WHERE agent_turn_id = 'turn_gone'",
    row: STEP,
    says: "agent_turn_id turn_gone does not exist",
  },
  {
    rule: "wait-references",
    breaks: `INSERT INTO state.turn_waiting_tools (project_id, agent_id, agent_turn_id, turn_epoch, tool_call_id, step_id, tool_name, wait_status)
      SELECT project_id, 'agent_gone', agent_turn_id, 1, 'tc_odd', 's', 'web_search', 'applied' FROM state.agent_turns WHERE agent_turn_id = (${ENDED})`,
    mends: "DELETE FROM state.turn_waiting_tools WHERE tool_call_id = 'tc_odd'",
    row: "SELECT 'tc_odd'",
    says: "agent_id agent_gone does not exist",
  },
  {
    rule: "message-references",
    breaks: `UPDATE state.inbox_messages SET agent_id = 'agent_gone', last_error = agent_id WHERE inbox_id = (SELECT min(inbox_id) FROM state.inbox_messages)`,
    mends: "UPDATE state.inbox_messages SET agent_id = last_error, last_error = NULL WHERE agent_id = 'agent_gone'",
    row: "SELECT min(inbox_id) FROM state.inbox_messages",
    says: "agent_id agent_gone does not exist",
  },
  {
    rule: "branch-batch",
    breaks: `INSERT INTO state.branch_extra (project_id, batch_id, task_index) VALUES ('${P}', 'batch_gone', 0)`,
    mends: "DELETE FROM state.branch_extra WHERE batch_id = 'batch_gone'",
    row: "SELECT 'batch_gone'",
    says: "the batch does not exist",
  },
  {
    rule: "card-words",
    breaks: `INSERT INTO card_search (tenant_id, card_id, body, created_at) VALUES ('${P}', 'card_gone', 'word', now())`,
    mends: "DELETE FROM card_search WHERE card_id = 'card_gone'",
    row: "SELECT 'card_gone'",
    says: "does not exist or is erased",
  },
  {
    rule: "agent-references",
    breaks: `UPDATE resource.project_agents a SET active_turn = t.agent_turn_id FROM state.agent_turns t
      WHERE t.agent_turn_id = (${ENDED}) AND a.project_id = t.project_id AND a.agent_id = t.agent_id`,
    mends: "UPDATE resource.project_agents SET active_turn = NULL WHERE active_turn IS NOT NULL",
    row: `SELECT agent_id FROM state.agent_turns WHERE agent_turn_id = (${ENDED})`,
    says: "has ended",
  },
  {
    rule: "agent-references",
    breaks: `UPDATE resource.project_agents a SET active_turn = t.agent_turn_id FROM state.agent_turns t
      WHERE t.agent_turn_id = (${ENDED}) AND a.project_id = t.project_id AND a.agent_id = (${OTHER})`,
    mends: "UPDATE resource.project_agents SET active_turn = NULL WHERE active_turn IS NOT NULL",
    row: OTHER,
    says: "is one of agent",
  },
  {
    rule: "agent-references",
    breaks: `UPDATE resource.project_agents SET active_turn = 'turn_nowhere' WHERE agent_id = (${OTHER})`,
    mends: "UPDATE resource.project_agents SET active_turn = NULL WHERE active_turn IS NOT NULL",
    row: OTHER,
    says: "its turn turn_nowhere does not exist",
  },
  {
    // K5: two live turns in one box, each that of its agent. The one in the other's box is told.
    rule: "live-turn-has-its-box",
    breaks: `WITH lives AS (
        UPDATE state.agent_turns t SET status = 'running', ended_at = NULL, output_box_id = (SELECT o.output_box_id FROM state.agent_turns o WHERE o.agent_turn_id = (${ENDED})),
          mark = jsonb_build_object('at', t.ended_at, 'as', t.status, 'out', t.output_box_id)
        WHERE t.agent_turn_id = (${OTHERS_TURN}) RETURNING t.agent_turn_id, t.agent_id)
      UPDATE resource.project_agents a SET active_turn = lives.agent_turn_id FROM lives WHERE a.agent_id = lives.agent_id`,
    mends: `WITH ends AS (
        UPDATE state.agent_turns SET ended_at = (mark ->> 'at')::timestamptz, status = mark ->> 'as', output_box_id = mark ->> 'out', mark = NULL
        WHERE status = 'running')
      UPDATE resource.project_agents SET active_turn = NULL WHERE active_turn IS NOT NULL`,
    row: OTHERS_TURN,
    says: "which belongs to",
  },
  {
    rule: "live-turn-has-its-agent",
    breaks: `UPDATE state.agent_turns SET ended_at = NULL, status = 'running', mark = jsonb_build_object('at', ended_at, 'as', status) WHERE agent_turn_id = (${ENDED})`,
    mends:
      "UPDATE state.agent_turns SET ended_at = (mark ->> 'at')::timestamptz, status = mark ->> 'as', mark = NULL WHERE status = 'running'",
    row: "SELECT agent_turn_id FROM state.agent_turns WHERE status = 'running'",
    says: "and its agent is idle",
  },
];

test.each(BREAKS)("$rule", async ({ rule, breaks, mends, row, says }) => {
  const [before] = await kernel.test.pool.query(row).then(({ rows }) => rows.map((one) => Object.values(one)[0]));
  await sql(breaks);
  const key = before ?? (await kernel.test.pool.query(row)).rows.map((one) => Object.values(one)[0])[0];
  const { findings } = await found();
  expect(findings.filter((one) => one.rule === rule)).toEqual([
    { project_id: P, rule, row_key: key, what: expect.stringContaining(says) },
  ]);
  if (rule === "run-root") {
    // While a run is deleted, its rows go one after the other.
    await sql(
      `INSERT INTO state.deletions (project_id, deletion_id, kind, subject_id, deleted_by, phase) VALUES ('${P}', 'd', 'run', 'turn_gone', 'ann', 'rows')`,
    );
    expect((await found()).findings).toEqual([]);
    await sql("DELETE FROM state.deletions WHERE deletion_id = 'd'");
  }
  await sql(mends);
  expect((await found()).findings).toEqual([]);
});

/** What a column takes that is not just any text or number. */
const TAKES: Record<string, string> = {
  "state.agent_turns status": "'queued'",
  "state.identity_extra action": "'provision'",
  "state.runs source": "'import'",
  "cards metadata": `'{"type": "note", "role": "user"}'`,
};
const ANY: Record<string, string> = {
  "text[]": "'{}'",
  jsonb: "'{}'",
  boolean: "false",
  "timestamp with time zone": "now()",
  tsvector: "'x'",
  text: "'x'",
};

test.each(ENTERED_TABLES)("project-there: %s", async (table) => {
  expect((await found()).findings).toEqual([]);
  const column = table.includes(".") ? "project_id" : "tenant_id";
  const columns = await sql(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0
       AND attnotnull AND NOT atthasdef AND attidentity = '' AND NOT attisdropped AND attname <> '${column}'`,
  );
  const values = columns.map(({ name, type }) => TAKES[`${table} ${name}`] ?? ANY[type] ?? "1");
  const names = [column, ...columns.map(({ name }) => name)];
  // As somebody writes it who asks for nothing.
  const client = await kernel.test.pool.connect();
  try {
    await client.query(`BEGIN; SET LOCAL session_replication_role = replica;
      INSERT INTO ${table} (${names.join(", ")}) VALUES (${["'lost'", ...values].join(", ")}); COMMIT`);
  } finally {
    client.release();
  }
  const lost = (await found()).findings.filter(({ rule }) => rule === "project-there");
  await sql(`DELETE FROM ${table} WHERE ${column} = 'lost'`);
  const what = `the project does not exist, and rows of it are in ${table}`;
  expect(lost).toEqual([{ project_id: "lost", rule: "project-there", row_key: "lost", what }]);
});

test.each(AUDIT_RULES)(
  "%s looks rows up one by one: as a join it read a project from its first card on, for each box",
  async (rule) => {
    const { rows } = await kernel.test.pool.query<{ "QUERY PLAN": string }>(
      `EXPLAIN (COSTS OFF) ${AUDIT_SQL[rule].replaceAll("$1", "''").replaceAll("$2", "''").replaceAll("$3", "100")}`,
    );
    const joins = rows.filter((row) => row["QUERY PLAN"].includes("Anti Join"));
    // Of what was found: with projects and with runs that are being deleted.
    expect(joins.length).toBeLessThanOrEqual(2);
  },
);

test("the watchdog goes through all rows a slice at a time, once a day; a finding stands until a round no longer has it", async () => {
  const tick = (rowCheckTickMs: number, rowCheckMs = kernel.tunables.rowCheckMs) =>
    checkNextRows({ ...kernel, tunables: { ...kernel.tunables, rowCheckTickMs, rowCheckMs } });
  // The workers of the run have begun one.
  await sql("DELETE FROM state.row_checks");
  expect((await readHealth(kernel, "1")).checks).toEqual({ findings: 0, newest: [], rows: 0 });
  const run = BREAKS.find(({ rule }) => rule === "run-root");
  if (!run) throw new Error("no such break");
  await sql(run.breaks);
  // A tick that has no time still looks at one slice.
  let ticks = 0;
  for (; ticks < 100 && (await readHealth(kernel, "1")).checks.ended_at === undefined; ticks++) await tick(0);
  expect(ticks).toBeGreaterThanOrEqual(AUDIT_RULES.length);
  const { status, checks } = await readHealth(kernel, "1");
  expect(status).toBe("degraded");
  expect(checks).toMatchObject({
    findings: 1,
    newest: [{ project_id: P, rule: "run-root", row_key: "turn_gone", what: "its root turn does not exist" }],
  });
  expect(checks.rows).toBe((await found()).rows);
  // The round of the day is over.
  await sql(run.mends);
  expect(await tick(1_000)).toBe(0);
  expect(await tick(10_000, 0)).toBeGreaterThan(50);
  expect((await readHealth(kernel, "1")).checks).toMatchObject({
    findings: 0,
    newest: [],
    ended_at: expect.any(String),
  });
});

test("two watchdogs look at each row once, and a project that is deleted takes its findings along", async () => {
  const run = BREAKS.find(({ rule }) => rule === "run-root");
  if (!run) throw new Error("no such break");
  await sql(run.breaks);
  const hasty = { ...kernel, tunables: { ...kernel.tunables, rowCheckTickMs: 10_000, rowCheckMs: 0 } };
  const [one, two] = await Promise.all([checkNextRows(hasty), checkNextRows(hasty)]);
  // Each slice is noted by one of them, also where both have looked.
  expect(Math.max(one, two)).toBeGreaterThan(0);
  expect((await readHealth(kernel, "1")).checks.rows).toBe((await found()).rows);
  expect((await readHealth(kernel, "1")).checks.findings).toBe(1);
  await deleteProject(kernel, P);
  expect(await sql("SELECT FROM state.row_findings")).toEqual([]);
});
