// One worker process, as `npm run worker` and `npm start` keep it. Start as many as you like, on any machine that reaches
// the database.
import crypto from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { type Keeper, keepEmbedded } from "@/server/embedded/keep";
import { type Database, resolveDatabase } from "@/server/embedded/resolve-database";
import { stopIfLastUser } from "@/server/embedded/stop";
import { env, outboundOf, variable } from "@/server/env";
import { leaveWithNpm } from "@/server/leave-with-npm";
import { log } from "@/server/log";
import { migrate } from "@/server/migrate";
import { type Wired, wireKernel } from "@/server/wire";
import { connectionsOf } from "./connections";
import { startWorker, type Worker } from "./loop";
import { createMcpServers, type McpServers } from "./tools/mcp-servers";

type Running = { database?: Database; keeper?: Keeper; kernel?: Wired; mcp?: McpServers; worker?: Worker };

const running: Running = {};
const starting = start(running);
let stopping: Promise<void> | undefined;
let stoppedAt: number | undefined;
// A second stop request ends the grace period. One order may arrive twice: from a terminal and from npm, from systemd and
// from the supervisor.
const echoMs = 1_000;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    if (stoppedAt !== undefined && Date.now() - stoppedAt > echoMs) running.worker?.hurry();
    void stop(0);
  });
leaveWithNpm(() => void stop(0));
try {
  await starting;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  await stop(1);
}

async function start(state: Running): Promise<void> {
  const { SWITCHYARD_WORKER_TARGETS: targets, SWITCHYARD_WORKER_CONCURRENCY: concurrency, SWITCHYARD_DRAIN_S } = env();
  state.database = await resolveDatabase((line) => log().info(line));
  if (state.database.embedded) state.keeper = keepEmbedded(state.database.embedded);
  await migrate(state.database.url, {
    onProgress: (line) => log().info(line),
    mayBeOlder: env().SWITCHYARD_NEWER_DATABASE === "allow",
  });
  state.kernel = wireKernel({
    url: state.database.url,
    name: "switchyard-worker",
    max: connectionsOf(concurrency),
  });
  state.mcp = createMcpServers({
    servers: env().SWITCHYARD_MCP_SERVERS,
    outbound: outboundOf(env()),
    variable,
    tunables: state.kernel.tunables,
    version: version(),
  });
  const worker_id = `${os.hostname()}-${process.pid}-${crypto.randomBytes(3).toString("hex")}`;
  state.worker = await startWorker(state.kernel, {
    worker_id,
    targets,
    concurrency,
    version: version(),
    graceMs: SWITCHYARD_DRAIN_S * 1_000,
    mcp: state.mcp,
    silence: { onSilent: endAtOnce },
  });
  log().info({ worker_id, targets: targets.join(","), concurrency }, "the worker is ready");
}

/** For its supervisor: no known error, start it again (EX_TEMPFAIL). */
const silentExit = 75;

// Not the orderly stop, which would wait for what hangs. Its turns are taken over when their leases end.
function endAtOnce(what: string): void {
  log().fatal({ what }, "this worker hangs: nothing has succeeded or failed for three periods; exiting");
  process.exit(silentExit);
}

// A process that is still starting cannot be stopped properly, so a signal waits until it has started.
function stop(code: number): Promise<void> {
  stoppedAt ??= Date.now();
  stopping ??= starting.catch(() => undefined).then(() => stopAll(running, code));
  return stopping;
}

async function stopAll({ worker, mcp, kernel, keeper, database }: Running, code: number): Promise<void> {
  if (worker) log().info({ turns: worker.active() }, "the worker stops");
  await worker?.stop();
  await mcp?.close();
  await kernel?.close();
  await keeper?.stop();
  if (database?.embedded) await stopIfLastUser(database.embedded);
  process.exit(code);
}

function version(): string {
  const file = path.join(import.meta.dirname, "../../package.json");
  return JSON.parse(fs.readFileSync(file, "utf8")).version;
}
