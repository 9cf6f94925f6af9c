// A backup of any Postgres, over SQL alone: every table by COPY in one snapshot, while work goes on. It can be read into
// another major version, which the files of a server cannot.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { to } from "pg-copy-streams";
import { makeBackup, type TablesManifest } from "./manifest";
import { contentOf, listSequences, listTables, openSession, type Table } from "./tables";

/** Writes the folder, which must not exist. Memory stays constant: rows are streamed. */
export async function saveTables(url: string, dir: string, signal?: AbortSignal): Promise<TablesManifest> {
  const client = await openSession(url, signal);
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return await makeBackup(dir, (aside) => saveInto(client, aside));
  } finally {
    await client.end();
  }
}

async function saveInto(client: pg.Client, dir: string): Promise<TablesManifest> {
  const { rows: said } = await client.query<{ at: string; version: string }>(
    "SELECT now()::text AS at, current_setting('server_version') AS version",
  );
  const migrations = await readMigrations(client);
  const tables: TablesManifest["tables"] = [];
  for (const [at, table] of (await listTables(client)).entries()) {
    const file = `${String(at).padStart(3, "0")}-${table.name}.copy.gz`;
    const sha256 = await copyOut(client, table, path.join(dir, file));
    tables.push({ ...table, file, sha256, ...(await contentOf(client, table)) });
  }
  // Sequences are not part of snapshots: read last, they are above every number in a row.
  const sequences = await listSequences(client);
  const { at = "", version = "" } = said[0] ?? {};
  return { format: "switchyard-tables-1", made_at: at, server_version: version, migrations, tables, sequences };
}

export async function readMigrations(client: pg.Client): Promise<{ name: string; checksum: string }[]> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    `SELECT migration_name AS name, checksum FROM public._prisma_migrations
     WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL ORDER BY migration_name`,
  );
  return rows;
}

/** The digest is that of the rows as they travel, so that a file that was packed anew is still known. */
async function copyOut(client: pg.Client, { name, columns }: Table, file: string): Promise<string> {
  const hash = crypto.createHash("sha256");
  const digest = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const rows = client.query(to(`COPY (SELECT ${columns.join(", ")} FROM ${name}) TO STDOUT`));
  await pipeline(rows, digest, createGzip({ level: 4 }), fs.createWriteStream(file, { mode: 0o600, flush: true }));
  return hash.digest("hex");
}
