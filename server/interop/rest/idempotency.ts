// A mutation that carries an Idempotency-Key is done once: its answer is kept, and a repeat gets the same one.
import { createHash } from "node:crypto";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "@/server/kernel/kernel";
import type { Reply } from "./route";

const KEY = /^[\x21-\x7e]{1,200}$/;
/** A key whose first request died without an answer is free again after this. */
const ABANDONED_S = 120;

const TAKE = `
  INSERT INTO state.idempotency_keys (project_id, key, request_hash, status, body) VALUES ($1, $2, $3, 0, '{}')
  ON CONFLICT (project_id, key) DO UPDATE SET created_at = now()
    WHERE idempotency_keys.status = 0 AND idempotency_keys.request_hash = excluded.request_hash
      AND idempotency_keys.created_at < now() - ${ABANDONED_S} * interval '1 s'
  RETURNING 1 AS taken`;
const READ = "SELECT request_hash, status, body FROM state.idempotency_keys WHERE project_id = $1 AND key = $2";
const KEEP = "UPDATE state.idempotency_keys SET status = $3, body = $4::jsonb WHERE project_id = $1 AND key = $2";
/** Nobody repeats a request a day later, and a worker brings a key with every write. */
const SWEEP = "DELETE FROM state.idempotency_keys WHERE project_id = $1 AND created_at < now() - interval '1 day'";
const SWEEP_MS = 3_600_000;
const swept = new Map<string, number>();
const FREE = "DELETE FROM state.idempotency_keys WHERE project_id = $1 AND key = $2";

type Input = { project_id: string; key: string; request: string; work: () => Promise<Reply> };

/** conflict when the key was used for another request, or its first one is still under way. */
export async function once(kernel: Kernel, input: Input): Promise<Reply> {
  const { project_id, key } = input;
  if (!KEY.test(key)) throw new KernelError("bad_request", "Idempotency-Key has 1 to 200 visible ASCII characters");
  const { pool } = kernel.db;
  await sweep(kernel, project_id);
  const hash = createHash("sha256").update(input.request).digest("hex");
  const taken = await pool.query(TAKE, [project_id, key, hash]);
  if (taken.rows.length === 0) {
    const { rows } = await pool.query<{ request_hash: string; status: number; body: unknown }>(READ, [project_id, key]);
    const kept = rows[0];
    if (kept && kept.request_hash !== hash)
      throw new KernelError("conflict", "Idempotency-Key was used for another request; choose a new key");
    if (!kept || kept.status === 0)
      throw new KernelError(
        "conflict",
        "the first request with this Idempotency-Key is still under way; ask again shortly",
      );
    return { status: kept.status, body: kept.body };
  }
  try {
    const answer = await input.work();
    await pool.query(KEEP, [project_id, key, answer.status, JSON.stringify(answer.body ?? null)]);
    return answer;
  } catch (error) {
    await pool.query(FREE, [project_id, key]);
    throw error;
  }
}

/** Once an hour for each project that is written to. */
async function sweep(kernel: Kernel, project_id: string): Promise<void> {
  const now = Date.now();
  if ((swept.get(project_id) ?? 0) > now - SWEEP_MS) return;
  // Set before the wait: of many requests at once one sweeps.
  swept.set(project_id, now);
  await kernel.db.pool.query(SWEEP, [project_id]);
}
