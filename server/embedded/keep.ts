// Keeps the database running while the product runs: a killed postmaster is restarted on the port that every pool uses.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { makeClient } from "@/server/address";
import { log } from "@/server/log";
import { clusterOf } from "./cluster";
import { isCleanlyShut, type Postmaster, readPostmaster } from "./postmaster";
import { type EmbeddedPostgres, startEmbedded } from "./start";

export type Keeper = { stop: () => Promise<void> };

const retryMs = 1_000;
const retryMsMax = 8_000;

/** Holds one session: its end is the first sign of trouble, and its presence tells others that the server is in use. */
export function keepEmbedded(server: EmbeddedPostgres): Keeper {
  const state: State = { server, pid: server.pid, isStopping: false, wasStopped: false, session: null };
  const watching = watch(state);
  return {
    stop: async () => {
      state.isStopping = true;
      await state.session?.end().catch(() => undefined);
      await watching;
    },
  };
}

type State = {
  server: EmbeddedPostgres;
  pid: number;
  isStopping: boolean;
  wasStopped: boolean;
  session: pg.Client | null;
};

async function watch(state: State): Promise<void> {
  let pauseMs = retryMs;
  while (!state.isStopping) {
    try {
      if (postmasterOf(state)?.status === "busy") await sleep(100);
      else if (isStoppedOnPurpose(state)) await sleep(retryMs);
      else await holdSession(state);
      pauseMs = retryMs;
    } catch (err) {
      if (state.isStopping) return;
      log().error({ err, retry_in_ms: pauseMs }, "Postgres is down and could not be started; trying again");
      await sleep(pauseMs);
      pauseMs = Math.min(pauseMs * 2, retryMsMax);
    }
  }
}

// A server that a person stopped stays stopped. A clean stop removes the pid file; kill -9 and a power cut leave it. A server
// that ended by itself, as on a full disk, removes it too, and once stayed down when there was space again; its files tell
// the two apart.
function isStoppedOnPurpose(state: State): boolean {
  const isStopped = postmasterOf(state) === null && isCleanlyShut(clusterOf(state.server.home).data);
  if (isStopped && !state.wasStopped) log().warn("Postgres was stopped; waiting until `npm run db up` starts it again");
  state.wasStopped = isStopped;
  return isStopped;
}

function postmasterOf(state: State): Postmaster | null {
  return readPostmaster(clusterOf(state.server.home).data);
}

async function holdSession(state: State): Promise<void> {
  const { data_dir, port, url } = state.server;
  const running = await startEmbedded({ dataDir: data_dir, port });
  if (running.port !== port) throw new Error(`Postgres moved from port ${port} to ${running.port}: restart Switchyard`);
  if (running.pid !== state.pid) log().warn({ postgres_pid: running.pid, port }, "Postgres is back");
  state.pid = running.pid;
  const session = makeClient({ url, name: "switchyard-keeper" });
  state.session = session;
  const ended = sessionEnd(session);
  await session.connect();
  if (state.isStopping) await session.end();
  await ended;
}

function sessionEnd(session: pg.Client): Promise<void> {
  return new Promise((resolve) => {
    session.on("error", () => resolve());
    session.on("end", () => resolve());
  });
}
