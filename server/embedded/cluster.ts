// The folder of one embedded server. The major version is part of its name: another major cannot read the files.
import { spawn } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { Binaries } from "./binaries";
import { readText } from "./postmaster";
import type { RunAs } from "./run-as";

export const superuser = "switchyard";

export type Cluster = { home: string; data: string; password: string; port: string; log: string; lock: string };

export function clusterAt(dataDir: string, major: number): Cluster {
  return clusterOf(path.join(path.resolve(dataDir), `pg${major}`));
}

export function clusterOf(home: string): Cluster {
  return {
    home,
    data: path.join(home, "data"),
    password: path.join(home, "password"),
    port: path.join(home, "port"),
    log: path.join(home, "postgres.log"),
    lock: `${home}.lock`,
  };
}

/**
 * Refuses data of another major version: these binaries cannot read it, and a new cluster next to it would show an empty
 * yard. `isNew` = a new one was requested by name.
 */
export function refuseOtherMajor(cluster: Cluster, major: number, isNew = false): void {
  const own = versionIn(cluster.home);
  const other =
    own !== null && own !== major
      ? { home: cluster.home, version: own }
      : own === null && !isNew
        ? othersBeside(cluster.home).at(-1)
        : undefined;
  if (!other) return;
  throw new Error(
    `${other.home} contains a database of Postgres ${other.version}, which the embedded Postgres ${major} cannot read. Nothing was changed. Start the version of Switchyard that created it and back it up (npm run db -- backup DIR --tables), then restore it here (npm run db -- restore DIR). For a new, empty yard set SWITCHYARD_DATA_DIR to another folder.`,
  );
}

function othersBeside(home: string): { home: string; version: number }[] {
  const folder = path.dirname(home);
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .filter((name) => /^pg\d+$/.test(name))
    .map((name) => ({ home: path.join(folder, name), version: versionIn(path.join(folder, name)) }))
    .flatMap(({ home: at, version }) => (version === null ? [] : [{ home: at, version }]))
    .sort((a, b) => a.version - b.version);
}

function versionIn(home: string): number | null {
  return Number.parseInt(readText(path.join(home, "data", "PG_VERSION")), 10) || null;
}

/**
 * Creates the folder with initdb if it does not exist. Built under another name and renamed, so that a killed initdb leaves
 * no half cluster.
 */
export async function ensureCluster(cluster: Cluster, binaries: Binaries, as: RunAs): Promise<void> {
  if (fs.existsSync(path.join(cluster.data, "PG_VERSION"))) return;
  if (fs.existsSync(cluster.home)) {
    throw new Error(
      `${cluster.home} is not a Postgres data folder. Move it away, or set SWITCHYARD_DATA_DIR to another folder.`,
    );
  }
  const built = `${cluster.home}.new`;
  fs.rmSync(built, { recursive: true, force: true });
  fs.mkdirSync(built, { recursive: true, mode: 0o700 });
  const secret = path.join(built, "password");
  fs.writeFileSync(secret, crypto.randomBytes(18).toString("hex"), { mode: 0o600 });
  if (as.uid !== undefined && as.gid !== undefined) {
    fs.chownSync(built, as.uid, as.gid);
    fs.chownSync(secret, as.uid, as.gid);
  }
  const args = [
    "-D",
    path.join(built, "data"),
    "-U",
    superuser,
    "-A",
    "scram-sha-256",
    "--pwfile",
    secret,
    "-E",
    "UTF8",
  ];
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", "--no-instructions"];
  await run([...as.prefix, path.join(binaries.bin, "initdb"), ...args, ...locale], as);
  fs.renameSync(built, cluster.home);
}

/** Nothing from the caller's environment: PGDATA, PGPORT or a locale in it would change what the server does. */
export const serverEnv = {
  LC_ALL: "C",
  TZ: "UTC",
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
} as NodeJS.Dict<string> as NodeJS.ProcessEnv;

function run([command = "", ...args]: string[], as: RunAs): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      uid: as.uid,
      gid: as.gid,
      env: serverEnv,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let complaint = "";
    child.stderr.on("data", (chunk) => {
      complaint += chunk;
    });
    child.on("error", (error) => reject(new Error(`${command} could not be run: ${error.message}`)));
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`initdb failed${as.uid === undefined ? "" : ` as user ${as.uid}`}:\n${complaint.trim()}`));
    });
  });
}
