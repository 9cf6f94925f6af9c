// The step that made turns their own messages: what waited, was claimed, was held or ran goes on as it was; what is over is answered
// under its id; and who may read the inbox may read the view.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "./migrate";
import { openTestDatabase, type TestDatabase } from "./testing/database";
import { makeScratch, removeScratch } from "./testing/scratch";

const STEP = "20261212000000_turns_are_their_messages";
const ENDED = "('success', 'failed')";
const LEASED = "('dispatched', 'running', 'suspended')";

const turn = (id: string, status: string, epoch: number) => `
  INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, root_turn_id, primitive, trace_id, profile_box_id, profile_name,
    worker_target, context_box_id, headcode, title, depth, status, turn_epoch, leased_at, started_at, ended_at, output_box_id, deliverable_card_id, lease_holder)
  SELECT 'p', 'turn_${id}', 'agent_${id}', 'turn_r', 'delegate_async', 'x', 'b', 'P', 'w', 'b', '1P01', 't', 1, s, ${epoch},
    CASE WHEN s IN ${LEASED} THEN timestamptz '2026-01-01Z' END, CASE WHEN s IN ('running', 'suspended') THEN timestamptz '2026-01-01Z' END,
    CASE WHEN s IN ${ENDED} THEN timestamptz '2026-01-02Z' END, 'b', 'c', CASE s WHEN 'running' THEN 'worker_a' END
  FROM (VALUES ('${status}')) AS g(s)`;
const message = (id: string, of: string, status: string, more = "") => `
  INSERT INTO state.agent_inbox (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, worker_target, status,
    turn_epoch, next_retry_at, run_key ${more === "" ? "" : `, ${more.split("=")[0]}`})
  SELECT 'p', 'inbox_${id}', 'agent_${of}', 'turn', 'turn_${of}' || CASE WHEN '${id}' = '${of}' THEN '' ELSE '.${id}' END, 'turn_${of}', 'w', '${status}',
    t.turn_epoch - CASE WHEN '${id}' = '${of}' THEN 0 ELSE 1 END, '2026-01-01Z', hashtext('turn_r') ${more === "" ? "" : `, ${more.split("=")[1]}`}
  FROM state.agent_turns t WHERE t.agent_turn_id = 'turn_${of}'`;

let scratch: string;
let db: TestDatabase;
const rows = async (text: string) => (await db.pool.query(text)).rows;
beforeAll(async () => {
  scratch = makeScratch();
  db = await openTestDatabase({ isEmpty: true });
  await migrate(db.url, {
    folder: folderOf(
      "before",
      fs.readdirSync("prisma/migrations").filter((name) => name < STEP),
    ),
  });
  // Without asking for each row whether what it refers to is there.
  await rows(`SET session_replication_role = replica; INSERT INTO projects (project_id, title) VALUES ('p', 'P');
    INSERT INTO card_boxes (tenant_id, box_id, kind) VALUES ('p', 'b', 'context');
    ${turn("wait", "dispatched", 3)}; ${turn("taken", "dispatched", 1)}; ${turn("queue", "queued", 0)}; ${turn("held", "dispatched", 1)};
    ${turn("run", "running", 2)}; ${turn("sleep", "suspended", 1)}; ${turn("end", "success", 1)}; ${turn("lost", "dispatched", 1)};
    ${message("wait", "wait", "pending")}; ${message("old", "wait", "consumed", "claimed_by='worker_b'")};
    ${message("taken", "taken", "processing", "claimed_by='worker_b'")}; ${message("queue", "queue", "queued")};
    ${message("held", "held", "queued", "defer_reason='run_limit'")}; ${message("run", "run", "consumed", "claimed_by='worker_a'")};
    ${message("stale", "run", "pending")}; ${message("sleep", "sleep", "consumed")}; ${message("end", "end", "consumed")};
    INSERT INTO state.agent_inbox (project_id, inbox_id, agent_id, message_type, correlation_id, agent_turn_id, worker_target, status)
      VALUES ('p', 'inbox_result', 'agent_sleep', 'tool_result', 'call', 'turn_sleep', 'w', 'pending')`);
});
afterAll(async () => {
  await db.close();
  await removeScratch(scratch);
});

