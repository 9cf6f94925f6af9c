// `npm run db -- up|down|status|url|migrate|backup|restore`: the database by hand, for psql, Prisma's command line, backups and repairs.
import { loadFiles } from "@/server/backup/load-files";
import { loadTables } from "@/server/backup/load-tables";
import { readManifest, type TablesManifest } from "@/server/backup/manifest";
import { repeatBackups } from "@/server/backup/repeat-backups";
import { saveFiles } from "@/server/backup/save-files";
import { saveTables } from "@/server/backup/save-tables";
import { countRows } from "@/server/backup/tables";
import { findBinaries } from "@/server/embedded/binaries";
import { clusterAt } from "@/server/embedded/cluster";
import { readPostmaster } from "@/server/embedded/postmaster";
import { resolveDatabase } from "@/server/embedded/resolve-database";
import { startEmbedded } from "@/server/embedded/start";
import { stopEmbedded } from "@/server/embedded/stop";
import { env } from "@/server/env";
import { maskUrls } from "@/server/log";
import { migrate } from "@/server/migrate";
import { readBackupArgs } from "./backup-args";
import { stopWhenAsked } from "./stop-when-asked";

const commands: Record<string, () => Promise<void>> = { up, down, status, url, migrate: migrateNow, backup, restore };

async function up(): Promise<void> {
  console.log(maskUrls((await resolveDatabase(console.error)).url));
}

async function down(): Promise<void> {
  refuseForeign("stopped");
  console.log((await stopEmbedded(env().SWITCHYARD_DATA_DIR)) ? "Stopped." : "It was not running.");
}

async function status(): Promise<void> {
  const given = env().DATABASE_URL;
  if (given) return console.log(`DATABASE_URL is used: ${maskUrls(given)}`);
  const { home, data } = clusterAt(env().SWITCHYARD_DATA_DIR, findBinaries().major);
  const server = readPostmaster(data);
  const isUp = server !== null && server.status !== "absent";
  console.log(isUp ? `${home}: ${server.status}, pid ${server.pid}, port ${server.port}` : `${home}: not running`);
}

/** With the password, alone on standard output: `DATABASE_URL=$(npm run -s db -- url) npx prisma studio`. */
async function url(): Promise<void> {
  console.log((await resolveDatabase(console.error)).url);
}

async function migrateNow(): Promise<void> {
  const database = await resolveDatabase(console.error);
  const applied = await migrate(database.url, {
    onProgress: console.log,
    mayBeOlder: env().SWITCHYARD_NEWER_DATABASE === "allow",
  });
  if (applied.length === 0) console.log("The database is up to date.");
}

/** `backup DIR [--tables]`: the embedded server by its files, any other, or with --tables, by its tables. While work goes on. */
async function backup(): Promise<void> {
  const { dir, tables, every_ms, keep } = readBackupArgs(process.argv.slice(3));
  if (every_ms === undefined) return console.log(await save(dir, tables));
  const stop = new AbortController();
  const running = repeatBackups({
    dir,
    everyMs: every_ms,
    keep,
    save: (folder, signal) => {
      refuseStopped();
      return save(folder, tables, signal);
    },
    say: console.log,
    complain: (line) => console.error(maskUrls(line)),
    signal: stop.signal,
  });
  const end = async (code: number) => {
    stop.abort();
    await running;
    process.exit(code);
  };
  stopWhenAsked(end, () => process.exit(1));
  await running;
}

/** Answers what was saved, in a line. */
async function save(dir: string, tables: boolean, signal?: AbortSignal): Promise<string> {
  const database = await resolveDatabase(console.error);
  if (database.embedded && !tables) {
    const { files, made_at } = await saveFiles(database.embedded, dir, signal);
    return `${dir}: ${files.length} files of the embedded Postgres, begun at ${made_at}`;
  }
  const manifest = await saveTables(database.url, dir, signal);
  return `${dir}: ${countOf(manifest)}, as of ${manifest.made_at}`;
}

/** A database that someone has stopped is not started by its nightly backup. */
function refuseStopped(): void {
  if (env().DATABASE_URL) return;
  const { home, data } = clusterAt(env().SWITCHYARD_DATA_DIR, findBinaries().major);
  if (readPostmaster(data)?.status === "ready") return;
  throw new Error(`the embedded Postgres in ${home} is not running; start it with npm start or npm run db -- up`);
}

/** `restore DIR`: into a data folder without a yard, or into an empty database that DATABASE_URL names. */
async function restore(): Promise<void> {
  const { dir } = readBackupArgs(process.argv.slice(3));
  const { DATABASE_URL, SWITCHYARD_DATA_DIR: dataDir } = env();
  const manifest = readManifest(dir);
  if (manifest.format === "switchyard-files-1") {
    refuseForeign("restored into");
    const { home, url } = await loadFiles(dataDir, dir, manifest);
    for (const { name, rows } of await countRows(url)) console.error(`${name}: ${rows} rows`);
    return console.log(`Restored into ${home}. It is running.`);
  }
  const url = DATABASE_URL ?? (await startEmbedded({ dataDir, isNew: true, onProgress: console.error })).url;
  await loadTables(url, dir, manifest, console.error);
  console.log(`Restored and compared with the backup: ${countOf(manifest)}.`);
}

const countOf = ({ tables }: TablesManifest): string =>
  `${tables.length} tables, ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows`;

function refuseForeign(what: string): void {
  if (env().DATABASE_URL) throw new Error(`DATABASE_URL is set, and your own server can't be ${what} from here.`);
}

const command = commands[process.argv[2] ?? ""];
if (command) {
  await command().catch((error: Error) => {
    console.error(maskUrls(error.message));
    process.exitCode = 1;
  });
} else {
  console.error(`Usage: npm run db -- ${Object.keys(commands).join("|")}`);
  process.exitCode = 2;
}
