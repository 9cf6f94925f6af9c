// Branches of a database from before 20261211020000_branches_are_turns: each in whatever state it was, the view answers what the table did.
import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { migrate } from "./migrate";
import { openTestDatabase, type TestDatabase } from "./testing/database";
import { makeScratch, removeScratch } from "./testing/scratch";

const NAME = "20261211020000_branches_are_turns";
let scratch: string;
let own: TestDatabase;

const folderOf = (name: string, migrations: string[]): string => {
  const folder = path.join(scratch, name);
  for (const one of migrations)
    fs.cpSync(path.join("prisma/migrations", one), path.join(folder, one), { recursive: true });
  return folder;
};

beforeAll(() => {
  scratch = makeScratch();
  folderOf(
    "before",
    fs.readdirSync("prisma/migrations").filter((name) => name < NAME),
  );
  folderOf("only", [NAME]);
});
afterAll(() => removeScratch(scratch));
beforeEach(async () => {
  own = await openTestDatabase({ isEmpty: true });
  await migrate(own.url, { folder: path.join(scratch, "before") });
  await own.pool.query(`INSERT INTO projects (project_id, title) VALUES ('p', 'P');
    INSERT INTO card_boxes (tenant_id, box_id, kind) VALUES ('p', 'given', 'context'), ('p', 'x', 'profile');
    INSERT INTO resource.project_agents (project_id, agent_id, profile_box_id, profile_name, worker_target) VALUES ('p', 'boss', 'x', 'Boss', 'w'), ('p', 'hand', 'x', 'Hand', 'w')`);
  await addTurn("parent", { agent_id: "boss", trace_id: "trace_parent", batch_id: null, task_index: null });
});
afterEach(() => own.close());

type Row = Record<string, unknown>;

async function add(table: string, row: Row): Promise<void> {
  const keys = Object.keys(row);
  const values = keys.map((key) =>
    typeof row[key] === "object" && row[key] !== null ? JSON.stringify(row[key]) : row[key],
  );
  await own.pool.query(
    `INSERT INTO ${table} (${keys.join(", ")}) VALUES (${keys.map((_, i) => `$${i + 1}`).join(", ")})`,
    values,
  );
}

const isOver = (status: unknown) => status === "success" || status === "failed" || status === "timeout";

async function addTurn(agent_turn_id: string, row: Row = {}): Promise<void> {
  const over = isOver(row.status) ? { ended_at: "2026-02-01Z", deliverable_card_id: "d" } : {};
  await add("state.agent_turns", {
    ...{
      project_id: "p",
      agent_turn_id,
      agent_id: "hand",
      root_turn_id: "parent",
      primitive: "fork_join",
      target_strategy: "new",
    },
    ...{
      trace_id: `trace_${agent_turn_id}`,
      profile_box_id: "x",
      profile_name: "Hand",
      worker_target: "w",
      context_box_id: "given",
    },
    ...{
      headcode: "1H01",
      title: `title of ${agent_turn_id}`,
      depth: 1,
      status: "running",
      output_box_id: "out",
      batch_id: "b",
    },
    ...{ batch_task_id: `bt_${agent_turn_id}`, task_index: 0, created_at: "2026-01-01Z" },
    ...over,
    ...row,
  });
}

async function addBatch(task_count: number): Promise<void> {
  await add("state.pmo_batches", {
    ...{
      project_id: "p",
      batch_id: "b",
      parent_agent_id: "boss",
      parent_agent_turn_id: "parent",
      parent_tool_call_id: "call",
    },
    ...{ parent_turn_epoch: 1, root_turn_id: "parent", task_count, status: "running", created_at: "2026-01-01Z" },
  });
}

const facts = (turn: string): Row => ({
  ...{ title: `title of ${turn}`, profile_name: "Hand", target_strategy: "new", child_trace_id: `trace_${turn}` },
  ...{
    parent_trace_id: "trace_parent",
    dispatch_channel_id: "public",
    parent_traceparent: "00-trace_parent-0123456789abcdef-01",
  },
});

async function addTask(task_index: number, id: string, row: Row = {}): Promise<void> {
  await add("state.pmo_batch_tasks", {
    ...{
      project_id: "p",
      batch_task_id: `bt_${id}`,
      batch_id: "b",
      agent_id: "hand",
      context_box_id: "given",
      task_index,
    },
    ...{
      agent_turn_id: id,
      status: "dispatched",
      attempt_count: 1,
      metadata: facts(id),
      created_at: "2026-01-01Z",
      updated_at: "2026-01-01Z",
    },
    ...row,
  });
}

const resultOf = (task_index: number, id: string, more: Row): Row => ({
  ...{
    task_index,
    status: "success",
    output_box_id: "out",
    agent_id: "hand",
    agent_turn_id: id,
    summary: `done by ${id}`,
  },
  ...more,
});

async function tasksOf(): Promise<Row[]> {
  const { rows } = await own.pool.query<Row>(
    `SELECT project_id, batch_task_id, batch_id, agent_id, context_box_id, task_index, created_at, agent_turn_id, attempt_count, attempts_max,
       next_retry_at, output_box_id, error_detail, result_view, updated_at, rev, status,
       metadata - '{parent_traceparent,headcode,turn}'::text[] AS metadata
     FROM state.pmo_batch_tasks ORDER BY batch_id, task_index`,
  );
  return rows;
}
const upgrade = () => migrate(own.url, { folder: path.join(scratch, "only") });

