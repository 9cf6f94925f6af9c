// The one door to Postgres: a pool for the kernel's plain SQL, and Prisma on the same pool for the plain reads of pages.
import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { PrismaClient } from "@/prisma/generated/client";
import { noteServer } from "./installation";

// bigint (revs, epochs, token sums) stays far below 2^53; numeric is money of six decimals.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
// Times travel as ISO text from column to pixel.
const iso = (text: string) => new Date(text).toISOString();
pg.types.setTypeParser(1184, iso);

export type Db = { pool: pg.Pool; prisma: PrismaClient; close: () => Promise<void> };

/** One pool a process. A broken idle connection is logged by the pool's owner, never thrown into nowhere. */
export function openDb(url: string, options: { max?: number; name?: string; onError?: (e: Error) => void } = {}): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 20,
    application_name: options.name ?? "switchyard",
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    options: "-c jit=off",
    // What does not wait for an answer is sent at once; the server keeps the order.
    pipeline: true,
    // Before anybody reads from it. (The pool waits for what it returns; its type does not say so.)
    onConnect: (client): unknown => noteServer(client),
  });
  pool.on("error", (e) => options.onError?.(e));
  // The pool listens to idle ones only: a server that dies while one is on its way in or out of it would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    pool,
    prisma,
    close: async () => {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
