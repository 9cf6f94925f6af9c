// A unit: one transaction. Frames are written last, rings and follow-ups go out after the commit, and a transaction
// that Postgres gives up (serialisation, deadlock) is run again from the start.
import { KernelError } from "@/server/contract/errors";
import { log } from "@/server/log";
import { eventRings } from "./journal/event-rings";
import { type Entry, writeFrames } from "./journal/write-frames";
import type { Kernel, Ring, Transaction } from "./kernel";

export type Unit = Transaction;

/**
 * One message. Planning a statement of ten parts anew took longer than running it (handing over a box of ten cards: 2.1 ms
 * against 0.7 for one of six statements), and what was planned while its tables were empty read them whole ever after. A unit
 * looks up rows by key, some dozens at once: to hash or merge them means to read all of a project's turns for sixteen.
 */
const BEGIN = `BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off;
  SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`;

const RETRY = new Set(["40001", "40P01"]);
const RETRIES_MAX = 5;
const AWAY =
  /^(08|57P|53|P10\d\d|P2024)|ECONNREFUSED|ECONNRESET|EPIPE|terminated|not queryable|timeout exceeded when trying to connect|Can't reach database|closed the connection/;

/** Throws KernelError for refused input, and storage_error (503) when the database is away. */
export async function withUnit<T>(kernel: Kernel, work: (unit: Unit) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(kernel, work);
    } catch (error) {
      if (!RETRY.has(sqlState(error)) || attempt > RETRIES_MAX) throw storageError(error);
      await new Promise((done) => setTimeout(done, Math.random() * 20 * attempt));
    }
  }
}

/** A lost connection reads as storage_error; everything else passes as it is. */
export function storageError(error: unknown): unknown {
  if (error instanceof KernelError) return error;
  const text = `${sqlState(error)} ${error instanceof Error ? error.message : ""}`;
  if (!AWAY.test(sqlState(error)) && !AWAY.test(text.trim())) return error;
  const away = new KernelError(
    "storage_error",
    "the database cannot be reached; it is tried again, nothing was written",
  );
  away.cause = error;
  return away;
}

const codeOf = (error: unknown): string =>
  error !== null && typeof error === "object" && "code" in error && typeof error.code === "string" ? error.code : "";

/** Of Prisma's errors the one within: to it, a session that was ended is one more kind of "the query failed". */
function sqlState(error: unknown): string {
  const { meta } = (error ?? {}) as { meta?: { driverAdapterError?: { cause?: unknown } } };
  return codeOf(meta?.driverAdapterError?.cause) || codeOf(error);
}

const ignore = (): void => undefined;

async function runOnce<T>(kernel: Kernel, work: (unit: Unit) => Promise<T>): Promise<T> {
  const client = await kernel.db.pool.connect();
  // Taken out of its pool it has no listener, and a connection that dies between two statements would end the process.
  // The next statement tells of it.
  client.on("error", ignore);
  const entries: Entry[] = [];
  const rings = new Map<string, Ring>();
  const later: (() => Promise<void>)[] = [];
  const names: string[] = [];
  let statements = 0;
  let broken: Error | undefined;
  const unit: Unit = {
    kernel,
    query: async (name, text, values = []) => {
      statements++;
      names.push(name);
      return (await client.query({ name, text, values })).rows;
    },
    frame: (project_id, frame) => {
      entries.push({ project_id, frame });
      unit.ring({ kind: "journal", project_id });
    },
    ring: (ring) => {
      if (ring.kind !== "event" || kernel.doorbell.wantsEvents) rings.set(keyOf(ring), ring);
    },
    after: (task) => later.push(task),
    probe: async (point) => kernel.probe?.(point, names),
    statements: () => statements,
  };
  let result: T;
  try {
    await client.query(BEGIN);
    result = await work(unit);
    if (entries.length > 0) {
      statements++;
      await writeFrames(client, entries);
    }
    await unit.probe("before-commit");
    await client.query("COMMIT");
  } catch (error) {
    try {
      await client.query("ROLLBACK");
    } catch (rollbackError) {
      // The connection itself is gone: Postgres rolls back on its own, the pool must not reuse it.
      broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError));
    }
    throw error;
  } finally {
    client.off("error", ignore);
    client.release(broken);
  }
  await unit.probe("after-commit");
  if (kernel.doorbell.wantsEvents) for (const event of eventRings(entries)) unit.ring(event);
  if (rings.size > 0) await follow(() => kernel.doorbell.ring([...rings.values()]));
  for (const task of later) await follow(task);
  return result;
}

/** What a follow-up leaves undone the watchdog does; the unit it follows has been committed either way. */
async function follow(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    log().warn({ error: String(error) }, "a follow-up of a committed unit failed; the watchdog makes up for it");
  }
}

// Rings of one key say the same; the last one goes out.
function keyOf(ring: Ring): string {
  if (ring.kind === "wakeup") return `wakeup ${ring.project_id} ${ring.worker_target}`;
  if (ring.kind === "journal") return `journal ${ring.project_id}`;
  if (ring.kind === "command") return `command ${ring.project_id} ${ring.tool_call_id}`;
  if (ring.kind === "thinking")
    return `thinking ${ring.project_id} ${ring.agent_turn_id} ${ring.turn_epoch} ${ring.seq}`;
  if (ring.kind !== "event") return `${ring.kind} ${ring.project_id} ${ring.agent_turn_id}`;
  return `${ring.event} ${ring.project_id} ${ring.agent_turn_id} ${ring.step_id} ${ring.status}`;
}
