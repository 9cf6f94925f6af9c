// The step that made views of the tables of edges: every edge of before is answered as it was, under its id, and work that was under
// way goes on.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrate } from "./migrate";
import { openTestDatabase, type TestDatabase } from "./testing/database";
import { makeScratch, removeScratch } from "./testing/scratch";

const STEP = "20261211000000_edges_told_by_turns";
const EDGES = "SELECT to_jsonb(e) AS edge FROM state.execution_edges e ORDER BY e.edge_id";
const IDENTITIES = "SELECT to_jsonb(e) AS edge FROM state.identity_edges e ORDER BY e.edge_id";

const turn = (id: string, more: { parent?: string; status: string; primitive?: string }) => `
  INSERT INTO state.agent_turns (project_id, agent_turn_id, agent_id, root_turn_id, parent_turn_id, primitive, target_strategy, trace_id,
    profile_box_id, profile_name, worker_target, context_box_id, headcode, title, depth, status, ended_at, output_box_id, deliverable_card_id)
  VALUES ('p', 'turn_${id}', 'agent_${id}', 'turn_r', ${more.parent ? `'turn_${more.parent}'` : "NULL"}, '${more.primitive ?? "delegate_async"}', 'new',
    'x', 'b', 'P', 'w', 'b', '1P01', 't', 1, '${more.status}', CASE WHEN '${more.status}' = 'success' THEN timestamptz '2026-01-02Z' END, 'b', 'c')`;
const edge = (id: string, primitive: string, phase: string, about: string, more = "NULL, false, '{}'") => `
  INSERT INTO state.execution_edges (project_id, edge_id, primitive, edge_phase, source_turn_id, target_turn_id, root_turn_id, correlation_id,
    recursion_depth, client_call_key, is_inferred, metadata)
  VALUES ('p', 'edge_${id}', '${primitive}', '${phase}', 'turn_r', 'turn_${about}', 'turn_r', '${about}', 1, ${more})`;

let scratch: string;
let db: TestDatabase;
beforeAll(async () => {
  scratch = makeScratch();
  db = await openTestDatabase({ isEmpty: true });
  const before = fs.readdirSync("prisma/migrations").filter((name) => name < STEP);
  await migrate(db.url, { folder: folderOf("before", before) });
  // Without asking for each row whether what it refers to is there.
  await db.pool.query(`SET session_replication_role = replica; INSERT INTO projects (project_id, title) VALUES ('p', 'P');
    ${turn("r", { status: "suspended", primitive: "ui_action" })}; ${turn("old", { parent: "r", status: "success" })};
    ${turn("live", { parent: "r", status: "running" })}; ${turn("late", { parent: "old", status: "running" })};
    ${edge("1", "enqueue", "request", "old", `'turn_r/call_1', false, '{"primitive": "delegate_async"}'`)};
    ${edge("2", "enqueue", "response", "old")};
    ${edge("3", "enqueue", "request", "live", `'turn_r/call_2', false, '{"context_pack_ref": {"sha256": "s"}}'`)};
    ${edge("4", "tool_call", "request", "call")}; ${edge("5", "join", "request", "batch_1")};
    INSERT INTO state.execution_edges (project_id, edge_id, primitive, edge_phase, target_turn_id, correlation_id, recursion_depth, is_inferred)
      VALUES ('p', 'of-a-log', 'enqueue', 'request', 'turn_late', 'turn_late', 1, true);
    INSERT INTO state.pmo_batches (project_id, batch_id, parent_agent_id, parent_agent_turn_id, parent_tool_call_id, parent_turn_epoch, root_turn_id,
      task_count, status) VALUES ('p', 'batch_1', 'agent_r', 'turn_r', 'call_3', 1, 'turn_r', 1, 'running');
    INSERT INTO card_boxes (tenant_id, box_id, kind) VALUES ('p', 'b', 'context');
    INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target)
      SELECT 'p', 'agent_' || id, 'b', 'P', 'w' FROM unnest('{r,old,live,late}'::text[]) id;
    INSERT INTO state.identity_edges (project_id, edge_id, action, source_agent_id, target_agent_id)
      VALUES ('p', 'edge_6', 'provision', 'agent_r', 'agent_old'), ('p', 'edge_7', 'update', 'agent_r', 'agent_old')`);
});
afterAll(async () => {
  await db.close();
  await removeScratch(scratch);
});

