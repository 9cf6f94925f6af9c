// Workers register themselves, so that "no worker takes turns for X" can be said.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

// The row of a killed worker is useless after a day.
const SEEN = `
  WITH gone AS (
    DELETE FROM state.workers WHERE seen_at < now() - interval '1 day' AND (project_id, worker_id) <> ($4, $1)
  )
  INSERT INTO state.workers (project_id, worker_id, targets, version) VALUES ($4, $1, $2::text[], $3)
  ON CONFLICT (project_id, worker_id) DO UPDATE SET targets = excluded.targets, version = excluded.version, seen_at = now()`;

export type RegisterInput = {
  worker_id: string;
  targets: string[];
  version: string;
  /** Absent = it serves every project. */
  project_id?: string;
};

export async function registerWorker(kernel: Kernel, input: RegisterInput): Promise<void> {
  const { worker_id, targets, version, project_id = "*" } = input;
  await withUnit(kernel, (unit) => unit.query("worker_seen", SEEN, [worker_id, targets, version, project_id]), {
    statementMs: kernel.tunables.quickStatementMs,
  });
}

/** At a clean stop; a killed worker's row ages out. */
export async function removeWorker(kernel: Kernel, worker_id: string): Promise<void> {
  await withUnit(kernel, (unit) =>
    unit.query("worker_gone", "DELETE FROM state.workers WHERE project_id = '*' AND worker_id = $1", [worker_id]),
  );
}
