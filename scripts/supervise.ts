// Keeps a child process running: restarts it when it exits or hangs, with growing pauses, and stops it for good on request.
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/server/log";
import { createPulse, type Patience } from "./pulse";
import { root } from "./source-stamp";

export type ChildSpec = {
  name: string;
  /** Arguments of node. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** How long it may finish its work before it is killed. */
  graceMs: number;
  /** Requested every few seconds; any answer is a sign of life. */
  aliveUrl?: string;
  patience?: Partial<Patience>;
};

export type Supervised = {
  stop: () => Promise<void>;
  /** Of a stop: asks once more, for those who take their time. */
  hurry: () => void;
};

const pauseMsMin = 500;
const pauseMsMax = 30_000;
// A child that ran this long was not broken from the start.
const soundMs = 30_000;
// This many short runs in a row are no accident.
const livesMax = 4;
const lookMs = 1_000;
const askMs = 5_000;
/** A hanging child does not handle SIGTERM; a slow one may. */
const hangGraceMs = 5_000;
const wordsMax = 2_000;

export function supervise(spec: ChildSpec): Supervised {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  const running = (async () => {
    let shortLives = 0;
    for (let pauseMs = pauseMsMin; !stopping.signal.aborted; ) {
      const started = Date.now();
      const one = launch(spec);
      child = one;
      log().debug({ child: spec.name, child_pid: one.pid }, "started");
      const words = lastWords(one);
      const watch = watchOver(one, spec);
      const how = await ending(one);
      const hung = watch.stop();
      if (stopping.signal.aborted) return;
      const isShort = Date.now() - started <= soundMs;
      if (!isShort) pauseMs = pauseMsMin;
      shortLives = isShort ? shortLives + 1 : 0;
      const facts = { child: spec.name, child_pid: one.pid, how: hung ?? reasonOf(how), restart_in_ms: pauseMs };
      if (shortLives < livesMax) log().warn(facts, "a process died");
      else
        log().error(
          { ...facts, times: shortLives, said: words() },
          "a process keeps exiting; it is started again each time",
        );
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      child?.kill("SIGTERM");
      const kill = setTimeout(() => child?.kill("SIGKILL"), spec.graceMs);
      await running;
      clearTimeout(kill);
    },
    hurry: () => void child?.kill("SIGTERM"),
  };
}

// The channel to the parent is how a child notices that its parent was killed, see leave-with-parent.mjs, and how it beats.
function launch(spec: ChildSpec): ChildProcess {
  const imports = ["./scripts/leave-with-parent.mjs", "./scripts/beat.mjs"].flatMap((file) => ["--import", file]);
  return spawn(process.execPath, [...imports, ...spec.args], {
    cwd: root,
    env: { ...spec.env, SWITCHYARD_SUPERVISOR: String(process.pid) },
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
}

/** Passes on its error output and keeps the end of it: that is why it exited. */
function lastWords(child: ChildProcess): () => string {
  let words = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    words = `${words}${chunk}`.slice(-wordsMax);
  });
  return () => words.trim();
}

/** `stop` gives why it was taken to hang, and undefined when it was not. */
function watchOver(child: ChildProcess, { name, aliveUrl, patience }: ChildSpec): { stop: () => string | undefined } {
  const pulse = createPulse(performance.now(), { ...patience, isAsked: aliveUrl !== undefined });
  let hung: string | undefined;
  let killing: NodeJS.Timeout | undefined;
  child.on("message", (message) => {
    if (isBeat(message)) pulse.beat(performance.now(), message.is_inspected);
  });
  const looking = setInterval(() => {
    const why = hung === undefined ? pulse.look(performance.now()) : null;
    if (why === null) return;
    hung = `it hangs: ${why}`;
    log().error({ child: name, child_pid: child.pid, why }, "a process hangs; restarting it");
    child.kill("SIGTERM");
    killing = setTimeout(() => child.kill("SIGKILL"), hangGraceMs);
  }, lookMs);
  const over = new AbortController();
  if (aliveUrl !== undefined) void ask(aliveUrl, over.signal, () => pulse.answer(performance.now()));
  return {
    stop: () => {
      over.abort();
      clearInterval(looking);
      clearTimeout(killing);
      return hung;
    },
  };
}

async function ask(url: string, over: AbortSignal, answered: () => void): Promise<void> {
  while (!over.aborted) {
    const signal = AbortSignal.any([over, AbortSignal.timeout(askMs * 2)]);
    await fetch(url, { redirect: "manual", signal }).then(
      (response) => {
        answered();
        return response.body?.cancel();
      },
      // Only a missing answer counts. A server that closes the connection has too many of them, but works.
      (error) => {
        if (hangsUp(error)) answered();
      },
    );
    await sleep(askMs, undefined, { signal: over, ref: false }).catch(() => undefined);
  }
}

const hangsUp = ({ cause }: { cause?: unknown }): boolean =>
  cause instanceof Error && "code" in cause && ["ECONNRESET", "UND_ERR_SOCKET"].includes(String(cause.code));

const isBeat = (message: unknown): message is { beat: true; is_inspected: boolean } =>
  typeof message === "object" && message !== null && "beat" in message && "is_inspected" in message;

/** What a process says by its number alone. */
const reasonOf = (how: string): string =>
  how === "exit 75" ? "exit 75: its database calls neither returned nor failed" : how;

function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(signal ?? `exit ${code}`));
  });
}
