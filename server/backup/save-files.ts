// A backup of the embedded server while it runs: its files as they lie, between pg_backup_start and pg_backup_stop, and the log
// that was written meanwhile. The embedded package brings no pg_basebackup.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { type Cluster, clusterOf } from "@/server/embedded/cluster";
import { emptied, type FilesManifest, makeBackup } from "./manifest";
import { readMigrations } from "./save-tables";
import { openSession } from "./tables";

type Server = { home: string; admin_url: string; url: string };

/** Writes the folder, which must not exist. Its files are secret: they include the password. */
export async function saveFiles(server: Server, dir: string, signal?: AbortSignal): Promise<FilesManifest> {
  const admin = await openSession(server.admin_url, signal);
  const client = await openSession(server.url, signal);
  try {
    const migrations = await readMigrations(client);
    return await makeBackup(dir, async (aside) => ({
      ...(await saveInto(admin, clusterOf(server.home), aside, signal)),
      migrations,
    }));
  } finally {
    await client.end();
    await admin.end();
  }
}

async function saveInto(
  client: pg.Client,
  cluster: Cluster,
  dir: string,
  signal?: AbortSignal,
): Promise<Omit<FilesManifest, "migrations">> {
  // Valid for the session: until it ends, the log that the copy needs is kept.
  await client.query("SELECT pg_create_physical_replication_slot($1, true, true)", [`backup_${process.pid}`]);
  const { rows: begun } = await client.query<{ wal: string; major: number; at: string }>(
    `SELECT pg_walfile_name(pg_backup_start('switchyard', fast => true)) AS wal, now()::text AS at,
       current_setting('server_version_num')::int / 10000 AS major`,
  );
  const files: FilesManifest["files"] = [];
  for (const file of listFiles(cluster.data)) {
    signal?.throwIfAborted();
    await copyInto(files, cluster.data, path.join(dir, "data"), file);
  }
  const { rows: ended } = await client.query<{ lsn: string; labelfile: string }>(
    "SELECT lsn::text AS lsn, labelfile FROM pg_backup_stop(wait_for_archive => false)",
  );
  const [first, last] = [begun[0], ended[0]];
  if (!first || !last) throw new Error("pg_backup_start and pg_backup_stop answered no row");
  const { rows: walEnd } = await client.query<{ wal: string }>("SELECT pg_walfile_name($1::pg_lsn) AS wal", [last.lsn]);
  const until = walEnd[0]?.wal ?? "";
  const wal = fs
    .readdirSync(path.join(cluster.data, "pg_wal"))
    .filter((name) => (/^[0-9A-F]{24}$/.test(name) && name >= first.wal && name <= until) || name.endsWith(".history"));
  if (!wal.includes(until)) throw new Error(`the log of the backup is incomplete: ${until} is missing`);
  for (const name of wal) await copyInto(files, cluster.data, path.join(dir, "data"), path.join("pg_wal", name));
  fs.writeFileSync(path.join(dir, "data", "backup_label"), last.labelfile, { mode: 0o600 });
  fs.copyFileSync(cluster.password, path.join(dir, "password"));
  return { format: "switchyard-files-1", made_at: first.at, major: first.major, files };
}

const left =
  /(^|\/)(postmaster\.(pid|opts)|pg_internal\.init(\.\d+)?|pgsql_tmp.*|.*\.tmp|backup_label(\.old)?|tablespace_map(\.old)?)$/;

function listFiles(data: string): string[] {
  return fs
    .readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(data, path.join(entry.parentPath, entry.name)))
    .filter((file) => !emptied.includes(file.split(path.sep)[0] ?? "") && !left.test(file));
}

// A file may disappear or grow while it is copied: the log corrects that.
async function copyInto(files: FilesManifest["files"], from: string, to: string, file: string): Promise<void> {
  const hash = crypto.createHash("sha256");
  const target = path.join(to, file);
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  const digest = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(fs.createReadStream(path.join(from, file)), digest, fs.createWriteStream(target, { mode: 0o600 }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    fs.rmSync(target, { force: true });
    return;
  }
  files.push({ file, sha256: hash.digest("hex") });
}
