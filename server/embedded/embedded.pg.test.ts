import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrate } from "@/server/migrate";
import { makeScratch, removeScratch } from "@/server/testing/scratch";
import { keepEmbedded } from "./keep";
import { isAlive, readPostmaster } from "./postmaster";
import { type EmbeddedPostgres, startEmbedded } from "./start";
import { stopEmbedded, stopIfLastUser } from "./stop";

const run = promisify(execFile);
let dataDir: string;

beforeEach(() => {
  dataDir = makeScratch();
});
afterEach(() => removeScratch(dataDir));

test("cold start makes a cluster in a folder with its major, warm start keeps data and port, stop is clean", async () => {
  const lines: string[] = [];
  const first = await startEmbedded({ dataDir, onProgress: (line) => lines.push(line) });
  expect(lines).toEqual([`Creating a Postgres database in ${first.home}`]);
  expect(path.basename(first.home)).toMatch(/^pg\d\d$/);
  await query(first.url, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)");
  expect(await query(first.url, "SHOW jit")).toEqual([{ jit: "off" }]);
  expect(await query(first.url, "SHOW max_connections")).toEqual([{ max_connections: "200" }]);
  expect(await query(first.url, "SHOW listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);

  expect(await stopEmbedded(dataDir)).toBe(true);
  expect(isAlive(first.pid)).toBe(false);
  expect(await stopEmbedded(dataDir)).toBe(false);

  const second = await startEmbedded({ dataDir });
  expect(second.port).toBe(first.port);
  expect(second.pid).not.toBe(first.pid);
  expect(await query(second.url, "SELECT n FROM kept")).toEqual([{ n: 7 }]);
  expect(fs.readFileSync(path.join(second.home, "postgres.log"), "utf8")).not.toMatch(/not properly shut down/);
  expect(await startEmbedded({ dataDir })).toEqual(second);
});

test("nobody without the password gets in, and the files are the owner's alone", async () => {
  const server = await startEmbedded({ dataDir });
  const wrong = new URL(server.url);
  wrong.password = "guess";
  await expect(query(wrong.href, "SELECT 1")).rejects.toThrow(/password authentication failed/);
  expect(fs.statSync(server.home).mode & 0o077).toBe(0);
});

test("the product is no superuser, and a data folder of before is handed over to it in place", async () => {
  const first = await startEmbedded({ dataDir });
  // As it was: all of it the superuser's.
  await query(first.admin_url, "ALTER DATABASE switchyard OWNER TO switchyard");
  await migrate(first.admin_url);
  await query(first.admin_url, "DROP OWNED BY switchyard_app; DROP ROLE switchyard_app");
  const { url } = await startEmbedded({ dataDir });
  expect(
    await query(url, "SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = current_user"),
  ).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }]);
  const foreign = `SELECT c.oid::regclass AS of FROM pg_class c WHERE c.relowner <> current_user::regrole
    AND c.relnamespace::regnamespace::text IN ('public', 'state', 'resource')`;
  expect(await query(url, foreign)).toEqual([]);
  // What a later migration does: alter, drop, make.
  await query(
    url,
    "ALTER TABLE cards ADD later int; DROP VIEW state.journal; CREATE SCHEMA more; CREATE TABLE more.one (n int)",
  );
  for (const forbidden of [
    "COPY (SELECT 1) TO PROGRAM 'true'",
    "SELECT pg_read_file('PG_VERSION')",
    "SET ROLE switchyard",
  ])
    await expect(query(url, forbidden)).rejects.toThrow(/permission denied/);
}, 90_000);

test("eight processes that start it at once get one server, cold and after a kill", async () => {
  const cold = await Promise.all(Array.from({ length: 8 }, startInProcess));
  expect(new Set(cold.map((server) => server.pid)).size).toBe(1);
  expect(new Set(cold.map((server) => server.url)).size).toBe(1);
  process.kill(cold[0]?.pid ?? 0, "SIGKILL");
  const again = await Promise.all(Array.from({ length: 8 }, startInProcess));
  expect(new Set(again.map((server) => server.pid)).size).toBe(1);
  expect(again[0]?.url).toBe(cold[0]?.url);
}, 120_000);

test("kill -9 of the postmaster loses nothing that was committed", async () => {
  const first = await startEmbedded({ dataDir });
  await query(first.url, "CREATE TABLE kept AS SELECT generate_series(1, 1000) AS n");
  process.kill(first.pid, "SIGKILL");
  const second = await startEmbedded({ dataDir });
  expect(second.pid).not.toBe(first.pid);
  expect(second.url).toBe(first.url);
  expect(await query(second.url, "SELECT count(*)::int AS n FROM kept")).toEqual([{ n: 1000 }]);
});

