// How many statements some work takes, BEGIN and COMMIT included: what must not grow is counted, and not timed.
import type { Kernel } from "@/server/kernel/kernel";

export async function countStatements(kernel: Kernel, work: (counting: Kernel) => Promise<unknown>): Promise<number> {
  const { pool } = kernel.db;
  let statements = 0;
  const counting: Kernel = { ...kernel, db: { ...kernel.db, pool: Object.create(pool) } };
  counting.db.pool.connect = (async () => {
    const client = await pool.connect();
    const query = client.query.bind(client);
    const release = client.release.bind(client);
    client.query = ((...args: Parameters<typeof query>) => {
      statements++;
      return query(...args);
    }) as typeof client.query;
    client.release = (error) => {
      client.query = query as typeof client.query;
      client.release = release;
      release(error);
    };
    return client;
  }) as unknown as typeof pool.connect;
  counting.db.pool.query = ((...args: Parameters<typeof pool.query>) => {
    statements++;
    return pool.query(...args);
  }) as unknown as typeof pool.query;
  await work(counting);
  return statements;
}
