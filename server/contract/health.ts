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
  rule: string;
  /** Which row: the id of a call, a turn, a batch, an agent, a request, an inbox row or a card, by the rule. */
  row_key: string;
  attempts: number;
  error_code: string;
  last_error: string;
  first_seen_at: string;
  last_seen_at: string;
  next_try_at: string;
};

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
  /** Seen within the last 30 s. */
  workers: Worker[];
  /** Worker targets with due turns and nobody to take them. */
  starved_targets: string[];
  /** Rows that the watchdog leaves aside, and the newest of them. Each is tried again; none keeps another one waiting. */
  watchdog: { failing: number; newest: WatchdogFailure[] };
  /** Seconds the live view lags behind because of an open write transaction; absent under 2 s. */
  live_lag_s?: number;
};
