// Finds out what happened to a commit whose answer was lost. Postgres knows by the transaction's id, even after an orderly restart.
// "Nothing was written" used to be reported for four in five such commits that had happened.
import { setTimeout as sleep } from "node:timers/promises";
import { KernelError } from "@/server/contract/errors";
import { LIFE } from "@/server/installation";
import { log } from "@/server/log";
import type { Kernel, UnitOutcome } from "./kernel";
import { sqlState } from "./storage-error";

/**
 * A transaction, and what tells whether its id still means the same: after a promotion (`timeline`) or a crash (`life`) the server may give
 * the id again. It then said "committed" of a step that was lost with the crash.
 */
export type Mark = { xid: string; timeline: string; life: string };

const HERE = `left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline, ${LIFE}::text AS life`;
/** Answers the Mark of the transaction that asks, and gives it an id. */
export const MARK = `SELECT pg_current_xact_id()::text AS xid, ${HERE}`;
const ASK = `SELECT ${HERE}, pg_xact_status($1::xid8) AS status`;

const pauseMs = 100;
/** "in the future": this server has never used the id, so the transaction did not happen here. */
const NEVER_GIVEN = "22023";

/** Asks on new connections until one answers; unknown if none does within `outcomeMs`. */
export async function askOutcome(kernel: Kernel, mark: Mark): Promise<UnitOutcome> {
  const { outcomeMs } = kernel.tunables;
  for (const end = performance.now() + outcomeMs; ; await sleep(pauseMs)) {
    try {
      const known = await askOnce(kernel, mark, Math.max(end - performance.now(), pauseMs));
      if (known !== "in progress") return known;
    } catch (error) {
      log().debug({ error: String(error), xid: mark.xid }, "the outcome of a commit could not be found out");
    }
    if (performance.now() >= end) return "unknown";
  }
}

async function askOnce(kernel: Kernel, mark: Mark, limitMs: number): Promise<UnitOutcome | "in progress"> {
  const client = await kernel.db.connectAnew(limitMs);
  try {
    const { rows } = await client.query<Omit<Mark, "xid"> & { status: string | null }>(ASK, [mark.xid]);
    const [row] = rows;
    if (row?.status === "in progress") return "in progress";
    // On another timeline either answer may be about another transaction, or about one that was lost since.
    if (row?.timeline !== mark.timeline) return "unknown";
    // "aborted" stays true: if the id was given again, the first transaction that had it is lost.
    if (row.status === "committed" && row.life !== mark.life) return "unknown";
    return row.status === "committed" || row.status === "aborted" ? row.status : "unknown";
  } catch (error) {
    if (sqlState(error) === NEVER_GIVEN) return "aborted";
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function outcomeUnknown(cause: unknown): KernelError {
  const known = new KernelError(
    "outcome_unknown",
    "the connection to the database broke during this change, and it may have been saved; try again with the same action_id or Idempotency-Key",
  );
  known.cause = cause;
  return known;
}
