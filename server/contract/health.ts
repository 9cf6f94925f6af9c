// Health: what runs, and what keeps turns waiting.
export type Worker = {
  worker_id: string;
  /** The project whose turns it takes; "*" = all projects. */
  project_id: string;
  targets: string[];
  version: string;
  started_at: string;
  seen_at: string;
};

/** Waiting: for a standby's confirmation, a disk, or a writable server. `reason` is set if known. */
export type Writes = { status: "ok" | "waiting"; reason?: string };

/** A row that the watchdog cannot handle: a call that cannot time out, a batch that cannot be settled ... */
export type WatchdogFailure = {
  project_id: string;
  project_title: string;
  rule: string;
  /** Id of the row. The rule decides what it is: a call, turn, batch, agent, request, inbox row or card. */
  row_key: string;
  /** The turn that waits for it, if the row belongs to a turn. */
  agent_turn_id?: string;
  attempts: number;
  /** A code of failures.ts, or an SQLSTATE. */
  error_code: string;
  last_error: string;
  first_seen_at: string;
  last_seen_at: string;
  next_try_at: string;
};

/** Rows that do not agree with each other, found by the daily check of all rows. */
export type RowFinding = {
  project_id: string;
  project_title: string;
  /** What must hold: a name of kernel/audit/rules.ts. */
  rule: string;
  /** Id of the row: a turn, agent, box, batch or run, by the rule. */
  row_key: string;
  /** What is wrong with it. */
  what: string;
  found_at: string;
};

/**
 * Standbys of the database. `unknown`: there are some, but without `pg_monitor` the product's role cannot see how they
 * confirm or how far they are. `may_lose`: acknowledged work may be lost with the server.
 */
export type Replication = {
  mode: "none" | "async" | "sync" | "unknown";
  standbys?: number;
  /** Lag of the standby that is farthest behind. Absent without a standby. */
  lag_bytes?: number;
  may_lose?: boolean;
};

/** Which database server this is, and since when. Changes on fail-over and restore. */
export type Generation = {
  generation: number;
  reason: "new" | "promoted" | "restored" | "moved";
  began_at: string;
};

/** Due rows of a target and project that no worker has taken yet. */
export type Waiting = {
  worker_target: string;
  project_id: string;
  project_title: string;
  /** Their profile names no model. Only a worker of the project's own takes them. */
  needs_own_worker: boolean;
  rows: number;
  oldest_at: string;
  is_served: boolean;
};

/** A kind of turns: its target, and whether the profile names no model, so that only the project's own workers take it. */
export type AskedOfWorkers = { worker_target: string; needs_own_worker: boolean };
/** Whether a connected worker takes this turn. */
export type TurnTaker = { needs_own_worker: boolean; is_served: boolean };

export type Health = {
  status: "ok" | "degraded" | "down";
  version: string;
  /** `full`: a write of this process failed on a full disk within the last minute. */
  database: { status: "ok" | "full" | "down"; version?: string; error?: string };
  /** `deaf`: connected, but its own notifications don't arrive: a pooler drops LISTEN, or the connection is dead. */
  doorbell: { kind: string; status: "ok" | "down" | "deaf" };
  /** Whether the bus keeps events and commands for listeners that are away; absent without NATS. */
  events?: "ok" | "unavailable";
  /** Whether a commit is confirmed within 2 s. Absent if this process does not test it. */
  writes?: Writes;
  /** Absent while the database is unavailable. */
  replication?: Replication;
  generation?: Generation;
  /** Seen within the last 30 s. */
  workers: Worker[];
  /** Worker targets with due turns and no worker to take them. */
  starved_targets: string[];
  /** What waits, by target and project: first what no worker takes, then the oldest. At most 50; `groups` counts all. */
  waiting: { groups: number; rows: number; first: Waiting[] };
  /**
   * Rows that the watchdog could not handle, and the newest of them. Each is tried again and does not block others. `overdue`:
   * removed projects that nobody has begun to delete a minute after their time: no watchdog runs.
   */
  watchdog: { failing: number; newest: WatchdogFailure[]; overdue: number };
  /**
   * The daily check of what must hold between rows: how many do not agree, the newest of them, and how many rows the round has looked at
   * so far. `began_at` absent: no worker has begun one. `ended_at` absent: the round is under way.
   */
  checks: { findings: number; newest: RowFinding[]; rows: number; began_at?: string; ended_at?: string };
  /** Seconds that an open write transaction delays the live view. Absent under 2 s. */
  live_lag_s?: number;
};
