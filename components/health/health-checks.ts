// What the health page says of the database and of the ways by which news travels, in words: what is, and what would help.
// Pure.
import { formatBytes, formatCount } from "@/components/ui/format";
import type { Generation, Health, Replication, Worker, Writes } from "@/server/contract/health";

/** `good`: as it should be. `quiet`: not known or not used, and nobody has to do anything. */
export type Check = {
  name: string;
  tone: "good" | "warn" | "bad" | "quiet";
  said: string;
  /** What helps, or what it means for work. */
  remedy?: string;
};

export function checksOf(health: Health): Check[] {
  const events = eventsCheck(health);
  return [
    databaseCheck(health),
    ...(health.database.status === "down" ? [] : [writesCheck(health.writes)]),
    liveCheck(health),
    ...(events === null ? [] : [events]),
    ...(health.replication === undefined ? [] : [replicationCheck(health.replication)]),
  ];
}

/** The whole in one line. */
export function verdictOf(health: Health): Pick<Check, "tone" | "said"> {
  if (health.status === "down") return { tone: "bad", said: "The database does not answer." };
  const troubles = checksOf(health).filter(({ tone }) => tone === "warn" || tone === "bad").length;
  const starved = health.starved_targets.length;
  const parts = [
    ...(troubles > 0 ? [troubles === 1 ? "one check below needs a look" : `${troubles} checks below need a look`] : []),
    ...(starved > 0 ? [`no worker for ${formatCount(starved, "target")}`] : []),
    ...(health.watchdog.failing > 0
      ? [`the watchdog cannot handle ${formatCount(health.watchdog.failing, "row")}`]
      : []),
    ...(health.checks.findings > 0 ? [`${formatCount(health.checks.findings, "row")} do not agree with others`] : []),
    ...(health.watchdog.overdue > 0
      ? [`no worker deletes ${formatCount(health.watchdog.overdue, "removed project")}`]
      : []),
  ];
  const [first] = parts;
  if (first === undefined) return { tone: "good", said: "Everything works." };
  const text = parts.join("; ");
  return { tone: "warn", said: `${text[0]?.toUpperCase()}${text.slice(1)}.` };
}

function databaseCheck({ database }: Health): Check {
  const name = "Database";
  if (database.status === "down")
    return {
      name,
      tone: "bad",
      said: `It does not answer (${database.error ?? "no answer"}).`,
      remedy:
        "Nothing can be launched or saved until it is back. Workers retry and continue by themselves. Check that the server runs and that DATABASE_URL points to it.",
    };
  if (database.status === "full")
    return {
      name,
      tone: "bad",
      said: "Its disk is full: reads work, but nothing can be written.",
      remedy: "Free space on the database's disk or enlarge it. Nothing that was acknowledged is lost.",
    };
  return { name, tone: "good", said: `Postgres ${database.version ?? ""} answers.` };
}

const waitingWords: Record<string, { said: string; remedy: string }> = {
  read_only: {
    said: "The server refuses writes: it is read-only, or a standby.",
    remedy: "Point DATABASE_URL to the primary, or turn off read-only mode.",
  },
  disk_full: {
    said: "The server refuses writes: its disk is full.",
    remedy: "Free space on the database's disk or enlarge it.",
  },
  locked: {
    said: "A transaction holds the tables of turns or of cards, so nothing can be claimed, launched or written.",
    remedy:
      "It may be an index being built, a VACUUM FULL, or a session left open: SELECT pid, query FROM pg_stat_activity shows it, and pg_terminate_backend(pid) ends it.",
  },
  unconfirmed: {
    said: "A write is not confirmed within two seconds.",
    remedy:
      "A synchronous standby may be away, or the disk is slow. Bring the standby back, or take it out of synchronous_standby_names.",
  },
};

function writesCheck(writes: Writes | undefined): Check {
  const name = "Writes";
  if (writes === undefined) return { name, tone: "quiet", said: "Not checked by this process." };
  if (writes.status === "ok") return { name, tone: "good", said: "A test row is written and confirmed every 5 s." };
  const known = waitingWords[writes.reason ?? ""];
  return {
    name,
    tone: "bad",
    said: known?.said ?? `A write failed (${writes.reason ?? "no reason given"}).`,
    remedy: known?.remedy ?? "See the web server's log for the full error.",
  };
}

