// Health of one process for a container's health check: `node --import tsx scripts/health.ts web|worker`. Exit code 0 = it
// is well; otherwise one line says why not.
import os from "node:os";
import { makeClient } from "@/server/address";
import { env } from "@/server/env";

const timeoutMs = 5_000;
const checks: Record<string, () => Promise<string | null>> = { web, worker };

const check = checks[process.argv[2] ?? ""];
const fault = check ? await check().catch((error: Error) => error.message) : "name a process: web or worker";
if (fault !== null) {
  console.error(fault);
  process.exitCode = 1;
}

/** It answers, and reaches its database: 503 otherwise. */
async function web(): Promise<string | null> {
  const response = await fetch(`http://127.0.0.1:${env().PORT}/readyz`, { signal: AbortSignal.timeout(timeoutMs) });
  return response.ok ? null : `the web server answers ${response.status}`;
}

/** A worker has no port: it signs its name in the database every few seconds. */
async function worker(): Promise<string | null> {
  const client = makeClient({
    url: env().DATABASE_URL ?? "",
    name: "switchyard-health",
    connectMs: timeoutMs,
    statementMs: timeoutMs,
  });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      "SELECT 1 FROM state.workers WHERE starts_with(worker_id, $1) AND seen_at > now() - interval '30 s' LIMIT 1",
      [`${os.hostname()}-`],
    );
    return rowCount ? null : `no worker of ${os.hostname()} has been seen within 30 s`;
  } finally {
    await client.end();
  }
}
