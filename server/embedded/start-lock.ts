// Web, worker, tests and a second terminal may all want the database at the same moment: one of them starts it.
import fs from "node:fs";
import { isAlive, readText } from "./postmaster";

// A pid may have been given to another process after a power cut, so an old lock is dead whoever holds its number.
const staleMs = 180_000;

/** Runs `work` if nobody else holds the lock; returns whether it ran. Never waits. */
export async function withStartLock(file: string, work: () => Promise<void>): Promise<boolean> {
  if (!take(file)) return false;
  try {
    await work();
  } finally {
    fs.rmSync(file, { force: true });
  }
  return true;
}

// Written under another name and linked, so that nobody reads a lock without its pid.
function take(file: string): boolean {
  const mine = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    // On a full disk the file exists but is empty.
    fs.writeFileSync(mine, String(process.pid));
    removeStale(file);
    fs.linkSync(mine, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

function removeStale(file: string): void {
  const holder = readText(file);
  if (!holder || !isStale(file, holder)) return;
  const aside = `${file}.stale.${process.pid}`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  // Two see the same dead holder, one takes the lock, the other must not rename that live lock away.
  if (readText(aside) !== holder) fs.linkSync(aside, file);
  fs.rmSync(aside, { force: true });
}

function isStale(file: string, holder: string): boolean {
  const age = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return age !== undefined && (!isAlive(Number(holder)) || Date.now() - age > staleMs);
}
