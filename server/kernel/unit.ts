// A unit: one transaction. Frames that its statements have not told themselves are written last, rings and follow-ups go out
// after the commit, and a transaction that Postgres gives up (serialisation, deadlock) is run again from the start.
import type pg from "pg";
import { serverLimitMs, within } from "@/server/address";
import { log } from "@/server/log";
import { eventRings, type Told } from "./journal/event-rings";
import { type Entry, writeFrames } from "./journal/write-frames";
import { isKeptElsewhere, keepSql, keptOf, noteDone, underWay } from "./kept-results";
import type { Kernel, Ring, Transaction, UnitOutcome } from "./kernel";
import { askOutcome, MARK, type Mark, outcomeUnknown } from "./outcome";
import { isConnectionLost, isReadOnly, sqlState, storageError } from "./storage-error";

export type Unit = Transaction;

/**
 * One message. Planning a statement of ten parts anew took longer than running it (handing over a box of ten cards: 2.1 ms
 * against 0.7 for one of six statements), and what was planned while its tables were empty read them whole ever after. A unit
 * looks up rows by key, some dozens at once: to hash or merge them means to read all of a project's turns for sixteen.
 */
const BEGIN = `BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off;
  SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off`;
export type UnitOptions = {
  /** For each of its statements; absent = the pool's limit. A longer one is set on the server too. */
  statementMs?: number;
  /**
   * Usually writes nothing, and its caller finds out by itself what became of it: no id is taken for it in advance. With one, a claim that
   * found nothing was a transaction that Postgres had to write down and wait for.
   */
  isOftenEmpty?: true;
  /** Compares sets with one another, which are hashed: as nested loops, 64 branches of 400 cards took half a minute. */
  comparesSets?: true;
  /** One statement, which writes its frames itself: its commit is sent in the same message, and waits for no answer. */
  isOneStatement?: true;
};

const RETRY = new Set(["40001", "40P01"]);
const RETRIES_MAX = 5;

/**
 * Throws KernelError for refused input, storage_error (503) when the database is away and nothing was written, and
 * outcome_unknown (503) when a commit was sent and nobody can say what became of it.
 */
export async function withUnit<T>(
  kernel: Kernel,
  work: (unit: Unit) => Promise<T>,
  options: UnitOptions = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(kernel, work, options);
    } catch (error) {
      if (isKeptElsewhere(error)) throw underWay();
      if (!RETRY.has(sqlState(error)) || attempt > RETRIES_MAX) throw storageError(error);
      await new Promise((done) => setTimeout(done, Math.random() * 20 * attempt));
    }
  }
}

const ignore = (): void => undefined;

