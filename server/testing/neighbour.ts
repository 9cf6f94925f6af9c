// An earlier version, unpacked from the history, to run next to this one: during a deployment both work on one database.
// Moved by hand to the released version (docs/testing.md).
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const LAST_LANDED = "e0974f84be13361c3f61bfdf74a8af8207cbddda";

const root = path.resolve(import.meta.dirname, "../..");

/** Why it cannot be unpacked here; null = it can. */
export function whyNoNeighbour(): string | null {
  try {
    git("cat-file", "-e", `${LAST_LANDED}^{commit}`);
  } catch {
    return `commit ${LAST_LANDED} is not in the history of this checkout: clone it whole`;
  }
  const theirs = packagesOf(git("show", `${LAST_LANDED}:package-lock.json`).toString());
  const ours = packagesOf(fs.readFileSync(path.join(root, "package-lock.json"), "utf8"));
  const other = Object.keys(theirs).filter((place) => theirs[place] !== ours[place]);
  return other.length === 0
    ? null
    : `${LAST_LANDED} runs on other packages than are installed here (${other.slice(0, 5).join(", ")}): name the newest release in server/testing/neighbour.ts`;
}

/** Into an empty folder, with the packages of this checkout and a database client of its own. */
export function unpackNeighbour(dir: string): void {
  execFileSync("tar", ["-x", "-C", dir], { input: git("archive", LAST_LANDED) });
  fs.symlinkSync(path.join(root, "node_modules"), path.join(dir, "node_modules"));
  const prisma = path.join(root, "node_modules/prisma/build/index.js");
  execFileSync(process.execPath, [prisma, "generate", "--no-hints"], { cwd: dir, stdio: "pipe" });
}

const git = (...args: string[]): Buffer =>
  execFileSync("git", args, { cwd: root, stdio: "pipe", maxBuffer: 268_435_456 });

/** What runs in production, and its version. */
function packagesOf(lock: string): Record<string, string | undefined> {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { version?: string; dev?: boolean }> };
  const run = Object.entries(packages).filter(([place, entry]) => place !== "" && entry.dev !== true);
  return Object.fromEntries(run.map(([place, { version }]) => [place, version]));
}