test("a taken port is left alone: another is used, unless only this one would do", async () => {
  const first = await startEmbedded({ dataDir });
  await stopEmbedded(dataDir);
  const squatter = net.createServer();
  await new Promise<void>((resolve) => squatter.listen(first.port, "127.0.0.1", resolve));
  try {
    await expect(startEmbedded({ dataDir, port: first.port })).rejects.toThrow(/could not bind/);
    const second = await startEmbedded({ dataDir });
    expect(second.port).not.toBe(first.port);
    expect(await query(second.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  } finally {
    squatter.close();
  }
});

test("while it is kept, a killed server comes back on its port, and a stopped one stays stopped until it is started", async () => {
  const server = await startEmbedded({ dataDir });
  const keeper = keepEmbedded(server);
  try {
    await expect.poll(() => sessions(server.url, "switchyard-keeper"), { timeout: 5_000 }).toBe(1);
    process.kill(server.pid, "SIGKILL");
    await expect.poll(() => isServing(server), { timeout: 15_000 }).toBe(true);
    await stopEmbedded(dataDir);
    await sleep(1_500);
    expect(readPostmaster(path.join(server.home, "data"))).toBeNull();
    await startEmbedded({ dataDir });
    await expect.poll(() => sessions(server.url, "switchyard-keeper"), { timeout: 5_000 }).toBe(1);
  } finally {
    await keeper.stop();
  }
}, 60_000);

// As on a full disk, where its recovery fails: no clean stop, and no pid file either.
test("a server that gave up by itself is started again", async () => {
  const server = await startEmbedded({ dataDir });
  const keeper = keepEmbedded(server);
  try {
    await expect.poll(() => sessions(server.url, "switchyard-keeper"), { timeout: 5_000 }).toBe(1);
    process.kill(server.pid, "SIGQUIT");
    await expect.poll(() => isAlive(server.pid), { timeout: 15_000 }).toBe(false);
    await expect.poll(() => isServing(server), { timeout: 20_000 }).toBe(true);
  } finally {
    await keeper.stop();
  }
}, 60_000);

test("the last user stops it, an earlier one does not", async () => {
  const server = await startEmbedded({ dataDir });
  const other = new pg.Client({ connectionString: server.url, application_name: "switchyard-web" });
  await other.connect();
  expect(await stopIfLastUser(server)).toBe(false);
  await other.end();
  expect(await stopIfLastUser(server)).toBe(true);
  expect(await stopIfLastUser(server)).toBe(false);
});

test("a start that was killed halfway leaves nothing in the way of the next", async () => {
  const { home } = await startEmbedded({ dataDir });
  await stopEmbedded(dataDir);
  fs.rmSync(home, { recursive: true });
  fs.mkdirSync(path.join(`${home}.new`, "data"), { recursive: true });
  fs.writeFileSync(`${home}.lock`, String(await pidOfTheDead()));
  const server = await startEmbedded({ dataDir });
  expect(await query(server.url, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  expect(fs.readdirSync(dataDir)).toEqual([path.basename(home)]);
});

test("a pid that now belongs to a stranger is not taken for the server", async () => {
  const first = await startEmbedded({ dataDir });
  process.kill(first.pid, "SIGKILL");
  const stranger = spawn("sleep", ["60"]);
  const pidFile = path.join(first.home, "data", "postmaster.pid");
  fs.writeFileSync(pidFile, fs.readFileSync(pidFile, "utf8").replace(/^\d+/, String(stranger.pid)));
  try {
    expect(await stopEmbedded(dataDir)).toBe(false);
    expect((await startEmbedded({ dataDir })).pid).not.toBe(first.pid);
  } finally {
    stranger.kill();
  }
});

test("a yard of another major version, in its own folder or beside it, is named and not replaced by an empty one", async () => {
  const { home } = await startEmbedded({ dataDir });
  await stopEmbedded(dataDir);
  const other = path.join(dataDir, "pg17");
  fs.renameSync(home, other);
  fs.writeFileSync(path.join(other, "data", "PG_VERSION"), "17\n");
  const refused = (at: string) =>
    new RegExp(`${at} contains a database of Postgres 17, .* cannot read. Nothing was changed`);
  await expect(startEmbedded({ dataDir })).rejects.toThrow(refused(other));
  expect(fs.readdirSync(dataDir)).toEqual(["pg17"]);
  // Moved to the name that is looked for, it still is what it is.
  fs.renameSync(other, home);
  await expect(startEmbedded({ dataDir })).rejects.toThrow(refused(home));
  expect(fs.readdirSync(dataDir)).toEqual([path.basename(home)]);
});

test("a folder that is not a cluster is never deleted", async () => {
  const { home } = await startEmbedded({ dataDir });
  await stopEmbedded(dataDir);
  fs.rmSync(path.join(home, "data"), { recursive: true });
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/is not a Postgres data folder.*SWITCHYARD_DATA_DIR/);
  expect(fs.existsSync(path.join(home, "password"))).toBe(true);
});

// Only root has the choice; an ordinary user runs Postgres as itself, and every other test here shows that.
test.runIf(process.getuid?.() === 0)("as root without user namespaces it runs as an unprivileged user", async () => {
  const inNamespace = await startEmbedded({ dataDir });
  await query(inNamespace.url, "CREATE TABLE kept (n int)");
  await stopEmbedded(dataDir);
  const server = await startEmbedded({ dataDir, mayUseNamespace: false });
  expect(fs.statSync(`/proc/${server.pid}`).uid).not.toBe(0);
  expect(await query(server.url, "SELECT n FROM kept")).toEqual([]);
  process.kill(server.pid, "SIGKILL");
  const again = await startEmbedded({ dataDir });
  expect(fs.statSync(`/proc/${again.pid}`).uid).toBe(fs.statSync(server.home).uid);
});

async function startInProcess(): Promise<EmbeddedPostgres> {
  const code = `import { startEmbedded } from "./server/embedded/start";
    startEmbedded({ dataDir: ${JSON.stringify(dataDir)} }).then((server) => console.log(JSON.stringify(server)));`;
  const { stdout } = await run(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", code]);
  return JSON.parse(stdout);
}

async function pidOfTheDead(): Promise<number> {
  const { stdout } = await run(process.execPath, ["-p", "process.pid"]);
  return Number(stdout);
}

async function isServing(before: EmbeddedPostgres): Promise<boolean> {
  const now = readPostmaster(path.join(before.home, "data"));
  return (
    now !== null &&
    now.pid !== before.pid &&
    now.status === "ready" &&
    (await sessions(before.url, "switchyard-keeper")) === 1
  );
}

async function sessions(url: string, name: string): Promise<number> {
  const rows = await query(url, `SELECT FROM pg_stat_activity WHERE application_name = '${name}'`);
  return rows.length;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
