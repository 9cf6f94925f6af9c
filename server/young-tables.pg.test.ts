// A new installation is as fast as an old one: the statements of a whole run are planned in a database that is still empty, as the first
// connections of a process do, and each finds its rows by more than the project they are of. By how much more is not judged here.
import crypto from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "@/server/testing/database";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { captureOf } from "@/server/testing/seed/capture";
import { hastyTunables, playWholeRun } from "@/server/testing/whole-run";
import { planAsUnits, wideScans } from "@/server/testing/wide-scans";
import { migrate } from "./migrate";

let kernel: TestKernel;
let empty: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  kernel = await openTestKernel({ tunables: hastyTunables });
  empty = await openTestDatabase();
  client = new pg.Client(empty.url);
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await empty?.close();
  await kernel?.close();
});

/** Statement -> why it reads what is of a project, or of a worker. One that no longer does must leave the list. */
const mayRead: Record<string, string> = {
  work_take: "goes round what waits, from project to project, a limited number of each",
  inbox_claim_around: "as work_take",
  work_held: "what one worker holds",
  turn_beat: "what one worker holds",
  inbox_release: "what one worker holds",
  run_lock: "counts what waits in a project, up to its limit",
  run_lock_as_read: "as run_lock",
};
/** The watchdog's, which go over everything bit by bit. */
const isSweep = (name: string): boolean => /^(reclaim|audit|alarms|runs_old|cards_index)_/.test(`${name}_`);

test("no statement of a run is planned to read a whole project", async ({ skip }) => {
  skip(await isOlder(), "Postgres 18 and later can be told about empty tables");
  const capture = captureOf(kernel.db.pool);
  await playWholeRun(kernel, kernel, 60_000);
  const sent = new Map(capture.take().map(({ name = "", text }) => [name, text]));
  sent.delete("");
  expect(sent.size).toBeGreaterThan(100);
  await planAsUnits(client);
  const faults: string[] = [];
  const excused = new Set<string>();
  for (const [name, text] of sent) {
    if (isSweep(name)) continue;
    const wide = await wideScans(client, text);
    if (wide.length > 0 && name in mayRead) excused.add(name);
    else faults.push(...wide.map((scan) => `${name}: ${scan}`));
  }
  expect(faults).toEqual([]);
  expect(Object.keys(mayRead).filter((name) => !excused.has(name))).toEqual([]);
}, 120_000);

test("a role that owns the tables and is no superuser may tell them", async ({ skip }) => {
  skip(await isOlder(), "Postgres 18 and later can be told about empty tables");
  const name = `young_${crypto.randomBytes(6).toString("hex")}`;
  await client.query(`CREATE ROLE ${name} LOGIN PASSWORD '${name}'`);
  await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
  const url = Object.assign(new URL(empty.url), { username: name, password: name, pathname: `/${name}` });
  const said: string[] = [];
  await migrate(url.href, { onProgress: (line) => said.push(line) });
  const owner = new pg.Client(url.href);
  await owner.connect();
  const { rows } = await owner.query(
    "SELECT n_distinct FROM pg_stats WHERE tablename = 'agent_turns' AND attname = 'project_id'",
  );
  await owner.end();
  await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await client.query(`DROP ROLE ${name}`);
  expect(said.filter((line) => line.includes("empty tables"))).toEqual([]);
  expect(rows).toEqual([{ n_distinct: 1 }]);
});

async function isOlder(): Promise<boolean> {
  const { rows } = await client.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  return rows.some(({ version }) => version < 180_000);
}
