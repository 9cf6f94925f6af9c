// Postgres refuses to run as root, but containers and CI mostly do.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";

/** How to start a Postgres program: a command prefix, and the user to switch to. */
export type RunAs = { prefix: string[]; uid?: number; gid?: number };

/**
 * As root, the best is a user namespace that shows root as nobody: the files stay root's, and it works under /root.
 * Where the container forbids namespaces, a real unprivileged user is used. A cluster that has an owner keeps it.
 */
export function runAs(home: string, mayUseNamespace = true): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const owner = fs.existsSync(home) ? fs.statSync(home) : undefined;
  if (owner && owner.uid !== 0) return { prefix: [], uid: owner.uid, gid: owner.gid };
  if (mayUseNamespace && canUnshare()) return { prefix: namespace };
  for (const name of ["postgres", "nobody"]) {
    const user = findUser(name);
    if (user) return { prefix: [], ...user };
  }
  throw new Error(
    "Postgres does not run as root, and this machine has neither user namespaces nor a user postgres or nobody. Start Switchyard as an ordinary user, or set DATABASE_URL.",
  );
}

/** A cluster made inside a namespace is root's on disk; a machine that now forbids namespaces needs another owner. */
export function giveTo(home: string, as: RunAs): void {
  if (as.uid === undefined || fs.statSync(home, { throwIfNoEntry: false })?.uid !== 0) return;
  execFileSync("chown", ["-R", `${as.uid}:${as.gid}`, home]);
}

const namespace = ["unshare", "--user", "--map-user=65534", "--map-group=65534", "--"];

function canUnshare(): boolean {
  const [command = "", ...args] = namespace;
  return spawnSync(command, [...args, "true"], { stdio: "ignore" }).status === 0;
}

function findUser(name: string): { uid: number; gid: number } | undefined {
  const line = fs
    .readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}