test.each([
  ["state.execution_edges", "edge_id"],
  ["state.identity_edges", "edge_id"],
  ["state.pmo_batch_tasks", "batch_task_id"],
  ["card_box_chunks", "box_id"],
])("a view of somebody's own on %s stops it by its name, before anything is changed", async (table, column) => {
  await db.pool.query(`CREATE VIEW public.report AS SELECT ${column} FROM ${table}`);
  try {
    const step = migrate(db.url, { folder: folderOf("step", [STEP]) });
    await expect(step).rejects.toThrow(`view report depends on table ${table}, which becomes a view: drop it`);
  } finally {
    await db.pool.query("DROP VIEW public.report");
  }
  const { rows } = await db.pool.query("SELECT to_regclass('state.edge_extra') AS made");
  expect(rows).toEqual([{ made: null }]);
});

test("a branch that runs as no turn stops it, while the previous version can still stop the fork", async () => {
  await db.pool.query(`INSERT INTO state.pmo_batch_tasks (project_id, batch_task_id, batch_id, task_index, agent_id, agent_turn_id, status)
    VALUES ('p', 'bt_odd', 'batch_1', 0, 'agent_r', 'turn_nowhere', 'dispatched')`);
  try {
    const step = migrate(db.url, { folder: folderOf("step", [STEP]) });
    await expect(step).rejects.toThrow("task 0 of batch batch_1 in project p runs as turn turn_nowhere");
  } finally {
    await db.pool.query("DELETE FROM state.pmo_batch_tasks");
  }
});

test("edges stay as they are, what goes on tells its end once, and a call that is repeated is known", async () => {
  const reader = `edge_reader_of_${new URL(db.url).pathname.slice(1)}`;
  const rows = async (text: string) => (await db.pool.query(text)).rows;
  const [edges, identities] = [await rows(EDGES), await rows(IDENTITIES)];
  expect([edges.length, identities.length]).toEqual([6, 2]);
  await rows(`CREATE ROLE ${reader}; GRANT SELECT ON state.execution_edges TO ${reader}`);
  try {
    await migrate(db.url, { folder: folderOf("step", [STEP]) });
    expect(await rows(EDGES)).toEqual(edges);
    expect(await rows(IDENTITIES)).toEqual(identities);
    const may = `SELECT has_table_privilege('${reader}', 'state.execution_edges', 'SELECT') AS edges,
      has_table_privilege('${reader}', 'state.identity_edges', 'SELECT') AS identities`;
    expect(await rows(may)).toEqual([{ edges: true, identities: false }]);
  } finally {
    await rows(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`);
  }
  expect(
    await rows(
      "SELECT agent_turn_id, client_call_key FROM state.agent_turns WHERE client_call_key IS NOT NULL ORDER BY 1",
    ),
  ).toEqual([
    { agent_turn_id: "turn_live", client_call_key: "turn_r/call_2" },
    { agent_turn_id: "turn_old", client_call_key: "turn_r/call_1" },
  ]);
  await rows("UPDATE state.agent_turns SET status = 'failed', ended_at = now() WHERE agent_turn_id = 'turn_live'");
  await rows("UPDATE state.pmo_batches SET status = 'success', ended_at = now() WHERE batch_id = 'batch_1'");
  const known = new Set(edges.map((row) => row.edge.edge_id));
  const added = (await rows(EDGES)).map((row) => row.edge).filter(({ edge_id }) => !known.has(edge_id));
  expect(added).toMatchObject([
    {
      edge_id: "edge_1_end",
      primitive: "join",
      edge_phase: "response",
      target_turn_id: "turn_r",
      metadata: { status: "success" },
    },
    {
      edge_id: "edge_live_end",
      primitive: "enqueue",
      edge_phase: "response",
      source_agent_id: "agent_live",
      target_turn_id: "turn_r",
    },
  ]);
});

function folderOf(name: string, migrations: string[]): string {
  const folder = path.join(scratch, name);
  for (const migration of migrations)
    fs.cpSync(path.join("prisma/migrations", migration), path.join(folder, migration), { recursive: true });
  return folder;
}
