// A primary and its synchronous standby on loopback, of Debian's Postgres 15: what a fail-over is tried with.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { serverEnv } from "@/server/embedded/cluster";
import { readPostmaster } from "@/server/embedded/postmaster";
import { giveTo, type RunAs, runAs } from "@/server/embedded/run-as";
import { freePort } from "./free-port";

const bin = "/usr/lib/postgresql/15/bin";

/** Undefined, or why it cannot be tested here. */
export const noStandby = fs.existsSync(path.join(bin, "postgres"))
  ? undefined
  : "Debian's postgresql-15 is not installed: nobody fails over";

export type Server = { port: number; url: string; kill: () => void };
export type Pair = { primary: Server; standby: Server; promote: () => Promise<void>; stop: () => Promise<void> };

/** The primary answers a commit when the standby has it on disk. */
export async function startPair(dir: string): Promise<Pair> {
  const as = runAs(dir);
  giveTo(dir, as);
  const [data, copy] = [path.join(dir, "primary"), path.join(dir, "standby")];
  run(as, "initdb", ["-D", data, "-U", "switchyard", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-instructions"]);
  const primary = await startServer(as, data);
  await ask(urlOf(primary.port, "postgres"), "CREATE DATABASE switchyard");
  const conninfo = `host=127.0.0.1 port=${primary.port} user=switchyard application_name=standby`;
  run(as, "pg_basebackup", ["-D", copy, "-d", conninfo, "-R", "-X", "stream", "-c", "fast"]);
  const standby = await startServer(as, copy);
  await ask(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await ask(primary.url, "SELECT pg_reload_conf()");
  for (let isSync = false; !isSync; await sleep(20))
    isSync = (await ask(primary.url, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length > 0;
  return {
    primary,
    standby,
    promote: async () => {
      await ask(standby.url, "SELECT pg_promote()");
    },
    stop: async () => {
      for (const server of [primary, standby]) server.kill();
      for (const at of [data, copy]) while (isRunning(at)) await sleep(20);
    },
  };
}

const isRunning = (data: string): boolean => {
  const status = readPostmaster(data)?.status;
  return status === "ready" || status === "busy";
};

function run(as: RunAs, program: string, args: string[]): void {
  const [command = "", ...words] = [...as.prefix, path.join(bin, program), ...args];
  execFileSync(command, words, { uid: as.uid, gid: as.gid, env: serverEnv, cwd: "/", stdio: "pipe" });
}

async function startServer(as: RunAs, data: string): Promise<Server> {
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 100,
    fsync: "off",
    jit: "off",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const [command = "", ...args] = [...as.prefix, path.join(bin, "postgres"), "-D", data, ...flags];
  const output = fs.openSync(`${data}.log`, "a");
  const child = spawn(command, args, {
    uid: as.uid,
    gid: as.gid,
    env: serverEnv,
    cwd: "/",
    stdio: ["ignore", output, output],
  });
  fs.closeSync(output);
  let isOver = false;
  child.on("exit", () => {
    isOver = true;
  });
  for (; readPostmaster(data)?.status !== "ready"; await sleep(20))
    if (isOver) throw new Error(`Postgres did not start: ${fs.readFileSync(`${data}.log`, "utf8")}`);
  return { port, url: urlOf(port, "switchyard"), kill: () => child.kill("SIGKILL") };
}

const urlOf = (port: number, database: string): string => `postgresql://switchyard@127.0.0.1:${port}/${database}`;

export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