async function runOnce<T>(kernel: Kernel, work: (unit: Unit) => Promise<T>, options: UnitOptions): Promise<T> {
  const { statementMs } = options;
  const client = await kernel.db.pool.connect();
  // Taken out of its pool it has no listener, and a connection that dies between two statements would end the process.
  // The next statement tells of it.
  client.on("error", ignore);
  const entries: Entry[] = [];
  const said: Told[] = [];
  const sent: Promise<unknown>[] = [];
  let isOver = false;
  let isCommitSent = false;
  let mark: Mark | undefined;
  let cause: unknown;
  const rings = new Map<string, Ring>();
  const later: (() => Promise<void>)[] = [];
  const tellers: ((outcome: UnitOutcome) => void)[] = [];
  let outcome: UnitOutcome = "aborted";
  let isTold = false;
  const names: string[] = [];
  const keyed = kernel.keyed?.paused ? undefined : kernel.keyed;
  let first: string | undefined;
  let replayed: { result: unknown } | undefined;
  let statements = 0;
  let broken: Error | undefined;
  // A probe may cut the unit before its commit, and a keyed answer goes into the same transaction.
  const mayCommitAtOnce = !kernel.probe && !keyed;
  let isLast = options.isOneStatement ?? false;
  let committing: Promise<pg.QueryResult> | undefined;
  let telling: Promise<void> | undefined;
  const commitNow = (): Promise<pg.QueryResult> => {
    isCommitSent = true;
    committing = client.query(within(statementMs, { text: "COMMIT" }));
    committing.catch(ignore);
    return committing;
  };
  const tell = (): Promise<void> | undefined => {
    if (entries.length === 0) return undefined;
    statements++;
    const written = writeFrames(client, entries.splice(0));
    // Heard below, unless something else fails before.
    written.catch(ignore);
    return written;
  };
  const unit: Unit = {
    kernel,
    query: async (name, text, values = []) => {
      if (committing) throw new Error(`statement ${name} came after the commit of its unit`);
      if (isOver) throw new Error(`statement ${name} came after its unit had ended`);
      if (keyed && first === undefined) replayed = keptOf(keyed, name);
      first ??= name;
      if (replayed) throw new Error(`statement ${name} was asked for by a request that has been answered`);
      statements++;
      names.push(name);
      try {
        const answer = client.query(within(statementMs, { name, text, values }));
        if (isLast && mayCommitAtOnce) void commitNow();
        return (await answer).rows;
      } catch (error) {
        // Answers come in the order of the statements; those behind the one that failed say only that something did.
        cause ??= error;
        throw error;
      }
    },
    last: () => {
      isLast = entries.length === 0;
      return unit;
    },
    seal: (project_id) => {
      // If the answer to the commit is lost, it is asked for by the mark, which came with the first answer.
      if (!mayCommitAtOnce || !mark) return;
      unit.ring({ kind: "journal", project_id });
      // A refusal by this process has ended the unit by then.
      process.nextTick(() => {
        if (isOver || committing) return;
        telling = tell();
        void commitNow();
      });
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
    onOutcome: (tell) => {
      if (isTold) tell(outcome);
      else tellers.push(tell);
    },
    probe: async (point) => kernel.probe?.(point, names),
    statements: () => statements,
  };
  let result: T | undefined;
  let isAnswered = false;
  try {
    // Sent together with the first statement, as the commit is with the last: what fails aborts all behind it.
    const begun = client.query(within(statementMs, { text: beginOf(kernel, options) })).then(readMark);
    begun.then((read) => {
      mark = read;
    }, ignore);
    result = await work(unit);
    isAnswered = true;
    isOver = true;
    if (replayed) throw new Error("a unit that was already done continued");
    const kept = keyed && first && client.query(within(statementMs, keepSql(keyed, first, result)));
    if (kept) kept.catch(ignore);
    if (committing && entries.length > 0) throw new Error("a unit told frames after its commit");
    const written = telling ?? tell();
    if (kernel.probe) {
      await Promise.all([...sent, written]);
      await unit.probe("before-commit");
    }
    // Whoever waited for no statement has not seen it yet.
    if (!mark && !options.isOftenEmpty) await begun;
    const [{ command }] = await Promise.all([committing ?? commitNow(), begun, ...sent, written, kept]);
    if (command !== "COMMIT") throw new Error(`a commit was sent and Postgres answered ${command}`);
    outcome = "committed";
  } catch (caught) {
    isOver = true;
    await Promise.allSettled(sent);
    try {
      await client.query("ROLLBACK");
    } catch (rollbackError) {
      // The connection itself is gone: Postgres rolls back on its own, the pool must not reuse it.
      broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError));
    }
    if (replayed) {
      if (keyed && first) noteDone(keyed, first);
      return replayed.result as T;
    }
    const reason = cause ?? caught;
    if (isReadOnly(reason)) broken ??= new Error("the server cannot be written to");
    // What the server refused is rolled back. A connection that was lost took the answer with it.
    if (!isCommitSent || !isConnectionLost(reason)) throw reason;
    outcome = "unknown";
    if (mark) outcome = await askOutcome(kernel, mark);
    if (outcome === "aborted") throw reason;
    if (outcome === "unknown") throw outcomeUnknown(reason);
    log().info({ xid: mark?.xid }, "the answer to a commit was lost; the database confirms the commit");
    // Its last statements went out with the commit, and nobody read their answers: it is written, and nobody here knows what.
    if (!isAnswered) {
      outcome = "unknown";
      await follow(() => kernel.doorbell.ring([...rings.values()]));
      throw outcomeUnknown(reason);
    }
  } finally {
    client.off("error", ignore);
    client.release(broken);
    isTold = true;
    for (const tell of tellers) tell(outcome);
  }
  if (keyed && first) noteDone(keyed, first);
  await unit.probe("after-commit");
  // What follows is no part of the request: repeated, it is the watchdog's.
  if (keyed) keyed.paused++;
  try {
    if (kernel.doorbell.wantsEvents) for (const event of eventRings(said)) unit.ring(event);
    if (rings.size > 0) await follow(() => kernel.doorbell.ring([...rings.values()]));
    for (const task of later) await follow(task);
  } finally {
    if (keyed) keyed.paused--;
  }
  return result as T;
}

// The driver's results of several statements in one message come as a list; the last one is the mark's.
function readMark(results: unknown): Mark | undefined {
  const last = Array.isArray(results) ? (results.at(-1) as { rows?: Mark[] } | undefined) : undefined;
  return last?.rows?.[0];
}

function beginOf(kernel: Kernel, { statementMs, isOftenEmpty, comparesSets }: UnitOptions): string {
  const isLong = statementMs !== undefined && statementMs > kernel.tunables.statementMs;
  // Long work waits for its like, as two imports of one file do.
  const limit = isLong ? serverLimitMs(statementMs) : 0;
  const longer = isLong ? `; SET LOCAL statement_timeout = ${limit}; SET LOCAL lock_timeout = ${limit}` : "";
  const brief = kernel.lockMs === undefined ? "" : `; SET LOCAL lock_timeout = ${kernel.lockMs}`;
  const hashes = comparesSets ? "; SET LOCAL enable_hashjoin = on" : "";
  // The mark comes in the same message: if the answer to the commit is lost, it is asked for by it.
  return `${BEGIN}${hashes}${longer}${brief}${isOftenEmpty ? "" : `; ${MARK}`}`;
}

/** What a follow-up leaves undone the watchdog does; the unit it follows has been committed either way. */
async function follow(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    log().warn({ error: String(error) }, "a follow-up of a committed unit failed; the watchdog will do it");
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
