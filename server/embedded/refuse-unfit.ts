// Checks that DATABASE_URL leads to a Postgres that Switchyard can use, before anything is done there. Otherwise failing
// turns would reveal it.
import crypto from "node:crypto";
import type pg from "pg";
import { makeClient } from "@/server/address";
import { maskUrls } from "@/server/log";

const versionMin = 150000;

export async function refuseUnfit(url: string): Promise<void> {
  const clients = [0, 1].map(() => makeClient({ url, name: "switchyard-probe", connectMs: 10_000 }));
  // What ends it is told by the statement on its way.
  for (const client of clients) client.on("error", () => undefined);
  try {
    // One after the other: if the first is refused, the second would only repeat it.
    for (const client of clients) await client.connect();
    await refuseOld(clients);
    await refuseForgetful(clients);
  } catch (error) {
    throw new Error(
      `DATABASE_URL (${maskUrls(url)}) cannot be used: ${reasonOf(error)}. Correct it, or unset it to use the embedded Postgres.`,
    );
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function refuseOld([client]: pg.Client[]): Promise<void> {
  const answer = await client?.query<{ server_version_num: string }>("SHOW server_version_num");
  const version = Number(answer?.rows[0]?.server_version_num);
  if (version < versionMin)
    throw new Error(`it is version ${Math.floor(version / 10000)}; Switchyard needs 15 or newer`);
}

// Each has a session of its own, unless somebody in between lends both the same: then a name that one has prepared is there
// twice for the other. Behind such a pooler turns failed with "prepared statement already exists", now and then.
async function refuseForgetful(clients: pg.Client[]): Promise<void> {
  const name = `probe_${crypto.randomBytes(8).toString("hex")}`;
  try {
    for (const client of [...clients, ...clients]) await client.query({ name, text: "SELECT 1" });
  } catch (error) {
    if (codeOf(error) !== "42P05" && codeOf(error) !== "26000") throw error;
    throw new Error(
      "a pooler in front of it loses prepared statements: set pool_mode = session, or in transaction mode PgBouncer 1.21 or newer with max_prepared_statements = 300",
    );
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message || codeOf(error) : String(error);
  return /unsupported startup parameter/.test(text)
    ? `${text}; set ignore_startup_parameters = options in the pooler in front of it`
    : text;
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);