function liveCheck({ doorbell, live_lag_s }: Health): Check {
  const name = "Live updates";
  if (doorbell.status === "deaf")
    return {
      name,
      tone: "warn",
      said: "The LISTEN connection is open but receives nothing, not even its own test message.",
      remedy:
        "Pages and workers poll every second, so work continues with a delay. A pooler in transaction mode drops LISTEN: use session mode, or set NATS_URL.",
    };
  if (doorbell.status === "down")
    return {
      name,
      tone: "warn",
      said: `The connection for live updates (${bellWords(doorbell.kind)}) is down; it reconnects by itself.`,
      remedy: "Pages and workers poll every second in the meantime.",
    };
  if (live_lag_s !== undefined)
    return {
      name,
      tone: "warn",
      said: `Pages are ${live_lag_s} s behind, because a transaction has been open for as long.`,
      remedy: "Find it in pg_stat_activity: the oldest xact_start with a backend_xid.",
    };
  return { name, tone: "good", said: `Received through ${bellWords(doorbell.kind)}.` };
}

const bellWords = (kind: string): string =>
  kind === "postgres" || kind === "pg" ? "LISTEN of Postgres" : kind === "nats" ? "NATS" : kind;

function eventsCheck({ events }: Health): Check | null {
  const name = "Events on NATS";
  if (events === undefined) return null;
  if (events === "ok") return { name, tone: "good", said: "Stored in their streams for listeners that are away." };
  return {
    name,
    tone: "warn",
    said: "NATS does not store events: its streams do not answer.",
    remedy:
      "Work does not need the streams and continues. Programs that listen for events miss new ones; they can read them from the journal. Check that JetStream has a leader.",
  };
}

function replicationCheck({ mode, standbys = 0, lag_bytes, may_lose }: Replication): Check {
  const name = "Replication";
  if (mode === "unknown")
    return {
      name,
      tone: "quiet",
      said: "Unknown: something receives the database's log, and Switchyard's role may not see what.",
      remedy: "Run GRANT pg_monitor TO the role of DATABASE_URL to see mode and lag.",
    };
  if (mode === "none")
    return {
      name,
      tone: "quiet",
      said: "No standby. If this server is lost, what was written since the last backup is lost.",
      remedy: 'To set up a standby or backups, see "A standby" and "Backup and restore" in docs/deploy.md.',
    };
  const lag = lag_bytes === undefined ? "" : `, ${formatBytes(lag_bytes)} behind at most`;
  if (mode === "sync")
    return {
      name,
      tone: standbys === 0 ? "warn" : "good",
      said:
        standbys === 0
          ? "Synchronous, but no standby is connected: no write is confirmed."
          : `Synchronous: ${formatCount(standbys, "standby", "standbys")}${lag}. Acknowledged work is on a second server.`,
      ...(standbys === 0 && { remedy: "Bring the standby back, or take it out of synchronous_standby_names." }),
    };
  return {
    name,
    tone: "good",
    said: `Asynchronous: ${formatCount(standbys, "standby", "standbys")}${lag}.`,
    ...(may_lose && { remedy: "If a standby takes over, work acknowledged in the last moments may be missing." }),
  };
}

/** "since it was restored from a backup" */
export const reasonWords: Record<Generation["reason"], string> = {
  new: "The database has always been on this server.",
  promoted: "A standby took over as the database.",
  restored: "The database was restored from a backup.",
  moved: "The database was filled from a backup.",
};

export type TargetWorkers = { target: string; workers: Worker[] };

/** By target, those of all targets first: who is looked for is looked for by what it takes. */
export function workersByTarget(workers: readonly Worker[]): TargetWorkers[] {
  const groups = new Map<string, Worker[]>();
  for (const worker of workers)
    for (const target of worker.targets) groups.set(target, [...(groups.get(target) ?? []), worker]);
  return [...groups]
    .map(([target, list]) => ({ target, workers: list }))
    .sort((a, b) => a.target.localeCompare(b.target));
}
