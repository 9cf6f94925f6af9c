// The composition root: the only place that knows which database and which doorbell a process has.

import { type Db, openDb } from "./db";
import { createPgDoorbell } from "./doorbell/pg-doorbell";
import { env } from "./env";
import { createKernel, type Kernel } from "./kernel/kernel";
import { log } from "./log";

export type Wired = Kernel & { close: () => Promise<void> };

/** A kernel on a database that is there and migrated. `name` shows in pg_stat_activity. */
export function wireKernel(options: { url: string; name: string; max?: number } & Partial<Kernel>): Wired {
  const { url, name, max, ...parts } = options;
  const db: Db =
    parts.db ??
    openDb(url, { name, max, onError: (e) => log().warn({ error: e.message }, "an idle connection was lost") });
  const doorbell = parts.doorbell ?? createPgDoorbell({ pool: db.pool, url });
  return {
    ...createKernel({ ...parts, db, doorbell }),
    close: async () => {
      await doorbell.close();
      await db.close();
    },
  };
}

const store = globalThis as typeof globalThis & { switchyardKernel?: Wired };

/** The web process's kernel. Route handlers and pages are bundled apart, so it hangs on globalThis. */
export function webKernel(): Wired {
  const url = env().DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is not set: start the web server with `npm start` or `npm run dev`");
  if (store.switchyardKernel) return store.switchyardKernel;
  const kernel = wireKernel({ url, name: "switchyard-web" });
  store.switchyardKernel = kernel;
  // Health tells whether the bell is heard, also while nobody looks at a live page.
  void kernel.doorbell.listen(() => undefined);
  return kernel;
}
