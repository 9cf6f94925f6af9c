// A process of the product that may be killed, and that is started again when it ends by itself, as a supervisor does.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { root } from "@/scripts/source-stamp";

export type Program = {
  name: string;
  start: () => void;
  /** SIGKILL, or another signal; resolves when it is gone. It stays down until it is started. */
  end: (signal: NodeJS.Signals) => Promise<void>;
  /** False if it is not running. */
  signal: (signal: NodeJS.Signals) => boolean;
};

export type ProgramInput = {
  dir: string;
  name: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  /** It ended although nobody had asked it to. */
  onDeath: (lastWords: string) => void;
};

const pauseMs = 500;
const graceMs = 15_000;

export function programOf({ dir, name, args, env, onDeath }: ProgramInput): Program {
  const log = path.join(dir, `${name}.log`);
  let child: ChildProcess | null = null;

  function start(): void {
    if (child) return;
    const before = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    const output = fs.openSync(log, "a");
    const started = spawn(process.execPath, ["--import", "./scripts/leave-with-parent.mjs", ...args], {
      cwd: root,
      env,
      stdio: ["ignore", output, output, "ipc"],
      // Ctrl-C is for the run, which stops the others in order.
      detached: true,
    });
    fs.closeSync(output);
    child = started;
    started.once("exit", () => {
      if (child !== started) return;
      child = null;
      onDeath(`${name}: ${fs.readFileSync(log).subarray(before).toString().slice(-2_000)}`);
      setTimeout(start, pauseMs).unref();
    });
  }

  return {
    name,
    start,
    signal: (signal) => child?.kill(signal) ?? false,
    end: async (signal) => {
      const ending = child;
      if (!ending) return;
      // No longer ours: its end does not count as a death.
      child = null;
      const ended = new Promise((done) => ending.once("exit", done));
      ending.kill(signal);
      const kill = setTimeout(() => ending.kill("SIGKILL"), graceMs);
      await ended;
      clearTimeout(kill);
    },
  };
}
