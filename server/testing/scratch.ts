// Folders that live as long as one run. A killed run cleans nothing up, so the next one does it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { isAlive } from "@/server/embedded/postmaster";
import { stopEmbedded } from "@/server/embedded/stop";

const prefix = "switchyard-scratch-";

export function makeScratch(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), `${prefix}${process.pid}-`));
  // An embedded server may run as another user, who has to reach its folder.
  fs.chmodSync(dir, 0o755);
  return dir;
}

/** Stops the embedded server in it, if there is one. */
export async function removeScratch(dir: string): Promise<void> {
  await stopEmbedded(dir);
  fs.rmSync(dir, { recursive: true, force: true });
}

export async function removeAbandonedScratch(): Promise<void> {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await removeScratch(path.join(os.tmpdir(), name));
  }
}
