import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDb } from "./db";
import { migrate } from "./migrate";
import { openTestDatabase, type TestDatabase } from "./testing/database";
import { makeScratch, removeScratch } from "./testing/scratch";

let db: TestDatabase;
let scratch: string;

beforeAll(async () => {
  db = await openTestDatabase({ isEmpty: true });
  scratch = makeScratch();
});
afterAll(async () => {
  await db.close();
  await removeScratch(scratch);
});

test("the product's own migrations apply to an empty database, and a second time nothing happens", async () => {
  const lines: string[] = [];
  const first = await migrate(db.url, { onProgress: (line) => lines.push(line) });
  expect(first).toEqual(
    fs
      .readdirSync("prisma/migrations")
      .filter((name) => name !== "migration_lock.toml")
      .sort(),
  );
  expect(lines).toHaveLength(first.length);
  expect(await migrate(db.url)).toEqual([]);
});

test("eight processes at once apply each migration once", async () => {
  const folder = folderOf("race", { "1_one": "CREATE TABLE race (n int); INSERT INTO race VALUES (1);" });
  const results = await Promise.all(Array.from({ length: 8 }, () => migrate(db.url, { folder })));
  expect(results.flat()).toEqual(["1_one"]);
  const { rows } = await db.pool.query("SELECT n FROM race");
  expect(rows).toEqual([{ n: 1 }]);
});

test("a failing migration leaves nothing of itself, names the line, keeps what came before, and can be repaired", async () => {
  const good = "CREATE TABLE kept (n int);";
  const bad = folderOf("bad", { "2_good": good, "3_bad": "CREATE TABLE half (n int);\nSELECT nonsense;" });
  await expect(migrate(db.url, { folder: bad })).rejects.toThrow(
    /3_bad failed and was rolled back: .*nonsense.*line 2/,
  );
  const tables = await db.pool.query("SELECT to_regclass('kept') AS kept, to_regclass('half') AS half");
  expect(tables.rows).toEqual([{ kept: "kept", half: null }]);
  const repaired = folderOf("good", { "2_good": good, "3_bad": "CREATE TABLE half (n int);" });
  expect(await migrate(db.url, { folder: repaired })).toEqual(["3_bad"]);
  const { rows } = await db.pool.query(
    "SELECT finished_at IS NOT NULL AS finished, rolled_back_at IS NOT NULL AS rolled_back, logs LIKE '%nonsense%' AS logged FROM _prisma_migrations WHERE migration_name = '3_bad' ORDER BY started_at",
  );
  expect(rows).toEqual([
    { finished: false, rolled_back: true, logged: true },
    { finished: true, rolled_back: false, logged: null },
  ]);
});

test("a migration edited after it was applied is reported, not applied again; other line ends are not an edit", async () => {
  const lines: string[] = [];
  const onProgress = (line: string) => lines.push(line);
  await migrate(db.url, { folder: folderOf("e1", { "4_edit": "SELECT 1;\nSELECT 2;\n" }) });
  await migrate(db.url, { folder: folderOf("e2", { "4_edit": "SELECT 1;\r\nSELECT 2;\r\n" }), onProgress });
  expect(lines).toEqual([]);
  expect(await migrate(db.url, { folder: folderOf("e3", { "4_edit": "SELECT 3;" }), onProgress })).toEqual([]);
  expect(lines).toEqual(["Migration 4_edit was edited after it was applied to this database"]);
});

test("sessions with plans for the old tables are ended and plan again; those waiting for the lock and unrelated ones stay", async () => {
  await migrate(db.url, { folder: folderOf("s1", { "6_plan": "CREATE TABLE plan (a int, b text)" }) });
  const old = openDb(db.url, { name: "switchyard-web", max: 1 });
  const others = await Promise.all(["reports", "switchyard-keeper"].map((name) => sessionOf(db, name)));
  const look = {
    name: "plan_look",
    text: "SELECT pg_backend_pid() AS pid, p.* FROM (VALUES (1)) v LEFT JOIN plan p ON true",
  };
  try {
    const before = (await old.pool.query(look)).rows[0];
    expect(Object.keys(before)).toEqual(["pid", "a", "b"]);
    const lines: string[][] = [[], []];
    const folder = folderOf("s2", {
      "7_plan": "DROP TABLE plan; CREATE TABLE plan (b text, a int); SELECT pg_sleep(0.3)",
    });
    const both = lines.map((said) => migrate(db.url, { folder, onProgress: (line) => said.push(line) }));
    expect((await Promise.all(both)).flat()).toEqual(["7_plan"]);
    const after = (await old.pool.query(look)).rows[0];
    expect(Object.keys(after)).toEqual(["pid", "b", "a"]);
    expect(after.pid).not.toBe(before.pid);
    for (const client of others) expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    expect(lines.flat().filter((line) => line.startsWith("Sessions ended"))).toEqual([
      "Sessions ended that knew the tables as they were: 1",
    ]);
    const untouched = await old.pool.query(look);
    await migrate(db.url, { folder });
    expect((await old.pool.query(look)).rows).toEqual(untouched.rows);
  } finally {
    await Promise.all([old.close(), ...others.map((client) => client.end())]);
  }
});

