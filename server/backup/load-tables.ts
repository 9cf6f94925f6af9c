// Reads a backup of tables into an empty database: its own migrations first, then the rows in one transaction, compared with
// what was saved, then the migrations that came later.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { from } from "pg-copy-streams";
import { migrate } from "@/server/migrate";
import { endSignIns } from "./end-sign-ins";
import type { TablesManifest } from "./manifest";
import { contentOf, listTables, openSession } from "./tables";

/** Refuses a database that contains rows. If it is interrupted, the tables are empty. */
export async function loadTables(
  url: string,
  dir: string,
  manifest: TablesManifest,
  onProgress: (line: string) => void = () => undefined,
): Promise<void> {
  const only = manifest.migrations.map(({ name }) => name);
  await refuseFull(url);
  await migrate(url, { only });
  const client = await openSession(url);
  try {
    await client.query("BEGIN");
    await loadRows(client, dir, manifest, onProgress);
    await endSignIns(client);
    await client.query("COMMIT");
    // The migrations that follow, and whoever starts next, plan for what is there now.
    await client.query("ANALYZE");
  } finally {
    await client.end();
  }
  await migrate(url, { onProgress });
  await beginGeneration(url);
}

async function refuseFull(url: string): Promise<void> {
  const client = await openSession(url);
  try {
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query(`SELECT FROM ${name} LIMIT 1`);
      if (rows.length > 0)
        throw new Error(
          `The database is not empty: ${name} has rows. Restore into a new database. Nothing was changed.`,
        );
    }
  } finally {
    await client.end();
  }
}

async function loadRows(
  client: pg.Client,
  dir: string,
  manifest: TablesManifest,
  say: (line: string) => void,
): Promise<void> {
  const there = new Set((await listTables(client)).map(({ name }) => name));
  for (const table of manifest.tables) {
    if (!there.has(table.name))
      throw new Error(`The backup contains ${table.name}, which is not a table of Switchyard.`);
    const sha256 = await copyIn(client, table, path.join(dir, table.file));
    if (sha256 !== table.sha256)
      throw new Error(`${table.file} is damaged: its rows differ from those saved. Nothing was restored.`);
    const { rows, digest } = await contentOf(client, table);
    if (rows !== table.rows || digest !== table.digest)
      throw new Error(
        `${table.name} was restored with ${rows} of ${table.rows} rows, or with different ones. Nothing was kept.`,
      );
    if (rows > 0) say(`${table.name}: ${rows} rows`);
  }
  for (const { name, last_value, is_called } of manifest.sequences) {
    const { rows } = await client.query<{ is_there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS is_there", [
      name,
    ]);
    // A partitioned journal numbers its packs by its own sequence; a new one continues from the same number.
    const target = rows[0]?.is_there ? name : "state.journal_packs_pack_id_seq";
    await client.query(
      "SELECT setval($1::regclass, greatest($2::bigint, (SELECT coalesce(pg_sequence_last_value($1::regclass), 1))), $3)",
      [target, last_value, is_called],
    );
  }
}

async function copyIn(client: pg.Client, table: TablesManifest["tables"][number], file: string): Promise<string> {
  const hash = crypto.createHash("sha256");
  const digest = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const rows = client.query(from(`COPY ${table.name} (${table.columns.join(", ")}) FROM STDIN`));
  await pipeline(fs.createReadStream(file), createGunzip(), digest, rows);
  return hash.digest("hex");
}

// Earlier rows carry another server's transaction ids; streams begin after them.
async function beginGeneration(url: string): Promise<void> {
  const client = await openSession(url);
  try {
    await client.query(`UPDATE state.installation SET reason = 'moved', began_at = now(),
      generation = greatest(generation + 1, extract(epoch FROM clock_timestamp())::bigint),
      journal_from = (SELECT coalesce(max(pack_id), 0) FROM state.journal_packs)`);
  } finally {
    await client.end();
  }
}
