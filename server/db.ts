// The one door to Postgres: a pool for the kernel's plain SQL, and Prisma on the same pool for the plain reads of pages.
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "@/prisma/generated/client";
import { connectionConfig, LimitedClient, makeClient } from "./address";
import { noteServer } from "./installation";

// bigint (revs, epochs, token sums) stays far below 2^53; numeric is money of six decimals.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
// Times travel as ISO text from column to pixel.
const iso = (text: string) => new Date(text).toISOString();
pg.types.setTypeParser(1184, iso);

export type Db = {
  pool: pg.Pool;
  prisma: PrismaClient;
  /** A separate new connection: one from the pool may be as dead as the one in question. The caller ends it. */
  connectAnew: (statementMs: number) => Promise<pg.Client>;
  close: () => Promise<void>;
};

export type DbOptions = { max?: number; name?: string; statementMs?: number; onError?: (e: Error) => void };

/** One pool per process. Its owner logs a broken idle connection, which would otherwise be an unhandled error. */
export function openDb(url: string, options: DbOptions = {}): Db {
  const { name = "switchyard", statementMs } = options;
  const clients = new Set<LimitedClient>();
  const pool = new pg.Pool({
    ...connectionConfig({ url, name, statementMs }),
    max: options.max ?? 20,
    idleTimeoutMillis: 30_000,
    // Statements that need no answer first are sent at once; the server keeps the order.
    pipeline: true,
    // Before anybody reads from it. (The pool waits for what it returns; its type does not say so.)
    onConnect: (client): unknown => noteServer(client),
    Client: LimitedClient as unknown as new () => pg.ClientBase,
    // A host that went silent took all its connections with it: found one by one, each would cost its caller the whole
    // limit.
    onSilent: (silent: LimitedClient, since: number) => {
      for (const other of clients)
        if (other !== silent && other.isStale(since))
          other.drop("another connection to this host has stopped answering");
    },
  } as pg.PoolConfig);
  pool.on("error", (e) => options.onError?.(e));
  pool.on("connect", (client) => {
    // The pool listens to idle connections only: a server that dies while one is being taken or returned would end the
    // process.
    client.on("error", () => undefined);
    if (client instanceof LimitedClient) clients.add(client);
  });
  pool.on("remove", (client) => {
    if (client instanceof LimitedClient) clients.delete(client);
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    pool,
    prisma,
    connectAnew: async (limitMs) => {
      const client = makeClient({ url, name, statementMs: limitMs, connectMs: limitMs });
      client.on("error", () => undefined);
      await client.connect();
      return client;
    },
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
