// Everything that can be killed: Postgres, the bus, workers, the web server. All on loopback, all known by pid, all gone at
// the end, also when the run itself is killed.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { builtStamp, root, sourceStamp } from "@/scripts/source-stamp";
import { type EmbeddedPostgres, startEmbedded } from "@/server/embedded/start";
import { migrate } from "@/server/migrate";
import { isNatsMissing, type NatsServer, startNats } from "@/server/testing/nats";
import { makeScratch, removeAbandonedScratch, removeScratch } from "@/server/testing/scratch";

export type Victim = "postgres" | "nats" | "web" | "worker";
export type Fleet = {
  dir: string;
  database_url: string;
  /** null = nats-server is not installed, and Postgres is the doorbell. */
  nats_url: string | null;
  /** null = there is no build of these sources. */
  web_url: string | null;
  /** Who can be killed, a worker as often as there are workers. */
  victims: Victim[];
  /** kill -9; resolves when it is started again. One that is down already is left to whoever killed it. */
  crash: (victim: Victim, which: number, downMs: number) => Promise<boolean>;
  /** SIGSTOP, and SIGCONT after `ms`: a worker that does not know that it was gone. */
  freeze: (which: number, ms: number) => Promise<boolean>;
  /** Everybody up and thawed. */
  mend: () => Promise<void>;
  /** Orderly, and never fails; how many workers did not leave as they should. */
  stop: () => Promise<{ rude: number }>;
};

const workerCount = 3;

type Program = {
  name: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  log: string;
  child: ChildProcess | null;
  isDown: boolean;
};

export async function startFleet(): Promise<Fleet> {
  await removeAbandonedScratch();
  const dir = makeScratch();
  const postgres = await startEmbedded({ dataDir: dir });
  await migrate(postgres.url);
  const nats = isNatsMissing() ? null : await startNats({ dir: path.join(dir, "nats") });
  const env = { ...ownEnv(), DATABASE_URL: postgres.url, ...(nats && { NATS_URL: nats.url }), SWITCHYARD_LOG: "warn" };
  const workers = Array.from({ length: workerCount }, (_, i) => ({
    ...programOf(dir, `worker-${i + 1}`),
    args: ["--import", "tsx", "--import", "./e2e/chaos/hasty.ts", "server/worker/main.ts"],
    env,
  }));
  const port = await freePort();
  const web =
    builtStamp() === sourceStamp()
      ? {
          ...programOf(dir, "web"),
          args: [".next/standalone/server.js"],
          env: { ...env, PORT: String(port), HOST: "127.0.0.1", HOSTNAME: "127.0.0.1" },
        }
      : null;
  const programs = web ? [...workers, web] : workers;
  for (const program of programs) launch(program);
  return fleetOf({ dir, postgres, nats, workers, web, web_url: web && `http://127.0.0.1:${port}` });
}

type Parts = {
  dir: string;
  postgres: EmbeddedPostgres;
  nats: NatsServer | null;
  workers: Program[];
  web: Program | null;
  web_url: string | null;
};

function fleetOf({ dir, postgres, nats, workers, web, web_url }: Parts): Fleet {
  const down = new Set<string>();
  const crashes = new Set<Promise<unknown>>();
  const programs = web ? [...workers, web] : workers;
  let pid = postgres.pid;

  async function outage(
    name: string,
    kill: () => Promise<unknown>,
    downMs: number,
    raise: () => Promise<unknown>,
  ): Promise<boolean> {
    if (down.has(name)) return false;
    down.add(name);
    const crash = (async () => {
      await kill();
      await sleep(downMs);
      await raise();
    })().finally(() => down.delete(name));
    crashes.add(crash);
    await crash.finally(() => crashes.delete(crash));
    return true;
  }

  const crashProgram = (program: Program, downMs: number) =>
    outage(
      program.name,
      () => end(program, "SIGKILL"),
      downMs,
      async () => launch(program),
    );
  return {
    dir,
    database_url: postgres.url,
    nats_url: nats?.url ?? null,
    web_url,
    victims: [
      "postgres",
      ...(nats ? ["nats" as const] : []),
      ...(web ? ["web" as const] : []),
      ...workers.map(() => "worker" as const),
    ],
    crash: async (victim, which, downMs) => {
      if (victim === "postgres")
        return outage(
          "postgres",
          async () => process.kill(pid, "SIGKILL"),
          downMs,
          async () => {
            pid = (await startEmbedded({ dataDir: dir, port: postgres.port })).pid;
          },
        );
      if (victim === "nats") return nats ? outage("nats", nats.kill9, downMs, nats.restart) : false;
      const program = victim === "web" ? web : workers[which % workers.length];
      return program ? crashProgram(program, downMs) : false;
    },
    freeze: async (which, ms) => {
      const worker = workers[which % workers.length];
      if (!worker?.child) return false;
      const { child } = worker;
      return outage(
        worker.name,
        async () => child.kill("SIGSTOP"),
        ms,
        async () => child.kill("SIGCONT"),
      );
    },
    mend: async () => {
      await Promise.allSettled([...crashes]);
      pid = (await startEmbedded({ dataDir: dir, port: postgres.port })).pid;
      for (const program of programs) if (!program.child) launch(program);
    },
    stop: async () => {
      await Promise.allSettled([...crashes]);
      const codes = await Promise.all(workers.map((program) => end(program, "SIGTERM")));
      if (web) await end(web, "SIGTERM");
      await nats?.stop();
      await removeScratch(dir);
      return { rude: codes.filter((code) => code !== 0).length };
    },
  };
}

const programOf = (dir: string, name: string) => ({
  name,
  log: path.join(dir, `${name}.log`),
  child: null,
  isDown: false,
});

// A developer's own settings must not become those of the run.
function ownEnv(): NodeJS.ProcessEnv {
  const {
    DATABASE_URL: _url,
    NATS_URL: _nats,
    HOST: _host,
    SWITCHYARD_TOKEN: _token,
    SWITCHYARD_ORIGINS: _origins,
    ...rest
  } = process.env;
  return { ...rest, SWITCHYARD_SUPERVISOR: String(process.pid), NEXT_TELEMETRY_DISABLED: "1" };
}

function launch(program: Program): void {
  const output = fs.openSync(program.log, "a");
  const child = spawn(process.execPath, ["--import", "./scripts/leave-with-parent.mjs", ...program.args], {
    cwd: root,
    env: program.env,
    stdio: ["ignore", output, output, "ipc"],
    // Ctrl-C is for the run, which takes the others down in order.
    detached: true,
  });
  fs.closeSync(output);
  program.child = child;
  child.once("exit", () => {
    if (program.child === child) program.child = null;
  });
}

/** Its exit code; null when a signal ended it, or nothing ran. */
async function end(program: Program, signal: NodeJS.Signals): Promise<number | null> {
  const { child } = program;
  if (!child) return null;
  const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  child.kill(signal);
  const kill = setTimeout(() => child.kill("SIGKILL"), 15_000);
  const code = await ended;
  clearTimeout(kill);
  return code;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === "object" ? address.port : 0));
    });
  });
}
