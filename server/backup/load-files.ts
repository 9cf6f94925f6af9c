// Restores a backup of the embedded server into a new folder and starts it. It starts on a new timeline, so that everyone
// sees that it is another database.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { findBinaries } from "@/server/embedded/binaries";
import { clusterAt } from "@/server/embedded/cluster";
import type { Settings } from "@/server/embedded/launch";
import { type EmbeddedPostgres, startEmbedded } from "@/server/embedded/start";
import { noteServer } from "@/server/installation";
import { endSignIns } from "./end-sign-ins";
import { emptied, type FilesManifest } from "./manifest";
import { openSession } from "./tables";

/** Never over an existing one: the data folder must not contain a database. */
export async function loadFiles(
  dataDir: string,
  dir: string,
  manifest: FilesManifest,
  settings: Settings = {},
): Promise<EmbeddedPostgres> {
  const { major } = findBinaries();
  const { home } = clusterAt(dataDir, major);
  if (manifest.major !== major)
    throw new Error(
      `${dir} contains the files of Postgres ${manifest.major}, but the embedded binaries are Postgres ${major}. Restore it with the version of Switchyard that created it, then move its tables (backup DIR --tables).`,
    );
  if (fs.existsSync(home))
    throw new Error(
      `${home} already exists, and a restore never overwrites a database. Set SWITCHYARD_DATA_DIR to a new folder, or move that one away.`,
    );
  const aside = `${home}.new`;
  fs.rmSync(aside, { recursive: true, force: true });
  await copyWhole(dir, aside, manifest);
  // Without this it would continue on the timeline it was copied from, as if nothing had happened.
  fs.writeFileSync(path.join(aside, "data", "recovery.signal"), "");
  fs.renameSync(aside, home);
  const server = await startEmbedded({ dataDir, settings: { restore_command: "false", ...settings } });
  await sayRestored(server.url);
  return server;
}

const made = [
  "pg_wal/archive_status",
  "pg_tblspc",
  "pg_twophase",
  "pg_stat",
  "pg_commit_ts",
  "pg_logical/snapshots",
  "pg_logical/mappings",
];

async function copyWhole(dir: string, home: string, { files }: FilesManifest): Promise<void> {
  const data = path.join(home, "data");
  for (const folder of [...emptied, ...made]) fs.mkdirSync(path.join(data, folder), { recursive: true, mode: 0o700 });
  for (const { file, sha256 } of files) {
    const target = path.join(data, file);
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    const hash = crypto.createHash("sha256");
    const source = fs.createReadStream(path.join(dir, "data", file));
    source.on("data", (chunk) => hash.update(chunk));
    await pipeline(source, fs.createWriteStream(target, { mode: 0o600 }));
    if (hash.digest("hex") !== sha256) throw new Error(`${file} of the backup is damaged. Nothing was restored.`);
  }
  fs.copyFileSync(path.join(dir, "data", "backup_label"), path.join(data, "backup_label"));
  fs.copyFileSync(path.join(dir, "password"), path.join(home, "password"));
  fs.chmodSync(home, 0o700);
}

async function sayRestored(url: string): Promise<void> {
  const client = await openSession(url);
  try {
    await noteServer(client);
    await client.query("UPDATE state.installation SET reason = 'restored'");
    await endSignIns(client);
  } finally {
    await client.end();
  }
}