test("a name in the URL, which is then every process's, ends the others and not the migrator", async () => {
  const url = `${db.url}?application_name=house`;
  const old = await sessionOf(db, "house");
  const ended = new Promise<void>((resolve) => old.on("end", resolve));
  const folder = folderOf("named", { "7_named": "CREATE TABLE named (n int)" });
  expect((await Promise.all([migrate(url, { folder }), migrate(url, { folder })])).flat()).toEqual(["7_named"]);
  await ended;
});

test("a migration that loses a deadlock or waits too long for a lock is tried again, and leaves no failure", async () => {
  await migrate(db.url, { folder: folderOf("l1", { "8_two": "CREATE TABLE one (n int); CREATE TABLE two (n int)" }) });
  const unit = await sessionOf(db, "unit");
  try {
    await unit.query("BEGIN; LOCK TABLE one");
    const deadlocked = migrate(db.url, { folder: folderOf("l2", { "9_dead": "LOCK TABLE two; LOCK TABLE one" }) });
    await sleep(250);
    await unit.query("LOCK TABLE two; COMMIT");
    expect(await deadlocked).toEqual(["9_dead"]);
    await unit.query("BEGIN; LOCK TABLE one");
    const late = migrate(db.url, {
      folder: folderOf("l3", { "9_late": "SET LOCAL lock_timeout = 50; LOCK TABLE one" }),
    });
    await sleep(250);
    await unit.query("COMMIT");
    expect(await late).toEqual(["9_late"]);
  } finally {
    await unit.end();
  }
  const { rows } = await db.pool.query(
    "SELECT FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL AND migration_name LIKE '9%'",
  );
  expect(rows).toEqual([]);
});

test("a migration that the Prisma CLI left unfinished stops the start with a remedy", async () => {
  await db.pool.query(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'x', '5_unfinished')",
  );
  await expect(migrate(db.url)).rejects.toThrow(/npx prisma migrate resolve --rolled-back 5_unfinished/);
});

const LEAN = "20261122080000_lean_rows";
const QUICK = "20261122100000_quick_checks";

test("rows, constraints and defaults are the same when a table is made anew with its columns in another order", async () => {
  const own = await openBefore(LEAN);
  try {
    for (const [table, fixed] of filled) await fill(own, table, fixed);
    const before = { ...(await shapeOf(own)), rows: await rowsOf(own) };
    const indexes = await indexNamesOf(own);
    await migrate(own.url, { folder: only(LEAN) });
    expect({ ...(await shapeOf(own)), rows: await rowsOf(own) }).toEqual(before);
    expect(await indexNamesOf(own)).toEqual(indexes.filter((name) => name !== "state.identity_edges_by_target"));
    const room = await own.pool.query(
      "SELECT oid::regclass::text AS of, reloptions AS room FROM pg_class WHERE relkind = 'r' AND reloptions IS NOT NULL ORDER BY 1",
    );
    expect(Object.fromEntries(room.rows.map(({ of, room }) => [of, room.join()]))).toEqual({
      card_boxes: "fillfactor=65",
      "resource.project_agents": "fillfactor=60",
      "state.agent_inbox": "fillfactor=50",
      "state.agent_state_head": "fillfactor=50",
      "state.agent_turns": "fillfactor=45",
      "state.human_requests": "fillfactor=70",
      "state.pmo_batch_tasks": "fillfactor=40",
    });
    await own.pool.query("DELETE FROM projects");
    expect((await rowsOf(own)).every(({ rows }) => rows === null)).toBe(true);
  } finally {
    await own.close();
  }
});

test.each([
  [LEAN, "state.agent_state_head"],
  [QUICK, "state.agent_turns"],
])("units take heads, turns and cards in turn: %s goes through behind one that holds %s", async (name, held) => {
  const own = await openBefore(name);
  const unit = await sessionOf(own, "unit");
  try {
    for (const [table, fixed] of filled) await fill(own, table, fixed);
    await unit.query(`BEGIN; SELECT FROM ${held} FOR UPDATE`);
    const migrating = migrate(own.url, { folder: only(name) });
    await sleep(250);
    await unit.query("SELECT FROM state.agent_turns FOR UPDATE");
    await fill({ pool: unit }, "cards", { tenant_id: "project_id", metadata: '{"type": "x", "role": "x"}' });
    await unit.query("COMMIT");
    expect(await migrating).toEqual([name]);
    const { rows } = await own.pool.query(
      `SELECT (SELECT count(*) FROM cards) AS cards,
        (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()) AS deadlocks`,
    );
    // A second try would hide one.
    expect(rows).toEqual([{ cards: 1, deadlocks: 0 }]);
  } finally {
    await unit.end();
    await own.close();
  }
});

