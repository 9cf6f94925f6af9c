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

export type Health = {
  status: "ok" | "degraded" | "down";
  version: string;
  database: { status: "ok" | "down"; version?: string; error?: string };
  doorbell: { kind: string; status: "ok" | "down" };
  /** Seen within the last 30 s. */
  workers: Worker[];
  /** Worker targets with due turns and nobody to take them. */
  starved_targets: string[];
  /** Seconds the live view lags behind because of an open write transaction; absent under 2 s. */
  live_lag_s?: number;
};
