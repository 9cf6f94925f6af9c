// A database of its own for a test file, copied from the migrated template in some tens of milliseconds.
import crypto from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { type Db, openDb } from "@/server/db";

export type TestDatabase = { url: string; db: Db; pool: pg.Pool; close: () => Promise<void> };

/** Call in `beforeAll`, and `close` in `afterAll`. `isEmpty` leaves the migrations out. */
export async function openTestDatabase(options: { isEmpty?: boolean } = {}): Promise<TestDatabase> {
  const name = `test_${crypto.randomBytes(6).toString("hex")}`;
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${options.isEmpty ? "template0" : inject("template")}`);
  const target = new URL(inject("admin_url"));
  target.pathname = `/${name}`;
  // Tests that kill sessions break idle connections on purpose: no onError.
  const db = openDb(target.href, { name: "switchyard-test" });
  return {
    url: target.href,
    db,
    pool: db.pool,
    close: async () => {
      if (!db.pool.ended) await db.close();
      await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

async function asAdmin(sql: string): Promise<void> {
  const client = new pg.Client(inject("admin_url"));
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