test("a view of somebody's own on the inbox stops it by its name, before anything is changed", async () => {
  await rows("CREATE VIEW public.report AS SELECT inbox_id FROM state.agent_inbox");
  try {
    const step = migrate(db.url, { folder: folderOf("step", [STEP]) });
    await expect(step).rejects.toThrow("view report depends on table state.agent_inbox, which becomes a view: drop it");
  } finally {
    await rows("DROP VIEW public.report");
  }
  expect(await rows("SELECT to_regclass('state.due') AS made")).toEqual([{ made: null }]);
});

test("what waits, is claimed, held or runs is due; the rest is answered as it was", async () => {
  const OVER = `SELECT inbox_id, agent_turn_id, status, turn_epoch, claimed_by, correlation_id FROM state.agent_inbox
    WHERE inbox_id IN ('inbox_old', 'inbox_run', 'inbox_sleep', 'inbox_end', 'inbox_result') ORDER BY inbox_id`;
  const over = await rows(OVER);
  const reader = `inbox_reader_of_${new URL(db.url).pathname.slice(1)}`;
  await rows(`CREATE ROLE ${reader}; GRANT SELECT ON state.agent_inbox TO ${reader}`);
  try {
    await migrate(db.url, { folder: folderOf("step", [STEP]) });
    const may = `SELECT has_table_privilege('${reader}', 'state.agent_inbox', 'SELECT') AS inbox, has_table_privilege('${reader}', 'state.due', 'SELECT') AS due`;
    expect(await rows(may)).toEqual([{ inbox: true, due: false }]);
  } finally {
    await rows(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
  }
  expect(await rows(OVER)).toEqual(over);
  expect(over).toHaveLength(5);
  const due = await rows(
    "SELECT agent_turn_id, turn_epoch, queued_for, is_held, claimed_by, heartbeat_at IS NOT NULL AS runs, run_key = hashtext('turn_r') AS keyed FROM state.due ORDER BY 1",
  );
  const row = (id: string, turn_epoch: number, more: object = {}) => ({
    agent_turn_id: `turn_${id}`,
    turn_epoch,
    queued_for: null,
    is_held: false,
    claimed_by: null,
    runs: false,
    keyed: true,
    ...more,
  });
  expect(due).toEqual([
    row("held", 1, { queued_for: "agent_held", is_held: true }),
    // A turn that had lost its message can be taken again.
    row("lost", 1),
    row("queue", 0, { queued_for: "agent_queue" }),
    row("run", 2, { claimed_by: "worker_a", runs: true }),
    row("taken", 1, { claimed_by: "worker_b" }),
    row("wait", 3),
  ]);
  const inbox = await rows(
    "SELECT inbox_id, status, defer_reason, claimed_by FROM state.agent_inbox WHERE message_type = 'turn' ORDER BY 1",
  );
  expect(inbox.map(({ inbox_id, status, defer_reason }) => [inbox_id, status, defer_reason])).toEqual([
    ["inbox_end", "consumed", null],
    ["inbox_held", "queued", "run_limit"],
    ["inbox_lost", "pending", null],
    ["inbox_old", "consumed", null],
    ["inbox_queue", "queued", null],
    ["inbox_run", "consumed", null],
    ["inbox_sleep", "consumed", null],
    ["inbox_stale", "consumed", null],
    ["inbox_taken", "processing", null],
    ["inbox_wait", "pending", null],
  ]);
  await expect(rows("UPDATE state.inbox_messages SET status = 'pending' WHERE inbox_id = 'inbox_end'")).rejects.toThrow(
    "inbox_messages_turns_are_over",
  );
});

function folderOf(name: string, migrations: string[]): string {
  const folder = path.join(scratch, name);
  for (const migration of migrations)
    fs.cpSync(path.join("prisma/migrations", migration), path.join(folder, migration), { recursive: true });
  return folder;
}
