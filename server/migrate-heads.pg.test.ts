// The step that made heads what agents and turns say: every agent goes on as it was, whatever its turn was doing; where rows contradicted
// one another, the head decides, or its turn where that is over; who may read the tables may read the views.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "./migrate";
import { openTestDatabase, type TestDatabase } from "./testing/database";
import { makeScratch, removeScratch } from "./testing/scratch";

const STEP = "20261212010000_heads_are_agents_and_turns";

const agent = (id: string) => `
  INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target)
  VALUES ('p', 'agent_${id}', 'b', 'P', 'w')`;
const turn = (id: string, of: string, status: string, epoch: number) => `
  INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, root_turn_id, primitive, trace_id, profile_box_id, profile_name,
    worker_target, context_box_id, headcode, title, depth, status, turn_epoch, leased_at, heartbeat_at, ended_at, output_box_id, deliverable_card_id, lease_holder)
  SELECT 'p', 'turn_${id}', 'agent_${of}', 'turn_r', 'delegate_async', 'x', 'b', 'P', 'w', 'b', '1P01', 't', 1, s, ${epoch},
    CASE WHEN s <> 'queued' THEN timestamptz '2026-01-01Z' END, CASE WHEN s = 'running' THEN timestamptz '2026-01-01Z' END,
    CASE WHEN s = 'success' THEN timestamptz '2026-01-02Z' END, 'out_${of}', 'c', CASE s WHEN 'running' THEN 'worker_a' END
  FROM (VALUES ('${status}')) AS g(s)`;
const head = (of: string, status: string, epoch: number, active: string | null) => `
  INSERT INTO state.agent_state_head (project_id, agent_id, status, active_agent_turn_id, turn_epoch, context_box_id, output_box_id, lease_holder)
  SELECT 'p', 'agent_${of}', s, a, ${epoch}, CASE WHEN a IS NOT NULL THEN 'b' END, CASE WHEN a IS NOT NULL THEN 'out_${of}' END,
    CASE s WHEN 'running' THEN 'worker_a' END FROM (VALUES ('${status}', ${active === null ? "NULL::text" : `'turn_${active}'`})) AS g(s, a)`;
const due = (id: string, epoch: number, more: string) =>
  `INSERT INTO state.due (project_id, agent_turn_id, turn_epoch, worker_target, ${more.split("=")[0]}) VALUES ('p', 'turn_${id}', ${epoch}, 'w', ${more.split("=")[1]})`;

let scratch: string;
let db: TestDatabase;
const rows = async (text: string) => (await db.pool.query(text)).rows;
const folderOf = (name: string, migrations: string[]): string => {
  const folder = path.join(scratch, name);
  for (const one of migrations)
    fs.cpSync(path.join("prisma/migrations", one), path.join(folder, one), { recursive: true });
  return folder;
};
beforeAll(async () => {
  scratch = makeScratch();
  db = await openTestDatabase({ isEmpty: true });
  const before = fs.readdirSync("prisma/migrations").filter((name) => name < STEP);
  await migrate(db.url, { folder: folderOf("before", before) });
  const agents = ["wait", "run", "sleep", "idle", "over", "odd", "left", "lost", "none"];
  // Without asking for each row whether what it refers to is there.
  await rows(`SET session_replication_role = replica; INSERT INTO projects (project_id, title) VALUES ('p', 'P');
    ${agents.map(agent).join(";")};
    ${turn("wait", "wait", "dispatched", 3)}; ${head("wait", "dispatched", 3, "wait")}; ${due("wait", 3, "claimed_by=NULL")};
    ${turn("run", "run", "running", 2)}; ${head("run", "running", 2, "run")}; ${due("run", 2, "claimed_by, claimed_at, heartbeat_at='worker_a', now(), now()")};
    ${turn("sleep", "sleep", "suspended", 5)}; ${head("sleep", "suspended", 5, "sleep")};
    ${turn("idle", "idle", "success", 1)}; ${head("idle", "idle", 4, null)};
    ${turn("over", "over", "success", 2)}; ${head("over", "suspended", 2, "over")};
    ${turn("odd", "odd", "running", 1)}; ${head("odd", "dispatched", 2, "odd")}; ${due("odd", 1, "claimed_by, claimed_at, heartbeat_at='worker_a', now(), now()")};
    ${turn("left", "left", "queued", 2)}; ${head("left", "dispatched", 2, "left")}; ${due("left", 2, "queued_for='agent_left'")};
    ${turn("lost", "lost", "suspended", 6)}; ${turn("before", "lost", "success", 2)};
    ${head("none", "idle", 0, null)};
    INSERT INTO state.turn_waiting_tools (project_id, agent_id, agent_turn_id, turn_epoch, tool_call_id, tool_name, wait_status, deadline_at)
      VALUES ('p', 'agent_sleep', 'turn_sleep', 5, 'c1', 'x', 'waiting', '2027-01-01Z'), ('p', 'agent_sleep', 'turn_sleep', 5, 'c2', 'x', 'received', '2026-01-01Z'),
        ('p', 'agent_sleep', 'turn_sleep', 4, 'c0', 'x', 'applied', '2028-01-01Z');
    INSERT INTO state.agent_state_pointers (project_id, agent_id, last_output_box_id) VALUES ('p', 'agent_idle', 'out_idle'), ('p', 'agent_none', NULL);
    SET session_replication_role = origin`);
});
afterAll(async () => {
  await db.close();
  await removeScratch(scratch);
});