test("who might read the old tables may read the new ones, and no more than before", async () => {
  const own = await openBefore("20261122070000_journal_packs");
  // Roles are the server's, which other files of tests share.
  const database = new URL(own.url).pathname.slice(1);
  const [reader, clerk, stranger] = ["reader", "clerk", "stranger"].map((name) => `${name}_of_${database}`);
  const tables = ["state.agent_turns", "state.agent_state_head", "state.pmo_batch_tasks", "state.journal"];
  const rights = async (of: string[]) => {
    const { rows } = await own.pool.query(
      `SELECT t, r, p FROM unnest($1::text[]) t, unnest($2::text[]) r, unnest('{SELECT,INSERT,UPDATE,DELETE,SELECT WITH GRANT OPTION}'::text[]) p
       WHERE has_table_privilege(r, t, p) ORDER BY 1, 2, 3`,
      [of, [reader, clerk, stranger]],
    );
    return rows.map(({ t, r, p }) => `${r} ${p} ${t}`);
  };
  try {
    await own.pool.query(`CREATE ROLE ${reader}; CREATE ROLE ${clerk}; CREATE ROLE ${stranger};
      GRANT SELECT ON ${tables.join(", ")} TO ${reader};
      GRANT SELECT, INSERT, DELETE ON ${tables.join(", ")} TO ${clerk} WITH GRANT OPTION;
      GRANT UPDATE (note) ON state.agent_turns TO ${clerk};
      ALTER DEFAULT PRIVILEGES IN SCHEMA state GRANT SELECT ON TABLES TO ${stranger}`);
    const before = await rights(tables);
    expect(before).toHaveLength(5 * tables.length);
    await migrate(own.url);
    expect(await rights(tables)).toEqual(before);
    expect(await rights(["state.journal_packs"])).toHaveLength(5);
    const { rows } = await own.pool.query(
      "SELECT has_column_privilege($1, 'state.agent_turns', 'note', 'UPDATE') AS note, has_column_privilege($1, 'state.agent_turns', 'status', 'UPDATE') AS status",
      [clerk],
    );
    expect(rows).toEqual([{ note: true, status: false }]);
  } finally {
    await own.pool.query(`DROP OWNED BY ${reader}, ${clerk}, ${stranger}; DROP ROLE ${reader}, ${clerk}, ${stranger}`);
    await own.close();
  }
});

test.each([
  ["20261122070000_journal_packs", "state.journal"],
  [LEAN, "state.agent_turns"],
])("somebody's own view stops %s by its name, and is still there", async (name, table) => {
  const own = await openBefore(name);
  try {
    await own.pool.query(`CREATE VIEW mine AS SELECT project_id FROM ${table}`);
    await expect(migrate(own.url, { folder: only(name) })).rejects.toThrow(/view mine depends on table/);
    expect((await own.pool.query("SELECT * FROM mine")).rows).toEqual([]);
    await own.pool.query("DROP VIEW mine");
    expect(await migrate(own.url, { folder: only(name) })).toEqual([name]);
  } finally {
    await own.close();
  }
});

test("a recipe that was saved before there were versions is its first one", async () => {
  const own = await openBefore("20261126010000_recipe_versions");
  try {
    await own.pool.query(`INSERT INTO projects (project_id, title) VALUES ('p', 'P');
      INSERT INTO resource.recipes (project_id, name, handover, created_at, updated_at)
      VALUES ('p', 'brief', '{"context_packing_config": {}}', '2026-01-01Z', '2026-02-01Z')`);
    await migrate(own.url);
    const versions = "SELECT name, version, handover, created_by, created_at FROM resource.recipe_versions";
    expect((await own.pool.query(versions)).rows).toEqual([
      {
        name: "brief",
        version: 1,
        handover: { context_packing_config: {} },
        created_by: null,
        created_at: "2026-02-01T00:00:00.000Z",
      },
    ]);
    expect((await own.pool.query("SELECT name, head FROM resource.recipes")).rows).toEqual([
      { name: "brief", head: 1 },
    ]);
  } finally {
    await own.close();
  }
});

/** A database as it was before a migration of the product's. */
async function openBefore(name: string): Promise<TestDatabase> {
  const own = await openTestDatabase({ isEmpty: true });
  const before = fs.readdirSync("prisma/migrations").filter((other) => other < name);
  await migrate(own.url, {
    folder: folderOf(`before_${name}`, Object.fromEntries(before.map((other) => [other, sqlOf(other)]))),
  });
  return own;
}

