// `npm run lock` after adding a package: names in the lock file the packages of other platforms that npm has left out.
// npm writes only those that it could see while it installed, and then `npm ci` refuses the file on every machine. Each gets
// its integrity from the registry; one that this registry does not have is named, and is to be asked for again elsewhere.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

export type LockEntry = {
  version?: string;
  integrity?: string;
  cpu?: string[];
  os?: string[];
  libc?: string[];
  dev?: boolean;
  optional?: boolean;
  license?: string;
  engines?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};
export type LockEntries = Record<string, LockEntry>;

export const lockFile = path.join(import.meta.dirname, "../package-lock.json");

/** Entries for the optional packages that are asked for and not there. */
export function missingEntries(entries: LockEntries): LockEntries {
  const missing: LockEntries = {};
  for (const [place, parent] of Object.entries(entries)) {
    if (place === "") continue;
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (!isFound(entries, place, name)) missing[`node_modules/${name}`] = entryOf(name, version, parent);
    }
  }
  return missing;
}

// As Node looks a package up: beside the asker, then in every folder above it.
function isFound(entries: LockEntries, place: string, name: string): boolean {
  for (let at = place; ; at = at.slice(0, at.lastIndexOf("node_modules/")).replace(/\/$/, "")) {
    if (entries[`${at}${at ? "/" : ""}node_modules/${name}`]) return true;
    if (!at.includes("node_modules/")) return false;
  }
}

const systems = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const processors = ["arm64", "x64", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "arm"];

// The names of such packages say where they run: oxide-linux-arm-gnueabihf, cli-win32-x64.
function entryOf(name: string, version: string, parent: LockEntry): LockEntry {
  const words = name.split("/").at(-1)?.split("-") ?? [];
  const os = systems.filter((system) => words.includes(system));
  const cpu = processors.filter((processor) => words.includes(processor)).slice(0, 1);
  if (cpu.length === 0)
    throw new Error(`${name}: the platform can't be read from its name; write its lock entry by hand`);
  const libc = /^(musl|gnu)/.exec(words.at(-1) ?? "")?.[1];
  return {
    version,
    cpu,
    ...(parent.dev && { dev: true }),
    ...(libc && os[0] === "linux" && { libc: [libc === "gnu" ? "glibc" : "musl"] }),
    ...(parent.license && { license: parent.license }),
    optional: true,
    ...(os.length > 0 && { os }),
    ...(parent.engines && { engines: parent.engines }),
  };
}

/** Places of packages that would be installed unseen. On the platforms of CI and of the image there may be none. */
export const withoutIntegrity = (entries: LockEntries): string[] =>
  Object.keys(entries).filter((place) => place !== "" && entries[place]?.integrity === undefined);

/** Linux with glibc, as CI and the image have it. */
export function isOfOurPlatforms({ os, cpu, libc }: LockEntry): boolean {
  const fits = (list: string[] | undefined, ours: string[]) =>
    list === undefined || ours.some((one) => list.includes(one));
  return fits(os, ["linux"]) && fits(cpu, ["x64", "arm64"]) && fits(libc, ["glibc"]);
}

function askIntegrity(place: string, { version }: LockEntry): string | undefined {
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  try {
    const said = execFileSync("npm", ["view", `${name}@${version}`, "dist.integrity"], { stdio: "pipe" });
    return /^sha512-\S+$/m.exec(said.toString())?.[0];
  } catch {
    return undefined;
  }
}

if (process.argv[1] === import.meta.filename) {
  const lock = JSON.parse(fs.readFileSync(lockFile, "utf8"));
  const missing = missingEntries(lock.packages);
  const entries = Object.entries({ ...lock.packages, ...missing });
  lock.packages = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  for (const place of withoutIntegrity(lock.packages)) {
    const integrity = askIntegrity(place, lock.packages[place]);
    if (integrity === undefined) console.log(`no integrity hash: the registry does not have ${place}`);
    else lock.packages[place].integrity = integrity;
  }
  fs.writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${Object.keys(missing).length} entries added`);
}
