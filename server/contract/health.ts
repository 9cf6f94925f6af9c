// Health: what runs, and what keeps turns waiting.
export type Worker = {
  worker_id: string;
  /** The project it takes turns of; "*" = of all of them. */
  project_id: string;
  targets: string[];
  version: string;
  started_at: string;
  seen_at: string;
};

/** Waiting: for a standby that confirms, a disk, or a server that may be written to; `reason` where one is known. */
export type Writes = { status: "ok" | "waiting"; reason?: string };

/** A row that breaks a rule of the watchdog: a call that cannot time out, a batch that cannot be settled ... */
export type WatchdogFailure = {
  project_id: string;
  project_title: string;
  rule: string;
  /** Which row: the id of a call, a turn, a batch, an agent, a request, an inbox row or a card, by the rule. */
  row_key: string;
  /** The turn that it keeps waiting, where the row is one of a turn's. */
  agent_turn_id?: string;
  attempts: number;
  /** A code of failures.ts, or an SQLSTATE. */
  error_code: string;
  last_error: string;
  first_seen_at: string;
  last_seen_at: string;
  next_try_at: string;
};

/**
 * Standbys of the database. `unknown`: there are some, and the product's role lacks `pg_monitor`, so that it sees neither
 * how they confirm nor how far they are. `may_lose`: work that was acknowledged may be gone if the server is lost.
 */
export type Replication = {
  mode: "none" | "async" | "sync" | "unknown";
  standbys?: number;
  /** Of the standby that is farthest behind; absent without one. */
  lag_bytes?: number;
  may_lose?: boolean;
};

/** Which server this is, and since when: it changes when a standby takes over and when a backup is restored. */
export type Generation = {
  generation: number;
  reason: "new" | "promoted" | "restored" | "moved";
  began_at: string;
};

/** Rows of a target and a project that are due and nobody has taken yet. */
export type Waiting = {
  worker_target: string;
  project_id: string;
  project_title: string;
  /** Their profile names no model: only a worker of the project's own takes them. */
  needs_own_worker: boolean;
  rows: number;
  oldest_at: string;
  is_served: boolean;
};

/** A kind of turns: its target, and whether its profile names no model, so that only a worker of the project's own takes it. */
export type AskedOfWorkers = { worker_target: string; needs_own_worker: boolean };
/** Of one turn: whether a worker that is there takes it. */
export type TurnTaker = { needs_own_worker: boolean; is_served: boolean };

export type Health = {
  status: "ok" | "degraded" | "down";
  version: string;
  /** `full`: a write of this process met a full disk within the last minute. */
  database: { status: "ok" | "full" | "down"; version?: string; error?: string };
  /** Deaf: connected, and it does not hear its own word; a pooler that eats LISTEN, or a line that went dead. */
  doorbell: { kind: string; status: "ok" | "down" | "deaf" };
  /** Whether the bus keeps events and commands for listeners that are away; absent where there is no bus. */
  events?: "ok" | "unavailable";
  /** Whether a commit of a row is confirmed within two seconds; absent where nobody tries. */
  writes?: Writes;
  /** Absent while the database is away. */
  replication?: Replication;
  generation?: Generation;
  /** Seen within the last 30 s. */
  workers: Worker[];
  /** Worker targets with due turns and nobody to take them. */
  starved_targets: string[];
  /** What waits, by target and project: first what nobody takes, then the oldest. At most 50; `groups` counts all. */
  waiting: { groups: number; rows: number; first: Waiting[] };
  /** Rows that the watchdog leaves aside, and the newest of them. Each is tried again; none keeps another one waiting. */
  watchdog: { failing: number; newest: WatchdogFailure[] };
  /** Seconds the live view lags behind because of an open write transaction; absent under 2 s. */
  live_lag_s?: number;
};
