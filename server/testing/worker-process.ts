// A worker as `npm run worker` keeps it, without npm and without anybody over it, for tests that kill one.
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import path from "node:path";

/** `settings` go on top of the test's own environment. Whoever starts it stops it. */
export function spawnWorker(
  settings: Record<string, string>,
  stdio: StdioOptions = ["ignore", "inherit", "inherit"],
): ChildProcess {
  return spawn(process.execPath, ["--import", "tsx", "server/worker/main.ts"], {
    cwd: path.resolve(import.meta.dirname, "../.."),
    env: { ...process.env, ...settings },
    stdio,
  });
}
