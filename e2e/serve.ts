// Starts the product as a person would (`npm start`), on a free port and in a temporary folder.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startEmbedded } from "@/server/embedded/start";
import { freePort } from "@/server/testing/free-port";
import { makeScratch, removeAbandonedScratch, removeScratch } from "@/server/testing/scratch";

/** `pid` is the process that supervises the web server and the worker; if it is killed, they end too. */
export type Product = { url: string; pid: number; data_dir: string; database_url: string; log: string };

export const readyMs = 300_000;
const stopMs = 30_000;
const root = path.join(import.meta.dirname, "..");

/** `env` adds settings, such as `SWITCHYARD_DEMO: "1"`; without it the instance starts empty. */
export async function serve(env: Record<string, string> = {}): Promise<Product> {
  await removeAbandonedScratch();
  const dataDir = makeScratch();
  const port = await freePort();
  const log = path.join(dataDir, "product.log");
  const output = fs.openSync(log, "a");
  const child = spawn(
    process.execPath,
    ["--import", "./scripts/leave-with-parent.mjs", "--import", "tsx", "scripts/start.ts"],
    {
      cwd: root,
      env: {
        ...withoutOurs(),
        ...env,
        PORT: String(port),
        SWITCHYARD_DATA_DIR: dataDir,
        SWITCHYARD_SUPERVISOR: String(process.pid),
      },
      stdio: ["ignore", output, output, "ipc"],
    },
  );
  fs.closeSync(output);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(child, log, url).catch(async (error) => {
    await stop({ url, pid: child.pid ?? 0, data_dir: dataDir, database_url: "", log });
    throw error;
  });
  const database = await startEmbedded({ dataDir });
  return { url, pid: child.pid ?? 0, data_dir: dataDir, database_url: database.url, log };
}

export async function stop(product: Product): Promise<void> {
  if (isRunning(product.pid)) process.kill(product.pid, "SIGTERM");
  for (const end = Date.now() + stopMs; isRunning(product.pid) && Date.now() < end; ) await sleep(50);
  if (isRunning(product.pid)) process.kill(product.pid, "SIGKILL");
  await removeScratch(product.data_dir);
}

// The tests must not use a developer's own database, and their pages must not require the developer's token.
function withoutOurs(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, HOST: _host, NATS_URL: _nats, FORCE_COLOR: _color, ...rest } = process.env;
  return {
    ...rest,
    SWITCHYARD_DEMO: "0",
    SWITCHYARD_TOKEN: "",
    SWITCHYARD_ORIGINS: "",
    SWITCHYARD_TRUSTED_PROXIES: "",
  };
}

async function untilReady(child: ChildProcess, log: string, url: string): Promise<void> {
  for (const end = Date.now() + readyMs; Date.now() < end; await sleep(50)) {
    const text = fs.readFileSync(log, "utf8");
    if (text.includes(`Switchyard is at ${url}`)) return;
    if (child.exitCode !== null) throw new Error(`The product did not start:\n${text}`);
  }
  throw new Error(`The product was not ready in ${readyMs / 1000} s:\n${fs.readFileSync(log, "utf8")}`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
