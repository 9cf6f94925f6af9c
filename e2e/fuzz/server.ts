// The built web server on its own Postgres, without a worker: only requests change rows.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { builtStamp, root, sourceStamp } from "@/scripts/source-stamp";
import { startEmbedded } from "@/server/embedded/start";
import { migrate } from "@/server/migrate";
import { freePort } from "@/server/testing/free-port";
import { makeScratch, removeAbandonedScratch, removeScratch } from "@/server/testing/scratch";

export type Held = { ms: number; during: string[] };

export type FuzzServer = {
  url: string;
  port: number;
  database_url: string;
  /** How long the event loop was held until the first answer, while code was loaded. */
  loadingMs: number;
  /** The longest delay since the last call, and the requests that were being answered then. */
  held: () => Held;
  isAlive: () => boolean;
  log: () => string;
  stop: () => Promise<void>;
};

const readyMs = 60_000;
/** The server tells twice a second. */
const toldMs = 1_200;

/** `anyBuild` uses the web server that is built, even if the sources have changed since. */
export async function startServer({ anyBuild }: { anyBuild: boolean }): Promise<FuzzServer> {
  if (builtStamp() !== sourceStamp() && !(anyBuild && builtStamp() !== null))
    throw new Error("there is no build of these sources; run npm run build first");
  await removeAbandonedScratch();
  const dir = makeScratch();
  const postgres = await startEmbedded({ dataDir: dir });
  await migrate(postgres.url);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = path.join(dir, "web.log");
  const output = fs.openSync(file, "a");
  const preload = path.join(root, "e2e/fuzz/tell-delay.mjs");
  const leave = path.join(root, "scripts/leave-with-parent.mjs");
  const child = spawn(
    process.execPath,
    ["--import", leave, "--import", preload, path.join(root, ".next/standalone/server.js")],
    {
      cwd: root,
      env: { ...ownEnv(), DATABASE_URL: postgres.url, PORT: String(port), HOST: "127.0.0.1", HOSTNAME: "127.0.0.1" },
      stdio: ["ignore", output, output, "ipc"],
    },
  );
  fs.closeSync(output);
  let held: Held = { ms: 0, during: [] };
  child.on("message", (message) => {
    const { held_ms = 0, during = [] } = message as { held_ms?: number; during?: string[] };
    if (held_ms > held.ms) held = { ms: held_ms, during };
  });
  const log = () => fs.readFileSync(file, "utf8");
  const stop = async () => {
    await end(child);
    await removeScratch(dir);
  };
  try {
    await untilReady(child, url);
  } catch (error) {
    console.error(log());
    await stop();
    throw error;
  }
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const ask = () => {
    const told = held;
    held = { ms: 0, during: [] };
    return told;
  };
  // The first answer loads the code, once, whatever was asked: that is told by itself, and is no request's doing.
  await sleep(toldMs);
  const { ms: loadingMs } = ask();
  return { url, port, database_url: postgres.url, loadingMs, held: ask, isAlive, log, stop };
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (const end = Date.now() + readyMs; Date.now() < end; await sleep(100)) {
    if (child.exitCode !== null) throw new Error("the web server ended before it was ready");
    const answer = await fetch(`${url}/api/v1/health`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error(`the web server was not ready in ${readyMs / 1000} s`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  const kill = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await ended;
  clearTimeout(kill);
}

// A developer's own settings must not affect the run.
function ownEnv(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, NATS_URL: _nats, HOST: _host, ...rest } = process.env;
  const none = { SWITCHYARD_TOKEN: "", SWITCHYARD_ORIGINS: "", SWITCHYARD_LOG: "warn" };
  return { ...rest, ...none, SWITCHYARD_SUPERVISOR: String(process.pid), NEXT_TELEMETRY_DISABLED: "1" };
}
