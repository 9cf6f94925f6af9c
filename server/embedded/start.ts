// Finds a running embedded server or starts it. Any number of processes may call this at once.
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries } from "./binaries";
import { type Cluster, clusterAt, ensureCluster, refuseOtherMajor, superuser } from "./cluster";
import { makeDataDir } from "./data-dir";
import { launch, type Settings } from "./launch";
import { readPostmaster, readText } from "./postmaster";
import { probe } from "./probe";
import { ensureProductRole, productUrl } from "./product-role";
import { giveTo, runAs } from "./run-as";
import { withStartLock } from "./start-lock";

/** `url` = the product's own role; `admin_url` = the superuser, for backups and tests. */
export type EmbeddedPostgres = {
  url: string;
  admin_url: string;
  pid: number;
  port: number;
  data_dir: string;
  home: string;
};

export type StartEmbeddedOptions = {
  dataDir: string;
  /** Only this port, or fail. */
  port?: number;
  settings?: Settings;
  /** Tests set false to behave like machines without user namespaces. */
  mayUseNamespace?: boolean;
  /** A new cluster was requested by name, whatever else exists. */
  isNew?: boolean;
  onProgress?: (line: string) => void;
};

const database = "switchyard";
const preferredPort = 4632;
const deadlineMs = 120_000;

export async function startEmbedded(options: StartEmbeddedOptions): Promise<EmbeddedPostgres> {
  const binaries = findBinaries();
  const cluster = clusterAt(options.dataDir, binaries.major);
  makeDataDir(path.dirname(cluster.home));
  refuseOtherMajor(cluster, binaries.major, options.isNew);
  for (const end = Date.now() + deadlineMs; Date.now() < end; ) {
    const running = await findRunning(cluster);
    if (running) return { ...running, data_dir: path.resolve(options.dataDir), home: cluster.home };
    if (readPostmaster(cluster.data)?.status === "busy") {
      await sleep(50);
      continue;
    }
    const didStart = await withStartLock(cluster.lock, async () => {
      // Another process may have started it between our check and our lock.
      if (await findRunning(cluster)) return;
      const as = runAs(cluster.home, options.mayUseNamespace);
      const isNew = !fs.existsSync(cluster.home);
      options.onProgress?.(
        isNew ? `Creating a Postgres database in ${cluster.home}` : `Starting Postgres in ${cluster.home}`,
      );
      giveTo(cluster.home, as);
      await ensureCluster(cluster, binaries, as);
      await launch(cluster, binaries, as, { port: options.port, preferredPort, settings: options.settings ?? {} });
    });
    if (!didStart) await sleep(50);
  }
  throw new Error(
    `Postgres in ${cluster.home} did not become ready in ${deadlineMs / 1000} s. See ${cluster.log}; if no process starts it, remove ${cluster.lock}.`,
  );
}

async function findRunning(
  cluster: Cluster,
  triesLeft = 5,
): Promise<Omit<EmbeddedPostgres, "data_dir" | "home"> | null> {
  const server = readPostmaster(cluster.data);
  if (server?.status !== "ready") return null;
  const admin_url = `postgresql://${superuser}:${readText(cluster.password).trim()}@127.0.0.1:${server.port}/${database}`;
  // Only a log-in proves that the port is ours: after a power cut both numbers may belong to other programs.
  if (!(await probe(admin_url))) return null;
  const url = productUrl(admin_url);
  // It answered a moment ago, so it is asked again, and not started again.
  if (!(await ensureProductRole(admin_url))) return triesLeft > 0 ? findRunning(cluster, triesLeft - 1) : null;
  return { url, admin_url, pid: server.pid, port: server.port };
}