test("a view of somebody's own on heads stops it by its name, before anything is changed", async () => {
  await rows("CREATE VIEW public.report AS SELECT agent_id FROM state.agent_state_head");
  try {
    const step = migrate(db.url, { folder: folderOf("step", [STEP]) });
    await expect(step).rejects.toThrow(
      "view report depends on table state.agent_state_head, which becomes a view: drop it",
    );
  } finally {
    await rows("DROP VIEW public.report");
  }
  expect(await rows("SELECT relkind FROM pg_class WHERE oid = 'state.agent_state_head'::regclass")).toEqual([
    { relkind: "r" },
  ]);
});

test("live turns keep their agents, epochs and leases; what contradicted is as the head or the end of its turn says", async () => {
  const reader = `head_reader_of_${new URL(db.url).pathname.slice(1)}`;
  await rows(`CREATE ROLE ${reader}; GRANT SELECT ON state.agent_state_head TO ${reader}`);
  try {
    await migrate(db.url, { folder: folderOf("step", [STEP]) });
    const may = (table: string) => `has_table_privilege('${reader}', 'state.${table}', 'SELECT')`;
    expect(await rows(`SELECT ${may("agent_state_head")} AS head, ${may("agent_state_pointers")} AS pointers`)).toEqual(
      [{ head: true, pointers: false }],
    );
  } finally {
    await rows(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
  }
  const heads = await rows(
    `SELECT substr(h.agent_id, 7) AS id, h.status, h.turn_epoch::int AS epoch, h.active_agent_turn_id AS active, h.output_box_id AS out, h.lease_holder AS by,
      h.waiting_tool_count AS calls, h.resume_deadline FROM state.agent_state_head h ORDER BY 1`,
  );
  const row = (id: string, status: string, epoch: number, more: object = {}) => ({
    ...{ id, status, epoch, active: `turn_${id}`, out: `out_${id}`, by: null, calls: 0, until: null },
    ...(status === "idle" && { active: null, out: null }),
    ...more,
  });
  const told = heads.map(({ resume_deadline, ...one }) => ({
    ...one,
    until: resume_deadline === null ? null : new Date(resume_deadline).toISOString(),
  }));
  expect(told).toEqual([
    row("idle", "idle", 4),
    row("left", "dispatched", 2),
    row("lost", "suspended", 6),
    row("none", "idle", 0),
    row("odd", "dispatched", 2),
    row("over", "idle", 2),
    row("run", "running", 2, { by: "worker_a" }),
    row("sleep", "suspended", 5, { calls: 2, until: "2027-01-01T00:00:00.000Z" }),
    row("wait", "dispatched", 3),
  ]);
  expect(await rows("SELECT agent_id, last_output_box_id FROM state.agent_state_pointers")).toEqual([
    { agent_id: "agent_idle", last_output_box_id: "out_idle" },
  ]);
  // The turn that its head had taken from its worker waits to be taken again, and one that it had leased waits in no queue.
  expect(
    await rows(
      "SELECT agent_turn_id, turn_epoch::int AS epoch, queued_for, claimed_by, heartbeat_at IS NOT NULL AS runs FROM state.due ORDER BY 1",
    ),
  ).toEqual([
    { agent_turn_id: "turn_left", queued_for: null, epoch: 2, claimed_by: null, runs: false },
    { agent_turn_id: "turn_odd", queued_for: null, epoch: 2, claimed_by: null, runs: false },
    { agent_turn_id: "turn_run", queued_for: null, epoch: 2, claimed_by: "worker_a", runs: true },
    { agent_turn_id: "turn_wait", queued_for: null, epoch: 3, claimed_by: null, runs: false },
  ]);
  expect(
    await rows(
      "SELECT status, turn_epoch::int AS epoch, lease_holder FROM state.agent_turns WHERE agent_turn_id = 'turn_odd'",
    ),
  ).toEqual([{ status: "dispatched", epoch: 2, lease_holder: null }]);
});
