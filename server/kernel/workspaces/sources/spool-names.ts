// The temporary folders of uploads carry their machine and process in their names. Whoever is killed removes nothing, and a
// process that starts removes what such ones have left.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { log } from "@/server/log";

const PREFIX = "switchyard-workspace-";
/** More are left to the next start. */
const REMOVED_MAX = 1_000;

/** With the machine: containers may share a folder, and their process ids mean nothing to each other. */
const ours = () =>
  `${PREFIX}${os
    .hostname()
    .replaceAll(/[^A-Za-z0-9]/g, "_")
    .slice(0, 64)}-`;

export const spoolPrefix = () => path.join(os.tmpdir(), `${ours()}${process.pid}-`);

/**
 * A folder of temporary files that can't be read, or holds one that can't be removed, is logged and keeps no server from starting.
 * Before the first upload: one with our own process id is from a former life, as in a container, where ids are the same after
 * each start. Answers how many were removed.
 */
export async function removeLeftSpools(input: { isAlive: (pid: number) => boolean }): Promise<number> {
  return remove(input).catch((error: unknown) => {
    log().warn({ error: String(error) }, "what a killed process left of uploads could not be removed");
    return 0;
  });
}

async function remove({ isAlive }: { isAlive: (pid: number) => boolean }): Promise<number> {
  const start = ours();
  const left = (await fs.readdir(os.tmpdir())).filter((name) => {
    const pid = name.startsWith(start) ? /^(\d+)-[^-]+$/.exec(name.slice(start.length))?.[1] : undefined;
    return pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)));
  });
  const removed = left.slice(0, REMOVED_MAX);
  for (const name of removed) await fs.rm(path.join(os.tmpdir(), name), { recursive: true, force: true });
  return removed.length;
}
