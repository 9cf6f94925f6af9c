// Reads run on the pool, or inside a unit that must see its own writes. One type for both, so that no verb is written twice.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "./kernel";
import { storageError } from "./storage-error";
import { tunables } from "./tunables";
import type { Unit } from "./unit";

export type Reader = (Pick<Kernel, "db"> & Partial<Pick<Kernel, "tunables">>) | Pick<Unit, "query">;

/**
 * Of statements that follow from what somebody asks: parsed, planned for its values, run and forgotten. Under a name, each
 * connection would keep every one of them.
 */
export const UNPREPARED: string = "";

/** A named prepared statement; `name` is unique to the text. read_timeout if it takes too long for a page. */
export async function read<R extends pg.QueryResultRow>(
  reader: Reader,
  name: string,
  text: string,
  values: unknown[],
): Promise<R[]> {
  if ("query" in reader) return reader.query<R>(name, text, values);
  try {
    const { readMsMax } = reader.tunables ?? tunables;
    return (await withinTime<R>(reader.db.pool, { name, text, values }, readMsMax)).rows;
  } catch (error) {
    throw storageError(error);
  }
}

/**
 * Only one statement: a limit set for a transaction would make three of it. When its time is over it is canceled on the
 * server, which would otherwise continue for a caller who has gone, and its connection is not used again, because the cancel
 * may still be on its way.
 */
async function withinTime<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  query: pg.QueryConfig,
  msMax: number,
): Promise<pg.QueryResult<R>> {
  const client = await pool.connect();
  // Outside its pool it has no listener; the statement itself reports a lost connection.
  client.on("error", ignore);
  let timer: NodeJS.Timeout | undefined;
  let isLate = false;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      const { processID } = client as unknown as { processID: number };
      pool.query("SELECT pg_cancel_backend($1)", [processID]).catch(ignore);
      reject(
        new KernelError(
          "read_timeout",
          `the database did not answer within ${msMax / 1000} s; ask for less (a narrower search, a shorter list, one run), or try again later`,
        ),
      );
    }, msMax);
  });
  const answer = client.query<R>(query);
  answer.catch(ignore);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    client.off("error", ignore);
    // Its socket receives the answer to the cancel. If that never comes (all connections busy, a silent server), the
    // connection is dropped anyway, or the pool would have one less forever.
    if (isLate) void Promise.race([answer.catch(ignore), sleep(CANCEL_MS)]).then(() => client.release(true));
    else client.release();
  }
}

const CANCEL_MS = 2_000;

const ignore = (): void => undefined;

const ID = /^[A-Za-z0-9_-]{1,128}$/;

/** What can be an id at all: anything else does not exist, and no database would accept some of it. */
export const askableIds = (ids: readonly (string | null | undefined)[]): string[] =>
  [...new Set(ids)].filter((id): id is string => typeof id === "string" && ID.test(id));

/** For work that would be lost with what it reads: a page gives up sooner than this may take. */
export const patient = <K extends Pick<Kernel, "tunables">>(kernel: K): K => ({
  ...kernel,
  tunables: { ...kernel.tunables, readMsMax: kernel.tunables.statementMs },
});
