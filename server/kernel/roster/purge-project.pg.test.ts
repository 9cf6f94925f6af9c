// A project that has rows in every table goes whole, in bounded parts, and no row of another one with it.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { seedMany } from "@/server/testing/seed/seed-many";
import { watchOnce } from "../reclaim/watch-turns";
import { createProject } from "./create-project";
import { deleteProject } from "./delete-project";

let kernel: TestKernel;
let client: pg.Client;
const [P, OTHER] = ["going", "staying"];

beforeAll(async () => {
  kernel = await openTestKernel();
  client = new pg.Client(kernel.test.url);
  await client.connect();
  for (const project_id of [P, OTHER]) {
    await createProject(kernel, { project_id, title: project_id });
    await seedMany(kernel, client, { project_id, turns: 200 });
  }
}, 60_000);
afterAll(async () => {
  await client?.end();
  await kernel?.close();
});

type Table = { name: string; column: string };

async function tables(): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT c.oid::regclass::text AS name, a.attname AS column FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('project_id', 'tenant_id')
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname IN ('public', 'resource', 'state') AND c.relname NOT LIKE 'journal%' ORDER BY 1`,
  );
  return rows;
}

const countIn = async ({ name, column }: Table, project_id: string) =>
  (await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name} WHERE ${column} = $1`, [project_id]))
    .rows[0]?.n;

/** Where nothing is, a row with whatever its columns take: keys and checks are not asked for. */
async function fill({ name, column }: Table, project_id: string): Promise<void> {
  if (((await countIn({ name, column }, project_id)) ?? 0) > 0) return;
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0
       AND attnotnull AND NOT atthasdef AND attidentity = '' AND attgenerated = '' AND NOT attisdropped AND attname <> $2`,
    [name, column],
  );
  const { rows: checks } = await client.query<{ name: string; made: string }>(
    "SELECT conname AS name, pg_get_constraintdef(oid) AS made FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'",
    [name],
  );
  const any: Record<string, string> = {
    "text[]": "'{}'",
    "integer[]": "'{}'",
    jsonb: "'{}'",
    json: "'{}'",
    boolean: "false",
    tsvector: "'x'",
    text: "'x'",
    bytea: "'x'",
  };
  const values = rows.map(({ type }) => (type.startsWith("timestamp") ? "now()" : (any[type] ?? "1")));
  await client.query("BEGIN; SET LOCAL session_replication_role = replica");
  for (const check of checks) await client.query(`ALTER TABLE ${name} DROP CONSTRAINT ${check.name}`);
  await client.query(
    `INSERT INTO ${name} (${[column, ...rows.map((row) => row.name)].join(", ")}) VALUES (${[`'${project_id}'`, ...values].join(", ")})`,
  );
  for (const check of checks)
    await client.query(`ALTER TABLE ${name} ADD CONSTRAINT ${check.name} ${check.made} NOT VALID`);
  await client.query("COMMIT");
}

test("nothing of it is left in any table, and every row of the other project is", { timeout: 60_000 }, async () => {
  const all = await tables();
  for (const table of all) for (const project_id of [P, OTHER]) await fill(table, project_id);
  const keep = `INSERT INTO state.kept_results (project_id, key, unit, n, request_hash, result) VALUES ($1, 'delete', 'project_begin_delete', 0, 'x', '')`;
  for (const project_id of [P, OTHER]) await client.query(keep, [project_id]);
  const of = async (project_id: string) =>
    Object.fromEntries(await Promise.all(all.map(async (table) => [table.name, await countIn(table, project_id)])));
  const before = await of(OTHER);
  for (const [name, n] of Object.entries(await of(P))) expect(`${name} ${n}`).not.toBe(`${name} 0`);
  await deleteProject({ ...kernel, tunables: { ...kernel.tunables, purgeRowsMax: 97 } }, P);
  const kept = Object.entries(await of(P)).filter(([, n]) => n !== 0);
  // Whoever repeats the deletion gets its answer, for a day.
  expect(kept).toEqual([["state.kept_results", 1]]);
  const units = "SELECT unit FROM state.kept_results WHERE project_id = $1";
  expect((await client.query(units, [P])).rows).toEqual([{ unit: "project_begin_delete" }]);
  expect(await of(OTHER)).toEqual(before);
  expect((await watchOnce(kernel)).acted).not.toHaveProperty("drop-old-answers");
  await client.query("UPDATE state.kept_results SET created_at = now() - interval '25 hours'");
  expect((await watchOnce(kernel)).acted).toMatchObject({ "drop-old-answers": 1 });
  expect(await countIn({ name: "state.kept_results", column: "project_id" }, P)).toBe(0);
  expect(await countIn({ name: "state.kept_results", column: "project_id" }, OTHER)).toBe(before["state.kept_results"]);
});
