// What is known about a running server from outside: its pid file, and whether that process lives.
import fs from "node:fs";
import path from "node:path";

export type Postmaster = { pid: number; port: number; isReady: boolean };

/** Lines of postmaster.pid: 1 pid, 4 port, 8 status ("ready   " once it accepts connections). */
export function readPostmaster(data: string): Postmaster | null {
  const lines = readText(path.join(data, "postmaster.pid")).split("\n");
  const pid = Number(lines[0]);
  return pid > 0 ? { pid, port: Number(lines[3]), isReady: /^ready/.test(lines[7] ?? "") } : null;
}

/** A killed process whose parent has not reaped it still answers signal 0. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return !isZombie(pid);
}

export function isZombie(pid: number): boolean {
  return /^State:\s+Z/m.test(readText(`/proc/${pid}/status`));
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
