// How many statements some work takes, BEGIN and COMMIT included: what must not grow is counted, and not timed.
import type { Kernel } from "@/server/kernel/kernel";

export async function countStatements(kernel: Kernel, work: (counting: Kernel) => Promise<unknown>): Promise<number> {
  return (await countUnits(kernel, work)).reduce((sum, statements) => sum + statements, 0);
}

/** By unit, in their order: a COMMIT is the last statement of its own. */
export async function countUnits(kernel: Kernel, work: (counting: Kernel) => Promise<unknown>): Promise<number[]> {
  const { pool } = kernel.db;
  const units = [0];
  const count = (query: unknown) => {
    units[units.length - 1] = (units.at(-1) ?? 0) + 1;
    if ((query as { text?: string }).text === "COMMIT") units.push(0);
  };
  const counting: Kernel = { ...kernel, db: { ...kernel.db, pool: Object.create(pool) } };
  counting.db.pool.connect = (async () => {
    const client = await pool.connect();
    const query = client.query.bind(client);
    const release = client.release.bind(client);
    client.query = ((...args: Parameters<typeof query>) => {
      count(args[0]);
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
    count(args[0]);
    return pool.query(...args);
  }) as unknown as typeof pool.query;
  await work(counting);
  return units.filter((statements) => statements > 0);
}
