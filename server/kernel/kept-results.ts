// A request with a key is done once: each of its units stores its answer in its own transaction, and returns it again
// when the request is repeated. A key written before or after the work was wrong whenever a process or an answer was
// lost between the two. A unit is identified by its first statement, so that a repeat that takes another path finds its own.
import { createHash } from "node:crypto";
import type pg from "pg";
import { KernelError } from "@/server/contract/errors";
import type { Kernel, Keyed } from "./kernel";
import { storageError } from "./storage-error";

const KEY = /^[\x21-\x7e]{1,200}$/;
const KEPT = "SELECT unit, n, request_hash, result FROM state.kept_results WHERE project_id = $1 AND key = $2";
const KEEP = `
  INSERT INTO state.kept_results (project_id, key, unit, n, request_hash, result) VALUES ($1, $2, $3, $4, $5, $6)`;
/** Nobody repeats a request a day later. */
const SWEEP = "DELETE FROM state.kept_results WHERE project_id = $1 AND created_at < now() - interval '1 day'";
// From project to project, each a look into the key: a table of answers is read whole by nobody.
const SWEEP_GONE = `
  WITH RECURSIVE named AS (
    SELECT min(k.project_id) AS project_id FROM state.kept_results k
    UNION ALL
    SELECT (SELECT min(k.project_id) FROM state.kept_results k WHERE k.project_id > n.project_id) FROM named n WHERE n.project_id IS NOT NULL
  )
  DELETE FROM state.kept_results WHERE ctid = ANY (ARRAY(
    SELECT x.ctid FROM named n CROSS JOIN LATERAL (
      SELECT k.ctid FROM state.kept_results k
      WHERE k.project_id = n.project_id AND k.created_at < now() - interval '1 day' OFFSET 0) x
    WHERE NOT EXISTS (SELECT 1 FROM projects p WHERE p.project_id = n.project_id) LIMIT $1))`;

export const hashOf = (request: string): string => createHash("sha256").update(request).digest("hex");

export function refuseBadKey(key: string): void {
  if (!KEY.test(key)) throw new KernelError("bad_request", "Idempotency-Key has 1 to 200 visible ASCII characters");
}

/** `isNew`: known to be the first request with the key. conflict when the key was used for another request. */
export async function withKey(
  kernel: Kernel,
  { project_id, key, request, isNew }: { project_id: string; key: string; request: string; isNew?: boolean },
): Promise<Kernel & { keyed: Keyed }> {
  const request_hash = hashOf(request);
  const rows = isNew ? [] : await readKept(kernel, project_id, key);
  if (rows.some((row) => row.request_hash !== request_hash))
    throw new KernelError("conflict", "Idempotency-Key was used for another request; choose a new key");
  const kept = new Map(rows.map((row) => [`${row.unit} ${row.n}`, row.result]));
  return { ...kernel, keyed: { project_id, key, request_hash, kept, done: new Map(), paused: 0 } };
}

/** For a unit that only reads: what it found is no part of the answer, and a repeat looks again. */
export const withoutKey = ({ keyed: _keyed, ...kernel }: Kernel): Kernel => kernel;

type Row = { unit: string; n: number; request_hash: string; result: string };

async function readKept({ db }: Kernel, project_id: string, key: string): Promise<Row[]> {
  try {
    return (await db.pool.query<Row>({ name: "kept_results", text: KEPT, values: [project_id, key] })).rows;
  } catch (error) {
    throw storageError(error);
  }
}

export async function sweepKept(kernel: Kernel, project_id: string): Promise<void> {
  await kernel.db.pool.query({ name: "kept_sweep", text: SWEEP, values: [project_id] });
}

/** Of projects that are gone, at most so many answers; how many went. */
export async function sweepGone(kernel: Kernel, rows: number): Promise<number> {
  const { rowCount } = await kernel.db.pool.query({ name: "kept_sweep_gone", text: SWEEP_GONE, values: [rows] });
  return rowCount ?? 0;
}

/** What the unit that begins with this statement answered; undefined if it has not run. */
export function keptOf(keyed: Keyed, unit: string): { result: unknown } | undefined {
  const text = keyed.kept.get(`${unit} ${keyed.done.get(unit) ?? 0}`);
  return text === undefined ? undefined : { result: text === "" ? undefined : JSON.parse(text) };
}

/** Sent before the commit, and committed or rolled back with it. */
export function keepSql(keyed: Keyed, unit: string, result: unknown): pg.QueryConfig {
  const { project_id, key, request_hash, done } = keyed;
  const text = result === undefined ? "" : JSON.stringify(result);
  return { name: "kept_keep", text: KEEP, values: [project_id, key, unit, done.get(unit) ?? 0, request_hash, text] };
}

export function noteDone(keyed: Keyed, unit: string): void {
  keyed.done.set(unit, (keyed.done.get(unit) ?? 0) + 1);
}

/** Another process handled the same request first. */
export const isKeptElsewhere = (error: unknown): boolean =>
  (error as { constraint?: unknown } | null)?.constraint === "kept_results_pkey";

/** `freeInS`: when its key is free again if its process has died. */
export const underWay = (freeInS = 1): KernelError =>
  new KernelError(
    "conflict",
    `the first request with this Idempotency-Key is still running, or its process died; try again in ${freeInS} s with the same key`,
    { retry_after_s: freeInS },
  );
