// A child process that is started again when it dies, with growing pauses, and stopped for good when asked.
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/server/log";
import { root } from "./source-stamp";

export type ChildSpec = {
  name: string;
  /** Arguments of node. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** How long it may finish its work before it is killed. */
  graceMs: number;
};

export type Supervised = {
  stop: () => Promise<void>;
  /** Of a stop: asks once more, for those who take their time. */
  hurry: () => void;
};

const pauseMsMin = 500;
const pauseMsMax = 30_000;
// One that lived this long was not broken from the start.
const soundMs = 30_000;

export function supervise(spec: ChildSpec): Supervised {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  const running = (async () => {
    for (let pauseMs = pauseMsMin; !stopping.signal.aborted; ) {
      const started = Date.now();
      child = launch(spec);
      log().debug({ child: spec.name, child_pid: child.pid }, "started");
      const how = await ending(child);
      if (stopping.signal.aborted) return;
      if (Date.now() - started > soundMs) pauseMs = pauseMsMin;
      log().warn({ child: spec.name, child_pid: child.pid, how, restart_in_ms: pauseMs }, "a process died");
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    }
  })();
  return {
    hurry: () => void child?.kill("SIGTERM"),
    stop: async () => {
      stopping.abort();
      child?.kill("SIGTERM");
      const kill = setTimeout(() => child?.kill("SIGKILL"), spec.graceMs);
      await running;
      clearTimeout(kill);
    },
  };
}

// The channel to the parent is how a child notices that its parent was killed, see leave-with-parent.mjs.
function launch(spec: ChildSpec): ChildProcess {
  return spawn(process.execPath, ["--import", "./scripts/leave-with-parent.mjs", ...spec.args], {
    cwd: root,
    env: { ...spec.env, SWITCHYARD_SUPERVISOR: String(process.pid) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
}

function ending(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (code, signal) => resolve(signal ?? `exit ${code}`));
  });
}
