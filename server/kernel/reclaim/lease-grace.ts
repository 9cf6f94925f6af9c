// While the database is away nobody can beat. Its first minute after that belongs to the workers: they were all taken to be
// dead at once, and every turn of a healthy installation began again, on the day when the database had least to spare.
import type { Kernel } from "../kernel";

// That nobody watched for so long is known from the row itself: whoever watches now may have been started since. A grace is
// not followed by the next one at once, or an installation whose ticks are slow would never take anything over.
const WATCH = `
  UPDATE state.installation n SET watched_at = now(),
    back_at = CASE WHEN n.watched_at < now() - $1 * interval '1 ms' AND (n.back_at IS NULL OR n.back_at < now() - 2 * $2 * interval '1 ms')
      THEN now() ELSE n.back_at END
  RETURNING (n.reason <> 'new' AND n.began_at > now() - $2 * interval '1 ms') OR coalesce(n.back_at > now() - $2 * interval '1 ms', false) AS is_grace`;

/** Ticks of the watchdog that may be missed. */
const TICKS_MAX = 3;

/** True in the first `leaseMs` of a new generation, and after a time in which nobody could watch: no lease ends then. */
export async function isLeaseGrace(kernel: Kernel): Promise<boolean> {
  const { leaseMs, beatMs, watchdogMs } = kernel.tunables;
  // An outage that is shorter takes two beats from a lease at most, and ends none.
  const awayMs = Math.max(TICKS_MAX * watchdogMs, leaseMs - 2 * beatMs);
  const { rows } = await kernel.db.pool.query<{ is_grace: boolean }>({
    name: "reclaim_grace",
    text: WATCH,
    values: [awayMs, leaseMs],
  });
  return rows[0]?.is_grace ?? false;
}
