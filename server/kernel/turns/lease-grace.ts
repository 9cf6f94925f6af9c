// While the database is away no worker can send a heartbeat, so the first minute after that belongs to the workers. They were
// all taken for dead at once, and every turn of a healthy installation started again when the database had least to spare.
import type { Kernel } from "../kernel";
import type { Unit } from "../unit";

/** Of the row `n` of state.installation: no lease ends now. `ms`: how long a lease is. */
export const graceSql = (ms: string): string =>
  `(n.reason <> 'new' AND n.began_at > now() - ${ms} * interval '1 ms' OR coalesce(n.back_at > now() - ${ms} * interval '1 ms', false))`;

// That nobody watched for so long is known from the row itself: whoever watches now may have been started since. A grace is
// not followed by the next one at once, or an installation whose ticks are slow would never take anything over.
const WATCH = `
  UPDATE state.installation n SET watched_at = now(),
    back_at = CASE WHEN n.watched_at < now() - $1 * interval '1 ms' AND (n.back_at IS NULL OR n.back_at < now() - 2 * $2 * interval '1 ms')
      THEN now() ELSE n.back_at END
  RETURNING ${graceSql("$2")} AS is_grace`;

/** Watchdog ticks that may be missed. */
const TICKS_MAX = 3;

/** True in the first `leaseMs` of a new generation, and after a time in which nobody could watch: no lease ends then. */
export async function isLeaseGrace(kernel: Kernel): Promise<boolean> {
  const { rows } = await kernel.db.pool.query<{ is_grace: boolean }>({
    name: "reclaim_grace",
    text: WATCH,
    values: times(kernel),
  });
  return rows[0]?.is_grace ?? false;
}

/** The same for whoever finds a lease that has ended before a watchdog is back to look. */
export async function isLeaseGraceIn(unit: Unit): Promise<boolean> {
  const [row] = await unit.query<{ is_grace: boolean }>("reclaim_grace", WATCH, times(unit.kernel));
  return row?.is_grace ?? false;
}

function times(kernel: Kernel): number[] {
  const { leaseMs, beatMs, watchdogMs } = kernel.tunables;
  // An outage that is shorter takes two beats from a lease at most, and ends none.
  return [Math.max(TICKS_MAX * watchdogMs, leaseMs - 2 * beatMs), leaseMs];
}
