// A new installation is as fast as an old one: the statements of a whole run are planned in a database that is still empty, as the first
// connections of a process do, and each finds its rows by more than the project they are of. By how much more is not judged here.
import crypto from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "@/server/testing/database";
import { openTestKernel, type TestKernel } from "@/server/testing/kernel";
import { captureOf } from "@/server/testing/seed/capture";
import { hastyTunables, playWholeRun } from "@/server/testing/whole-run";
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

/** They grow with every run. */
const GROWING = ["agent_turns", "agent_steps", "project_agents", "cards", "card_boxes", "box_chunks", "due"];
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
/** The watchdog's, which go over everything bit by bit, and what is planned for its values each time. */
const isSweep = (name: string): boolean => /^(reclaim|audit|alarms|runs_old|cards_index|handover)_/.test(`${name}_`);

type Plan = {
  "Node Type": string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Relation Name"?: string;
  Plans?: Plan[];
};

test("no statement of a run is planned to read a whole project", async ({ skip }) => {
  skip(await isOlder(), "Postgres 18 and later can be told about empty tables");
  const capture = captureOf(kernel.db.pool);
  await playWholeRun(kernel, kernel, 60_000);
  const sent = new Map(capture.take().map(({ name = "", text }) => [name, text]));
  sent.delete("");
  expect(sent.size).toBeGreaterThan(100);
  // As units ask (server/kernel/unit.ts).
  for (const kind of ["seqscan", "hashjoin", "mergejoin"]) await client.query(`SET enable_${kind} = off`);
  const faults: string[] = [];
  const excused = new Set<string>();
  for (const [name, text] of sent) {
    if (isSweep(name)) continue;
    const { rows } = await client.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
    );
    const wide = rows.flatMap((row) => row["QUERY PLAN"]).flatMap(({ Plan }) => wideScans(Plan));
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

/** Scans of a growing table without an index, or with one of which only the first column is known. */
function wideScans(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(wideScans);
  const index = plan["Index Name"];
  const table = plan["Relation Name"] ?? GROWING.find((name) => index?.startsWith(`${name}_`));
  const cond = plan["Index Cond"];
  const isLookUp = index !== undefined && (cond?.includes(" AND ") || /carried|by_card|by_base/.test(index));
  if (!table || !GROWING.includes(table) || isLookUp || !/Scan/.test(plan["Node Type"])) return below;
  // A bitmap's rows are found by the index scans below it, and a row's place by a scan beside it.
  if (plan["Node Type"] === "Bitmap Heap Scan" || plan["Node Type"] === "Tid Scan") return below;
  return [`${plan["Node Type"]} of ${table} by ${index ?? "nothing"} (${cond ?? "all of it"})`, ...below];
}
