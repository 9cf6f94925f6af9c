// `backup DIR --every 6h --keep 14`: a dated folder each time. cron was the advice before; it neither said what failed nor
// kept the last good backup when the newer ones failed.
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readManifest } from "./manifest";

export type RepeatInput = {
  dir: string;
  everyMs: number;
  /** How many good ones stay. */
  keep: number;
  /** Writes one into a new folder, and leaves nothing behind if it fails or is stopped. */
  save: (folder: string, signal: AbortSignal) => Promise<string>;
  say: (line: string) => void;
  complain: (line: string) => void;
  signal: AbortSignal;
};

const ours = /^yard-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

/** Until it is stopped. A restart makes none early: the next is due one period after the newest. */
export async function repeatBackups(input: RepeatInput): Promise<void> {
  const { dir, everyMs, complain, signal } = input;
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  removeHalves(dir);
  let due = Math.min(timeOf(goodOnes(dir).at(-1)) + everyMs, Date.now() + everyMs);
  while (await waitUntil(due, signal)) {
    const began = Date.now();
    due = began + everyMs;
    try {
      await backUpOnce(input, began);
    } catch (error) {
      if (signal.aborted) return;
      complain(
        `The backup failed: ${(error as Error).message}. The next backup runs at ${new Date(due).toISOString()}.`,
      );
    }
  }
}

async function backUpOnce({ dir, keep, save, say, signal }: RepeatInput, began: number): Promise<void> {
  say(await save(path.join(dir, nameAt(began)), signal));
  for (const name of goodOnes(dir).slice(0, -keep)) {
    // Renamed first: what is left if the process ends in the middle is not taken for a backup.
    const half = path.join(dir, `${name}.part`);
    fs.renameSync(path.join(dir, name), half);
    fs.rmSync(half, { recursive: true });
    say(`${path.join(dir, name)}: removed. The newest ${keep} are kept.`);
  }
}

const nameAt = (time: number): string => `yard-${new Date(time).toISOString().slice(0, 19).replaceAll(":", "-")}Z`;

const timeOf = (name: string | undefined): number =>
  name === undefined ? 0 : Date.parse(name.replace(ours, "$1T$2:$3:$4Z"));

/** Complete ones with our own names, oldest first. Other files in the folder are not ours. */
function goodOnes(dir: string): string[] {
  return fs
    .readdirSync(dir)
    .filter((name) => ours.test(name) && isWhole(path.join(dir, name)))
    .toSorted();
}

function isWhole(folder: string): boolean {
  try {
    return readManifest(folder).made_at !== "";
  } catch {
    // Unreadable as a backup: it does not count and is not removed.
    return false;
  }
}

// Left by a killed process. Two schedules in one folder would remove each other's.
function removeHalves(dir: string): void {
  for (const name of fs.readdirSync(dir))
    if (name.endsWith(".part") && ours.test(name.slice(0, -".part".length)))
      fs.rmSync(path.join(dir, name), { recursive: true });
}

// A timer takes at most 24 days and a clock may be put right meanwhile, so the time is asked for each minute.
async function waitUntil(due: number, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted && Date.now() < due)
    await sleep(Math.min(due - Date.now(), 60_000), undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}
