// Temporary folders of bundles that a process left behind because it was killed. A folder bears the id of its process; the first
// bundle of the next process clears those whose process is gone.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { log } from "@/server/log";

export const folderPrefix = (pid: number): string => `switchyard-bundle-${pid}-`;

const NAME = /^switchyard-bundle-(\d+)-/;
/** A process in another container that shares the folder looks gone from here; so one that was touched lately stays. */
const QUIET_MS = 3_600_000;

let cleared: Promise<void> | undefined;

/** Once a process. What cannot be cleared is left, and the bundle goes on. */
export const clearLeft = (): Promise<void> =>
  (cleared ??= clearLeftIn(os.tmpdir(), { now: Date.now(), began: Date.now() - process.uptime() * 1000 }).catch(
    (error: unknown) => log().warn({ err: error }, "temporary folders of bundles could not be cleared"),
  ));

export async function clearLeftIn(folder: string, at: { now: number; began: number }): Promise<void> {
  for (const entry of await fs.readdir(folder)) {
    const pid = NAME.exec(entry)?.[1];
    if (pid === undefined) continue;
    const left = path.join(folder, entry);
    const touched = await touchedAt(left);
    if (touched !== null && isLeft(Number(pid), touched, at)) await fs.rm(left, { recursive: true, force: true });
  }
}

/** In a container each process may have the same id: what was there before this one began is of another. */
function isLeft(pid: number, touched: number, { now, began }: { now: number; began: number }): boolean {
  if (pid === process.pid) return touched < began;
  return !isAlive(pid) && now - touched > QUIET_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Of the folder or the part that was written last; null = gone meanwhile, or somebody else's. */
async function touchedAt(left: string): Promise<number | null> {
  try {
    const names = await fs.readdir(left);
    const times = await Promise.all([left, ...names.map((name) => path.join(left, name))].map((file) => fs.stat(file)));
    return Math.max(...times.map(({ mtimeMs }) => mtimeMs));
  } catch {
    return null;
  }
}
