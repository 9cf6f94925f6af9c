// How many workers would take the turns of each target now, for a dry run: one statement, whatever their number.
import { type Reader, read } from "../reader";
import { takesTurnSql } from "./who-serves";

export type Takers = {
  worker_target: string;
  /** Its profile names no model: only the project's own programs take it. */
  needs_own_worker: boolean;
};

const WORKERS = `
  SELECT c.n FROM unnest($2::text[], $3::boolean[]) WITH ORDINALITY AS t(target, is_own, ord)
  CROSS JOIN LATERAL (SELECT count(*)::int AS n FROM state.workers v WHERE ${takesTurnSql("t.is_own", "t.target", "$4::text", "$1::bigint")}) c
  ORDER BY t.ord`;

/** In the order of the targets; `seen_ms` is how long a worker counts as there. */
export async function countTakers(
  reader: Reader,
  { project_id, seen_ms, targets }: { project_id: string; seen_ms: number; targets: readonly Takers[] },
): Promise<number[]> {
  const rows = await read<{ n: number }>(reader, "preview_workers", WORKERS, [
    seen_ms,
    targets.map(({ worker_target }) => worker_target),
    targets.map(({ needs_own_worker }) => needs_own_worker),
    project_id,
  ]);
  return targets.map((_, i) => rows[i]?.n ?? 0);
}