const only = (name: string) => folderOf(`only_${name}`, { [name]: sqlOf(name) });

function sqlOf(name: string): string {
  return fs.readFileSync(path.join("prisma/migrations", name, "migration.sql"), "utf8");
}

async function sessionOf({ url }: TestDatabase, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

// Every text is the name of its column, so that keys of other tables fit by themselves, and no two columns hold the same.
const filled: [table: string, fixed: Record<string, string>][] = [
  ["projects", { status: "active" }],
  ["card_boxes", { tenant_id: "project_id", box_id: "context_box_id", kind: "context" }],
  ["card_boxes", { tenant_id: "project_id", box_id: "profile_box_id", kind: "profile" }],
  ["resource.project_agents", { status: "active" }],
  ["state.agent_turns", { status: "failed", primitive: "fork_join", target_strategy: "new" }],
  ["state.agent_state_head", { status: "running" }],
  ["state.agent_steps", { status: "completed" }],
  ["state.turn_waiting_tools", { wait_status: "applied" }],
  ["state.human_requests", { status: "answered", kind: "question" }],
  ["state.pmo_batches", { status: "running", tool_name: "fork_join" }],
  ["state.pmo_batch_tasks", { status: "success" }],
];

async function fill(
  { pool }: { pool: pg.Pool | pg.Client },
  table: string,
  fixed: Record<string, string>,
): Promise<void> {
  const { rows } = await pool.query<{ name: string; type: string; n: number }>(
    `SELECT quote_ident(attname) AS name, format_type(atttypid, NULL) AS type, attnum AS n
     FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
    [table],
  );
  const sqlOfColumn = (name: string, type: string, n: number): string => {
    if (fixed[name] !== undefined) return `'${fixed[name]}'`;
    if (type === "timestamp with time zone") return `timestamptz '2026-01-01' + ${n} * interval '1 day'`;
    if (type === "boolean") return "true";
    if (type === "jsonb") return `'{"is": "${name}"}'`;
    if (type === "text[]") return `'{${name}}'`;
    return type === "text" || type === "bytea" ? `'${name}'` : `${n}`;
  };
  const values = rows.map(({ name, type, n }) => sqlOfColumn(name, type, n));
  await pool.query(`INSERT INTO ${table} (${rows.map(({ name }) => name).join(", ")}) VALUES (${values.join(", ")})`);
}

async function indexNamesOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT schemaname || '.' || indexname AS name FROM pg_indexes
     WHERE schemaname IN ('public', 'resource', 'state') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function rowsOf({ pool }: TestDatabase): Promise<{ table: string; rows: unknown }[]> {
  const tables = [...new Set(filled.map(([table]) => table))];
  return Promise.all(
    tables.map(async (table) => {
      const { rows } = await pool.query(`SELECT jsonb_agg(to_jsonb(t) ORDER BY to_jsonb(t)) AS rows FROM ${table} t`);
      return { table, rows: rows[0].rows };
    }),
  );
}

async function shapeOf({ pool }: TestDatabase): Promise<Record<string, unknown[]>> {
  const ours = "n.nspname IN ('public', 'resource', 'state')";
  const columns = await pool.query(
    `SELECT table_schema, table_name, column_name, data_type, is_nullable, column_default, numeric_precision, numeric_scale
     FROM information_schema.columns WHERE table_schema IN ('public', 'resource', 'state') ORDER BY 1, 2, 3`,
  );
  const constraints = await pool.query(
    `SELECT c.conrelid::regclass::text AS of, c.conname, c.convalidated, pg_get_constraintdef(c.oid) AS def
     FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace WHERE ${ours} AND c.contype <> 'n' ORDER BY 1, 2`,
  );
  const unique = await pool.query(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS def FROM pg_index i
     JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${ours} AND i.indisunique ORDER BY 1`,
  );
  const triggers = await pool.query(
    `SELECT t.tgrelid::regclass::text AS of, t.tgname FROM pg_trigger t WHERE NOT t.tgisinternal ORDER BY 1, 2`,
  );
  const schemas = await pool.query("SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' ORDER BY 1");
  return {
    columns: columns.rows,
    constraints: constraints.rows,
    unique: unique.rows,
    triggers: triggers.rows,
    schemas: schemas.rows,
  };
}

function folderOf(name: string, migrations: Record<string, string>): string {
  const folder = path.join(scratch, name);
  for (const [migration, sql] of Object.entries(migrations)) {
    fs.mkdirSync(path.join(folder, migration), { recursive: true });
    fs.writeFileSync(path.join(folder, migration, "migration.sql"), sql);
  }
  return folder;
}
