// What is known about a server from outside: its pid file, and whether that process lives and is really Postgres.
import fs from "node:fs";
import path from "node:path";

export type Postmaster = { pid: number; port: number; status: "absent" | "busy" | "ready" };

/**
 * Lines of postmaster.pid: 1 pid, 4 port, 8 status. "busy" lives, and is on its way up (a recovery may take minutes) or
 * down; "absent" is a file left by a killed server. Null when there is no file: never started, or stopped cleanly.
 */
export function readPostmaster(data: string): Postmaster | null {
  const lines = readText(path.join(data, "postmaster.pid")).split("\n");
  const pid = Number(lines[0]);
  if (!(pid > 0)) return null;
  const isReady = /^ready/.test(lines[7] ?? "");
  return { pid, port: Number(lines[3]), status: isServer(pid, data) ? (isReady ? "ready" : "busy") : "absent" };
}

/** In `pg_control` the fifth word of four bytes is the state, in all versions; 1 = shut down after a checkpoint. */
export function isCleanlyShut(data: string): boolean {
  return fs.readFileSync(path.join(data, "global/pg_control")).readInt32LE(16) === 1;
}

/** A killed process whose parent has not reaped it still answers signal 0. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !/^State:\s+Z/m.test(readText(`/proc/${pid}/status`));
}

export function readText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ESRCH") return "";
    throw error;
  }
}

// A killed container starts again with the same small pids, so the old server's pid may belong to another process.
function isServer(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false;
  const command = readText(`/proc/${pid}/cmdline`);
  return command === "" || command.split("\0").includes(data);
}
