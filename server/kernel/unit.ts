// A unit: one transaction. Frames that its statements have not told themselves are written last, rings and follow-ups go out
// after the commit, and a transaction that Postgres gives up (serialisation, deadlock) is run again from the start.
import { log } from "@/server/log";
import { eventRings, type Told } from "./journal/event-rings";
import { type Entry, writeFrames } from "./journal/write-frames";
import type { Kernel, Ring, Transaction } from "./kernel";
import { sqlState, storageError } from "./storage-error";

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

const ignore = (): void => undefined;

async function runOnce<T>(kernel: Kernel, work: (unit: Unit) => Promise<T>): Promise<T> {
  const client = await kernel.db.pool.connect();
  // Taken out of its pool it has no listener, and a connection that dies between two statements would end the process.
  // The next statement tells of it.
  client.on("error", ignore);
  const entries: Entry[] = [];
  const said: Told[] = [];
  const sent: Promise<unknown>[] = [];
  let isOver = false;
  let cause: unknown;
  const rings = new Map<string, Ring>();
  const later: (() => Promise<void>)[] = [];
  const names: string[] = [];
  let statements = 0;
  let broken: Error | undefined;
  const unit: Unit = {
    kernel,
    query: async (name, text, values = []) => {
      if (isOver) throw new Error(`statement ${name} came when its unit was over`);
      statements++;
      names.push(name);
      try {
        return (await client.query({ name, text, values })).rows;
      } catch (error) {
        // Answers come in the order of the statements; those behind the one that failed say only that something did.
        cause ??= error;
        throw error;
      }
    },
    send: (name, text, values) => {
      const answer = unit.query(name, text, values);
      answer.catch(ignore);
      sent.push(answer);
    },
    frame: (project_id, frame) => {
      entries.push({ project_id, frame });
      said.push({ project_id, frame });
      unit.ring({ kind: "journal", project_id });
    },
    told: (project_id, frames) => {
      for (const frame of frames) said.push({ project_id, frame });
      if (frames.length > 0) unit.ring({ kind: "journal", project_id });
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
    // Sent together with the first statement, as the commit is with the last: what fails aborts all behind it.
    const begun = client.query(BEGIN);
    begun.catch(ignore);
    result = await work(unit);
    isOver = true;
    if (entries.length > 0) statements++;
    const written = entries.length > 0 ? writeFrames(client, entries) : undefined;
    if (kernel.probe) {
      await Promise.all([...sent, written]);
      await unit.probe("before-commit");
    }
    const [{ command }] = await Promise.all([client.query("COMMIT"), begun, ...sent, written]);
    if (command !== "COMMIT") throw new Error(`a unit was to be committed and Postgres answered ${command}`);
  } catch (caught) {
    isOver = true;
    await Promise.allSettled(sent);
    try {
      await client.query("ROLLBACK");
    } catch (rollbackError) {
      // The connection itself is gone: Postgres rolls back on its own, the pool must not reuse it.
      broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError));
    }
    throw cause ?? caught;
  } finally {
    client.off("error", ignore);
    client.release(broken);
  }
  await unit.probe("after-commit");
  if (kernel.doorbell.wantsEvents) for (const event of eventRings(said)) unit.ring(event);
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
