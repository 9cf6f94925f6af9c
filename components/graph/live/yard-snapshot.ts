// What the yard asks the server for.
import { ALL_RUNS } from "../plan/yard-turns";

/** Turns of all runs are many; the newest so many are drawn, and the filter bar says so. */
const ALL_RUNS_LIMIT = 1_000;
/** More than this the server does not send. */
export const LIMIT_MAX = 10_000;

export function yardSnapshot(projectId: string, run: string | null, limit: number | null) {
  return {
    project_id: projectId,
    root_turn_id: run ?? undefined,
    limit: limit ?? (run === ALL_RUNS ? ALL_RUNS_LIMIT : undefined),
  };
}
