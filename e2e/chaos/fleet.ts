// Everything that can be killed: Postgres, the bus, workers, the web server. All on loopback, all known by pid, all stopped at
// the end, even if the run itself is killed.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { builtStamp, sourceStamp } from "@/scripts/source-stamp";
import { type EmbeddedPostgres, startEmbedded } from "@/server/embedded/start";
import { migrate } from "@/server/migrate";
import { freePort } from "@/server/testing/free-port";
import { isNatsMissing, type NatsServer, startNats } from "@/server/testing/nats";
import { makeScratch, removeAbandonedScratch, removeScratch } from "@/server/testing/scratch";
import { type Program, programOf } from "./program";

export type Victim = "postgres" | "nats" | "web" | "worker";
export type Fleet = {
  dir: string;
  database_url: string;
  /** null = nats-server is not installed, and Postgres is the doorbell. */
  nats_url: string | null;
  /** null = there is no build of these sources. */
  web_url: string | null;
  /** The names that can be killed; `worker` is listed once per worker. */
  victims: Victim[];
  /** Last words of processes that ended by themselves. */
  deaths: string[];
  /** kill -9; resolves when it is started again. False for one that is already down. */
  crash: (victim: Victim, which: number, downMs: number) => Promise<boolean>;
  /** SIGSTOP, and SIGCONT after `ms`: a worker that does not know that it was frozen. */
  freeze: (which: number, ms: number) => Promise<boolean>;
  /** Everything is up and nothing is frozen. */
  mend: () => Promise<void>;
  /** A clean stop. */
  stop: () => Promise<void>;
};

const workerCount = 3;

/** `anyBuild` uses the web server that is built, even if the sources have changed since. */
export async function startFleet({ anyBuild }: { anyBuild: boolean }): Promise<Fleet> {
  await removeAbandonedScratch();
  const dir = makeScratch();
  // Outside the range that embedded servers choose from: while ours was down, another one on this machine took its port.
  const postgres = await startEmbedded({ dataDir: dir, port: await freePort() });
  await migrate(postgres.url);
  const nats = isNatsMissing() ? null : await startNats({ dir: path.join(dir, "nats") });
  const env = { ...ownEnv(), DATABASE_URL: postgres.url, ...(nats && { NATS_URL: nats.url }), SWITCHYARD_LOG: "warn" };
  const deaths: string[] = [];
  const onDeath = (words: string): void => void deaths.push(words);
  const args = ["--import", "tsx", "--import", "./e2e/chaos/hasty.ts", "server/worker/main.ts"];
  const workers = Array.from({ length: workerCount }, (_, i) =>
    programOf({ dir, name: `worker-${i + 1}`, args, env, onDeath }),
  );
  const port = await freePort();
  const webEnv = { ...env, PORT: String(port), HOST: "127.0.0.1", HOSTNAME: "127.0.0.1" };
  const web =
    builtStamp() === sourceStamp() || (anyBuild && builtStamp() !== null)
      ? programOf({ dir, name: "web", args: [".next/standalone/server.js"], env: webEnv, onDeath })
      : null;
  const parts: Parts = { postgres, nats, workers, web };
  for (const program of [...workers, ...(web ? [web] : [])]) program.start();
  return {
    dir,
    deaths,
    database_url: postgres.url,
    nats_url: nats?.url ?? null,
    web_url: web && `http://127.0.0.1:${port}`,
    victims: victimsOf(parts),
    ...outagesOf(dir, parts),
  };
}

type Parts = { postgres: EmbeddedPostgres; nats: NatsServer | null; workers: Program[]; web: Program | null };

const victimsOf = ({ nats, workers, web }: Parts): Victim[] => [
  "postgres",
  ...(nats ? (["nats"] as const) : []),
  ...(web ? (["web"] as const) : []),
  ...workers.map(() => "worker" as const),
];

function outagesOf(dir: string, parts: Parts): Pick<Fleet, "crash" | "freeze" | "mend" | "stop"> {
  const { postgres, nats, workers, web } = parts;
  const programs = web ? [...workers, web] : workers;
  const down = new Map<string, Promise<void>>();
  let pid = postgres.pid;

  async function outage(
    name: string,
    ms: number,
    fell: () => Promise<void>,
    raise: () => Promise<void>,
  ): Promise<boolean> {
    if (down.has(name)) return false;
    const whole = (async () => {
      await fell();
      await sleep(ms);
      await raise();
    })();
    down.set(name, whole);
    await whole.finally(() => down.delete(name));
    return true;
  }
  const raisePostgres = async (): Promise<void> => {
    pid = (await startEmbedded({ dataDir: dir, port: postgres.port })).pid;
  };
  const one = (which: number): Program | undefined => workers[which % workers.length];

  return {
    crash: async (victim, which, ms) => {
      if (victim === "postgres")
        return outage(victim, ms, async () => void process.kill(pid, "SIGKILL"), raisePostgres);
      if (victim === "nats") return nats ? outage(victim, ms, nats.kill9, nats.restart) : false;
      const program = victim === "web" ? web : one(which);
      if (!program) return false;
      return outage(
        program.name,
        ms,
        () => program.end("SIGKILL"),
        async () => program.start(),
      );
    },
    freeze: async (which, ms) => {
      const worker = one(which);
      if (!worker) return false;
      return outage(
        worker.name,
        ms,
        async () => void worker.signal("SIGSTOP"),
        async () => void worker.signal("SIGCONT"),
      );
    },
    mend: async () => {
      await Promise.allSettled(down.values());
      await raisePostgres();
      for (const program of programs) program.start();
    },
    stop: async () => {
      await Promise.allSettled(down.values());
      await Promise.all(programs.map((program) => program.end("SIGTERM")));
      await nats?.stop();
      await removeScratch(dir);
    },
  };
}

// A developer's own settings must not affect the run.
function ownEnv(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _url, NATS_URL: _nats, HOST: _host, ...rest } = process.env;
  const none = { SWITCHYARD_TOKEN: "", SWITCHYARD_ORIGINS: "" };
  return { ...rest, ...none, SWITCHYARD_SUPERVISOR: String(process.pid), NEXT_TELEMETRY_DISABLED: "1" };
}