test("branches in every state: the same ids, statuses, results, tries and revs as before", async () => {
  await addBatch(11);
  await addTurn("runs");
  await addTask(0, "runs", { metadata: { ...facts("runs"), headcode: "1H01" } });
  await addTurn("done", { task_index: 1, status: "success" });
  const pack = { ref: "artifact://packs/pack-1.json", sha256: "1" };
  const done = { status: "success", output_box_id: "out", rev: 2, updated_at: "2026-02-01Z" };
  await addTask(1, "done", { ...done, result_view: resultOf(1, "done", { context_pack_ref: pack }) });
  await addTurn("broke", { task_index: 2, status: "failed", error: "boom", error_code: "internal_error" });
  const broke = resultOf(2, "broke", { status: "failed", error: "boom" });
  await addTask(2, "broke", { ...done, status: "failed", error_detail: "boom", result_view: broke });
  await addTask(3, "held", {
    agent_turn_id: null,
    status: "pending",
    attempt_count: 0,
    metadata: { ...facts("held"), turn: { title: "x" } },
  });
  const earlier = [{ agent_turn_id: "first", status: "failed", retried_by: "ann" }];
  await addTurn("first", { task_index: 4, status: "failed", batch_task_id: "bt_again" });
  const waiting = {
    attempts_max: 3,
    next_retry_at: "2026-03-01Z",
    rev: 3,
    metadata: { ...facts("again"), earlier, tries_before: 1 },
  };
  await addTask(4, "again", { ...waiting, agent_turn_id: null, status: "pending" });
  await addTurn("second", { task_index: 5, batch_task_id: "bt_second", created_at: "2026-01-05Z" });
  const retried = { ...facts("second"), earlier, tries_before: 1 };
  await addTask(5, "second", {
    attempt_count: 2,
    attempts_max: 3,
    rev: 4,
    metadata: retried,
    updated_at: "2026-01-05Z",
  });
  const refused = {
    agent_turn_id: null,
    status: "failed",
    attempt_count: 1,
    error_detail: "dispatch_error:not_found",
    rev: 2,
  };
  await addTask(6, "refused", { ...refused, metadata: { ...facts("refused"), turn: {} } });
  const replays = { batch_task_id: "bt_other", agent_turn_id: "other" };
  const taken = { agent_turn_id: null, status: "success", attempt_count: 0, result_view: resultOf(7, "other", {}) };
  await addTask(7, "taken", { ...taken, output_box_id: "elsewhere", metadata: { ...facts("taken"), replays } });
  await addTurn("renamed", { task_index: 8, status: "success", title: "another title" });
  await addTask(8, "renamed", { ...done, result_view: resultOf(8, "renamed", { data: { old: 1 } }) });
  // Of imports: what was recorded is not what the turn says.
  await addTask(9, "gone", { ...done, result_view: resultOf(9, "gone", {}) });
  await addTurn("other_end", { task_index: 10, status: "timeout" });
  await addTask(10, "other_end", { ...done, result_view: resultOf(10, "other_end", {}) });
  const before = await tasksOf();
  expect(before).toHaveLength(11);
  expect(await upgrade()).toEqual([NAME]);
  expect(await tasksOf()).toEqual(before);
  const { rows } = await own.pool.query("SELECT turns FROM state.pmo_batches");
  expect(rows[0].turns).toEqual(["runs", "done", "broke", null, null, "second", null, null, "renamed", null, null]);
  const extra = await own.pool.query("SELECT task_index, status FROM state.branch_extra ORDER BY task_index");
  expect(extra.rows.map(({ task_index, status }) => `${task_index} ${status}`)).toEqual([
    "3 pending",
    "4 pending",
    "5 null",
    "6 failed",
    "7 success",
    "8 null",
    "9 success",
    "10 success",
  ]);
  const kept = await own.pool.query("SELECT count(*)::int AS n FROM before_lean.pmo_batch_tasks");
  expect(kept.rows).toEqual([{ n: 11 }]);
  await own.pool.query("DELETE FROM state.pmo_batches");
  expect((await own.pool.query("SELECT FROM state.branch_extra")).rowCount).toBe(0);
});

test("what an old row left out of its hand-over, its turn says", async () => {
  await addBatch(1);
  await addTurn("old");
  await addTask(0, "old", { metadata: { title: "its own" }, context_box_id: null });
  await upgrade();
  const metadata = { title: "its own", profile_name: "Hand", parent_trace_id: "trace_parent" };
  expect(await tasksOf()).toMatchObject([{ status: "dispatched", context_box_id: "given", metadata }]);
});

test("a row that was behind the end of its turn says what the turn says", async () => {
  await addBatch(1);
  await addTurn("late", { status: "success" });
  await addTask(0, "late");
  await upgrade();
  expect(await tasksOf()).toMatchObject([
    { status: "success", output_box_id: "out", rev: 2, result_view: { status: "success" } },
  ]);
});

test("a branch that runs as a turn of another batch stops the upgrade, which names it and changes nothing", async () => {
  await addBatch(1);
  await addTurn("stray", { batch_id: "another" });
  await addTask(0, "stray");
  const before = await tasksOf();
  await expect(upgrade()).rejects.toThrow(
    /task 0 of batch b in project p runs as turn stray.* stop the turn that forked/,
  );
  expect(await tasksOf()).toEqual(before);
});

test("so do rows that the view would not answer", async () => {
  await addBatch(1);
  await addTurn("one");
  await addTask(0, "one");
  await addTask(20_000, "beyond", { agent_turn_id: null, status: "pending" });
  await expect(upgrade()).rejects.toThrow(
    /branches of project p would not be the same after the upgrade: 2 before, 1 after/,
  );
});

test("somebody's own view stops it by its name", async () => {
  await own.pool.query("CREATE VIEW mine AS SELECT batch_id FROM state.pmo_batch_tasks");
  await expect(upgrade()).rejects.toThrow(/view mine depends on table state.pmo_batch_tasks/);
  await own.pool.query("DROP VIEW mine");
  expect(await upgrade()).toEqual([NAME]);
});
