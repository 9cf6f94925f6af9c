// A clean stop: sessions end, a checkpoint is written, and the next start needs no recovery.
import { setTimeout as sleep } from "node:timers/promises";
import { makeClient } from "@/server/address";
import { findBinaries } from "./binaries";
import { clusterAt } from "./cluster";
import { isAlive, readPostmaster } from "./postmaster";
import type { EmbeddedPostgres } from "./start";

const deadlineMs = 60_000;
// A session outlives a killed process by some milliseconds.
const leavingMs = 1_000;

/** Returns false if nothing was running. SIGINT is Postgres' "fast" stop. */
export async function stopEmbedded(dataDir: string): Promise<boolean> {
  const { data } = clusterAt(dataDir, findBinaries().major);
  const server = readPostmaster(data);
  if (!server || server.status === "absent") return false;
  process.kill(server.pid, "SIGINT");
  for (const end = Date.now() + deadlineMs; Date.now() < end; await sleep(10)) {
    // Its files are free only when the process is gone, which is after its pid file.
    if (!isAlive(server.pid)) return true;
  }
  throw new Error(`Postgres (pid ${server.pid}) did not stop in ${deadlineMs / 1000} s.`);
}

/** Two terminals may share one data folder: the first to exit must not take the database from the other. */
export async function stopIfLastUser(server: EmbeddedPostgres): Promise<boolean> {
  for (const end = Date.now() + leavingMs; await hasOtherUsers(server.url); await sleep(100)) {
    if (Date.now() > end) return false;
  }
  return stopEmbedded(server.data_dir);
}

async function hasOtherUsers(url: string): Promise<boolean> {
  const client = makeClient({ url, name: "switchyard-stop" });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch {
    // Already down: stopEmbedded says so.
    return false;
  }
  try {
    const { rows } = await client.query(
      "SELECT FROM pg_stat_activity WHERE application_name LIKE 'switchyard%' AND pid <> pg_backend_pid() LIMIT 1",
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}
