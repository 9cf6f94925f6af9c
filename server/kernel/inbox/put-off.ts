// A message that cannot be applied yet is delivered again, later each time, up to a limit.
import type { Unit } from "../unit";

export type PutOffInput = { project_id: string; inbox_id: string; reason: string; delay_ms?: number };

/** `exhausted` = it has been deferred as often as allowed, and is not changed. */
export type PutOff = { status: "deferred"; retry_count: number; next_retry_at: string } | { status: "exhausted" };

const DEFER = `
  UPDATE state.inbox_messages SET status = 'deferred', retry_count = retry_count + 1, defer_reason = $3,
    next_retry_at = now() + coalesce($4::float8, $5::float8 * 2 ^ retry_count) * interval '1 ms',
    claimed_by = NULL, processed_at = NULL
  WHERE project_id = $1 AND inbox_id = $2 AND status = 'processing' AND retry_count < $6
  RETURNING retry_count, next_retry_at`;

/** The row is claimed, and locked by this unit. */
export async function putOff(unit: Unit, input: PutOffInput): Promise<PutOff> {
  const { deferMs, deferralsMax } = unit.kernel.tunables;
  const [row] = await unit.query<{ retry_count: number; next_retry_at: string }>("inbox_put_off", DEFER, [
    input.project_id,
    input.inbox_id,
    input.reason,
    input.delay_ms ?? null,
    deferMs,
    deferralsMax,
  ]);
  return row ? { status: "deferred", ...row } : { status: "exhausted" };
}
