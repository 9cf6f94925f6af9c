// Workers make themselves known, so that "no worker takes turns for X" can be said.
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";

const SEEN = `
  INSERT INTO state.workers (worker_id, targets, version) VALUES ($1, $2::text[], $3)
  ON CONFLICT (worker_id) DO UPDATE SET targets = excluded.targets, version = excluded.version, seen_at = now()`;

export async function registerWorker(
  kernel: Kernel,
  input: { worker_id: string; targets: string[]; version: string },
): Promise<void> {
  await withUnit(kernel, (unit) => unit.query("worker_seen", SEEN, [input.worker_id, input.targets, input.version]));
}

/** At a clean stop; a killed worker's row ages out. */
export async function removeWorker(kernel: Kernel, worker_id: string): Promise<void> {
  await withUnit(kernel, (unit) =>
    unit.query("worker_gone", "DELETE FROM state.workers WHERE worker_id = $1", [worker_id]),
  );
}
