// The composition root: the only place that knows which database and which doorbell a process has.

import os from "node:os";
import { type Db, openDb } from "./db";
import { createNatsDoorbell } from "./doorbell/nats-doorbell";
import { createPgDoorbell } from "./doorbell/pg-doorbell";
import { env, outboundOf, uploadBytesMax } from "./env";
import { createKernel, type Doorbell, type Kernel } from "./kernel/kernel";
import { advanceAfter, onTurnsEnded } from "./kernel/plan/on-turns-ended";
import { watchWrites } from "./kernel/reclaim/watch-writes";
import { tunables } from "./kernel/tunables";
import { log } from "./log";

export type Wired = Kernel & { close: () => Promise<void> };

/** A kernel on a database that is there and migrated. `name` shows in pg_stat_activity. */
export function wireKernel(options: { url: string; name: string; max?: number } & Partial<Kernel>): Wired {
  const { url, name, max, ...parts } = options;
  const db: Db =
    parts.db ??
    openDb(url, {
      name,
      max,
      statementMs: parts.tunables?.statementMs,
      onError: (e) => log().warn({ error: e.message }, "an idle connection was lost"),
    });
  const doorbell = parts.doorbell ?? chooseDoorbell({ db, url, name });
  return {
    ...createKernel({
      onTurnsEnded,
      onPlanDue: advanceAfter,
      outbound: outboundOf(env()),
      workspaceFolders: env().SWITCHYARD_WORKSPACES,
      delegationContext: env().SWITCHYARD_DELEGATION_CONTEXT,
      tunables: { ...tunables, queuedMax: env().SWITCHYARD_MAX_QUEUED, uploadBytesMax: uploadBytesMax() },
      ...parts,
      db,
      doorbell,
    }),
    close: async () => {
      await doorbell.close();
      await db.close();
    },
  };
}

function chooseDoorbell({ db, url, name }: { db: Db; url: string; name: string }): Doorbell {
  const { NATS_URL, NATS_CA: ca, NATS_CERT: cert, NATS_KEY: key, NATS_CREDS: creds } = env();
  if (!NATS_URL) return createPgDoorbell({ pool: db.pool, url });
  return createNatsDoorbell({ settings: { url: NATS_URL, ca, cert, key, creds }, name });
}

const store = globalThis as typeof globalThis & { switchyardKernel?: Wired };

/** The web process's kernel. Route handlers and pages are bundled apart, so it hangs on globalThis. */
export function webKernel(): Wired {
  const url = env().DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is not set: start the web server with `npm start` or `npm run dev`");
  if (store.switchyardKernel) return store.switchyardKernel;
  const wired = wireKernel({ url, name: "switchyard-web" });
  const writes = watchWrites(wired, { process: `${os.hostname()}-${process.pid}` });
  const kernel = { ...wired, writes: writes.state };
  store.switchyardKernel = kernel;
  // Health tells whether the bell is heard, also while nobody looks at a live page.
  void kernel.doorbell.listen(() => undefined);
  return kernel;
}
