// Tries to start a postmaster on a folder until it is ready or the reason is final.
import { spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Binaries } from "./binaries";
import { type Cluster, serverEnv } from "./cluster";
import { readPostmaster, readText } from "./postmaster";
import type { RunAs } from "./run-as";

export type Settings = Record<string, string | number>;

/** `port` is required if clients already use it; without it the last port is preferred, and a free one used if that is taken. */
export type LaunchOptions = { port?: number; preferredPort: number; settings: Settings };

const attemptsMax = 100;
const logBytesMax = 10 * 1024 * 1024;

export async function launch(cluster: Cluster, binaries: Binaries, as: RunAs, options: LaunchOptions): Promise<void> {
  let port = options.port ?? (Number(readText(cluster.port)) || options.preferredPort);
  for (let attempt = 1; ; attempt++) {
    const complaint = await attemptLaunch(cluster, binaries, as, { ...defaults, ...options.settings, port });
    if (complaint === null) break;
    // A killed postmaster leaves its pid file until it is reaped, and its memory until its last backend has noticed.
    if (/"postmaster\.pid" already exists|shared memory block/.test(complaint) && attempt < attemptsMax) {
      forgetAbsent(cluster, attempt);
      await sleep(100);
    } else if (/could not bind/.test(complaint) && options.port === undefined && attempt < attemptsMax) {
      port = await freePort();
    } else {
      throw new Error(`Postgres did not start on ${cluster.home}:\n${complaint.trim()}`);
    }
  }
  fs.writeFileSync(cluster.port, String(port));
}

// jit costs 78 ms instead of 0.2 ms on the recursive look-ups of the graph.
const defaults: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: 200,
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
};

/** Null if it is ready, otherwise what it wrote before it ended. */
async function attemptLaunch(
  cluster: Cluster,
  binaries: Binaries,
  as: RunAs,
  settings: Settings,
): Promise<string | null> {
  rotateLog(cluster.log);
  const before = fs.statSync(cluster.log, { throwIfNoEntry: false })?.size ?? 0;
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [command = "", ...args] = [...as.prefix, path.join(binaries.bin, "postgres"), "-D", cluster.data, ...flags];
  const output = fs.openSync(cluster.log, "a", 0o600);
  const child = spawn(command, args, {
    uid: as.uid,
    gid: as.gid,
    env: serverEnv,
    cwd: cluster.home,
    detached: true,
    stdio: ["ignore", output, output],
  });
  fs.closeSync(output);
  child.unref();
  let ended: string | undefined;
  child.on("error", (error) => {
    ended = `${command} could not be run: ${error.message}`;
  });
  child.on("exit", () => {
    ended ??= "";
  });
  while (ended === undefined) {
    const server = readPostmaster(cluster.data);
    if (server?.status === "ready" && server.pid === child.pid) return null;
    await sleep(10);
  }
  return ended || readText(cluster.log).slice(before) || "it ended without a message";
}

function rotateLog(file: string): void {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > logBytesMax) fs.renameSync(file, `${file}.old`);
}

// Postgres only checks whether the pid of its old file exists. That may be a zombie, or another program.
function forgetAbsent(cluster: Cluster, attempt: number): void {
  const isAbsent = readPostmaster(cluster.data)?.status === "absent";
  if (isAbsent && attempt >= 10) fs.rmSync(path.join(cluster.data, "postmaster.pid"));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
