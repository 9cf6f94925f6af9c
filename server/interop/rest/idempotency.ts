// A mutation with an Idempotency-Key is done once: its answer is kept, and a repeat gets the same one. The units themselves make
// sure that nothing is done twice (kernel/kept-results.ts); this file distinguishes a repeat from a first request that is still
// running.

import { KernelError } from "@/server/contract/errors";
import { hashOf, refuseBadKey, sweepKept, underWay, withKey } from "@/server/kernel/kept-results";
import type { Kernel } from "@/server/kernel/kernel";
import { isPassing } from "@/server/kernel/storage-error";
import { log } from "@/server/log";
import type { Reply } from "./route";

/** After this time, a key whose first request died without an answer is free again. */
const ABANDONED_S = 120;

const TAKE = `
  INSERT INTO state.idempotency_keys (project_id, key, request_hash, status, body) VALUES ($1, $2, $3, 0, '{}')
  ON CONFLICT (project_id, key) DO UPDATE SET created_at = now()
    WHERE idempotency_keys.status = 0 AND idempotency_keys.request_hash = excluded.request_hash
      AND idempotency_keys.created_at < now() - ${ABANDONED_S} * interval '1 s'
  RETURNING xmax = 0 AS is_new`;
const READ = `
  SELECT request_hash, status, body,
    greatest(1, ceil(extract(epoch FROM created_at - now()) + ${ABANDONED_S} + 0.001))::int AS free_in_s
  FROM state.idempotency_keys WHERE project_id = $1 AND key = $2`;
const KEEP = "UPDATE state.idempotency_keys SET status = $3, body = $4::jsonb WHERE project_id = $1 AND key = $2";
/** Nobody repeats a request a day later, and a worker sends a key with every write. */
const SWEEP = "DELETE FROM state.idempotency_keys WHERE project_id = $1 AND created_at < now() - interval '1 day'";
const SWEEP_MS = 3_600_000;
const swept = new Map<string, number>();
/** Refused, and nothing was written. */
const FREE = "DELETE FROM state.idempotency_keys WHERE project_id = $1 AND key = $2 AND status = 0";
/** Part of it may have been written: a repeat continues where it stopped. */
const LEAVE = `
  UPDATE state.idempotency_keys SET created_at = now() - ${ABANDONED_S + 1} * interval '1 s'
  WHERE project_id = $1 AND key = $2 AND status = 0`;

type Kept = { request_hash: string; status: number; body: unknown; free_in_s: number };
type Input = { project_id: string; key: string; request: string; work: (kernel: Kernel) => Promise<Reply> };

/** conflict if the key was used for another request, or if its first request is still running. */
export async function once(kernel: Kernel, input: Input): Promise<Reply> {
  const { project_id, key, request } = input;
  refuseBadKey(key);
  await sweep(kernel, project_id);
  const taken = await take(kernel, input);
  if ("reply" in taken) return taken.reply;
  const keyed = await withKey(kernel, { project_id, key, request, isNew: taken.isNew }).catch(async (error) => {
    await quietly(kernel, LEAVE, [project_id, key]);
    throw error;
  });
  let answer: Reply;
  try {
    answer = await input.work(keyed);
  } catch (error) {
    await quietly(kernel, keyed.keyed.done.size > 0 || isPassing(error) ? LEAVE : FREE, [project_id, key]);
    throw error;
  }
  // The work is done: an answer that cannot be kept is rebuilt from what the units kept.
  const isKept = await quietly(kernel, KEEP, [project_id, key, answer.status, JSON.stringify(answer.body ?? null)]);
  if (!isKept) await quietly(kernel, LEAVE, [project_id, key]);
  return answer;
}

async function take(
  kernel: Kernel,
  { project_id, key, request }: Input,
): Promise<{ isNew: boolean } | { reply: Reply }> {
  const { pool } = kernel.db;
  const hash = hashOf(request);
  try {
    const taken = await pool.query<{ is_new: boolean }>(TAKE, [project_id, key, hash]);
    if (taken.rows[0]) return { isNew: taken.rows[0].is_new };
  } catch (error) {
    // Perhaps only its answer was lost, and no process works on it.
    await quietly(kernel, LEAVE, [project_id, key]);
    throw error;
  }
  const { rows } = await pool.query<Kept>(READ, [project_id, key]);
  const kept = rows[0];
  if (kept && kept.request_hash !== hash)
    throw new KernelError("conflict", "Idempotency-Key was used for another request; choose a new key");
  if (!kept || kept.status === 0) throw underWay(kept?.free_in_s);
  return { reply: { status: kept.status, body: kept.body } };
}

async function quietly(kernel: Kernel, text: string, values: unknown[]): Promise<boolean> {
  try {
    await kernel.db.pool.query(text, values);
    return true;
  } catch (error) {
    log().debug({ error: String(error) }, "an idempotency key could not be stored; the writes of its request are kept");
    return false;
  }
}

/** Once an hour for each project that is written to. */
async function sweep(kernel: Kernel, project_id: string): Promise<void> {
  const now = Date.now();
  if ((swept.get(project_id) ?? 0) > now - SWEEP_MS) return;
  // Set before the await, so that only one of many concurrent requests sweeps.
  swept.set(project_id, now);
  await kernel.db.pool.query(SWEEP, [project_id]);
  await sweepKept(kernel, project_id);
}
