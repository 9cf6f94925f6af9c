// Each rule finds the row that was broken by hand, and nothing in what the kernel wrote; the watchdog shows it and takes it back.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { hastyTunables, playWholeRun } from "@/server/testing/whole-run";
import { readHealth } from "../read-models/read-health";
import { deleteProject } from "../roster/delete-project";
import { checkDatabase } from "./check-database";
import { checkNextRows } from "./check-next-rows";
import { AUDIT_RULES } from "./rules";

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
  // No box of it is long enough for a full chunk.
  expect(looked).toEqual(AUDIT_RULES.filter((rule) => rule !== "chunk-box"));
  const { rows, findings } = await found();
  expect(findings).toEqual([]);
  expect(rows).toBeGreaterThan(50);
});

const ENDED = `SELECT agent_turn_id FROM state.agent_turns WHERE project_id = '${P}' AND ended_at IS NOT NULL AND NOT is_human ORDER BY agent_turn_id LIMIT 1`;

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
    rule: "run-root",
    breaks: `INSERT INTO state.runs (project_id, root_turn_id, number, source, title) SELECT project_id, 'turn_gone', 9000, source, title FROM state.runs LIMIT 1`,
    mends: "DELETE FROM state.runs WHERE root_turn_id = 'turn_gone'",
    row: "SELECT 'turn_gone'",
    says: "its root turn does not exist",
  },
  {
    rule: "agent-references",
    breaks: `UPDATE state.agent_state_head h SET status = 'suspended', active_agent_turn_id = t.agent_turn_id FROM state.agent_turns t
      WHERE t.agent_turn_id = (${ENDED}) AND h.project_id = t.project_id AND h.agent_id = t.agent_id`,
    mends: "UPDATE state.agent_state_head SET status = 'idle', active_agent_turn_id = NULL WHERE status = 'suspended'",
    row: `SELECT agent_id FROM state.agent_turns WHERE agent_turn_id = (${ENDED})`,
    says: "it is suspended, and its turn",
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
      `INSERT INTO state.deletions (project_id, deletion_id, kind, subject_id, deleted_by, phase) VALUES ('${P}', 'd', 'run', 'turn_gone', 'ann', 'purge')`,
    );
    expect((await found()).findings).toEqual([]);
    await sql("DELETE FROM state.deletions WHERE deletion_id = 'd'");
  }
  await sql(mends);
  expect((await found()).findings).toEqual([]);
});

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
