// Switchyard is not a superuser of its own database, so that nothing in a statement can run programs or read files through
// the server. It owns its database, which is enough for migrations. An older data folder is converted in place.
import crypto from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { makeClient } from "@/server/address";
import { passingOf } from "./probe";

const productRole = "switchyard_app";

/** Of its own, and the same after a restore: made of the superuser's, which lies in the cluster's folder. */
export function productUrl(adminUrl: string): string {
  const url = new URL(adminUrl);
  url.password = crypto.createHmac("sha256", decodeURIComponent(url.password)).update(productRole).digest("hex");
  url.username = productRole;
  return url.href;
}

/** False if the server did not answer or went away meanwhile: a log-in that worked a moment ago says nothing about the next one. */
export async function ensureProductRole(adminUrl: string): Promise<boolean> {
  try {
    await giveRole(adminUrl);
    return true;
  } catch (error) {
    if (passingOf(error) === null) throw error;
    return false;
  }
}

async function giveRole(adminUrl: string): Promise<void> {
  const client = makeClient({ url: adminUrl, name: "switchyard-probe" });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await untilPrimary(client);
    if ((await client.query(IS_READY, [productRole])).rows.length > 0) return;
    const { username, password } = new URL(productUrl(adminUrl));
    await client.query("BEGIN");
    // Any number of processes may start at the same time.
    await client.query("SELECT pg_advisory_xact_lock(72707370)");
    const { rows } = await client.query("SELECT FROM pg_roles WHERE rolname = $1", [productRole]);
    const verb = rows.length > 0 ? "ALTER" : "CREATE";
    await client.query(
      `${verb} ROLE ${username} LOGIN NOSUPERUSER NOCREATEROLE NOCREATEDB PASSWORD ${pg.escapeLiteral(password)};
       GRANT pg_monitor TO ${username}`,
    );
    await client.query(HAND_OVER);
    await client.query("COMMIT");
  } finally {
    await client.end().catch(() => undefined);
  }
}

// A restored server answers while it still replays its log, and cannot be written to until it takes over by itself at the end:
// a restore failed here on a slow disk. One that dies meanwhile ends the connection.
async function untilPrimary(client: pg.Client): Promise<void> {
  const look = () => client.query<{ is_standby: boolean }>("SELECT pg_is_in_recovery() AS is_standby");
  while ((await look()).rows[0]?.is_standby) await sleep(100);
}

// Ownership of the database is handed over last: if that is done, everything else is too.
const IS_READY = `SELECT FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba WHERE d.datname = current_database() AND r.rolname = $1`;

const HAND_OVER = `DO $$
DECLARE one record;
BEGIN
  FOR one IN
    SELECT format('ALTER SCHEMA %I OWNER TO ${productRole}', nspname) AS sql FROM pg_namespace n
      WHERE n.nspowner = current_user::regrole AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname, 'pg_')
    UNION ALL
    -- A sequence of a column goes with its table.
    SELECT format('ALTER %s %s OWNER TO ${productRole}',
        CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, c.oid::regclass)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relowner = current_user::regrole AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname, 'pg_')
        AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND c.relkind = 'S' AND d.deptype IN ('a', 'i'))
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO ${productRole}', p.oid::regprocedure)
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE p.proowner = current_user::regrole AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname, 'pg_')
    UNION ALL
    SELECT format('ALTER TYPE %s OWNER TO ${productRole}', t.oid::regtype)
      FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
      WHERE t.typowner = current_user::regrole AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname, 'pg_')
        AND (t.typtype IN ('e', 'd') OR EXISTS (SELECT FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
  LOOP
    EXECUTE one.sql;
  END LOOP;
  EXECUTE format('ALTER DATABASE %I OWNER TO ${productRole}', current_database());
END $$`;
