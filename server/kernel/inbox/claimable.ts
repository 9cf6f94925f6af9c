// Which rows of the inbox a worker may take now, in which order; asked by every kind of claim.
import type { Kernel } from "../kernel";
import { keptSql } from "./who-serves";

export type ClaimInput = { worker_targets: string[]; worker_id: string; limit: number; project_id?: string };

// A worker serves every project unless one is named; within a claim each row keeps its own. '*' takes what nobody who is
// there asks for by name, or has asked for and is away: the built-in worker used to take, and fail, what a worker of another
// language had come for.
/** Of values $1 targets, $3 limit, $4 project or null, $5 how long a worker counts as there. Locks what it names. */
export const CLAIMABLE = `
    SELECT *, row_number() OVER () AS place FROM (
      SELECT project_id, inbox_id, agent_id, agent_turn_id, turn_epoch, message_type FROM state.agent_inbox
      WHERE status IN ('pending', 'deferred') AND next_retry_at <= now()
        AND (worker_target = ANY ($1::text[]) OR ('*' = ANY ($1::text[])
          AND NOT ${keptSql("agent_inbox.worker_target", "agent_inbox.project_id", "$5")}))
        AND ($4::text IS NULL OR project_id = $4)
      ORDER BY next_retry_at, created_at, inbox_id
      LIMIT $3 FOR UPDATE SKIP LOCKED
    ) AS found`;

/** For $1 to $5; $2 is the worker's id. */
export function claimValues(kernel: Kernel, input: ClaimInput): unknown[] {
  const limit = Math.max(1, Math.min(input.limit, kernel.tunables.claimLimit));
  return [input.worker_targets, input.worker_id, limit, input.project_id ?? null, kernel.tunables.workerSeenMsMax];
}

/** RETURNING has no order. */
export function inDueOrder<T extends { place: number }>(rows: T[]): Omit<T, "place">[] {
  return rows.toSorted((a, b) => a.place - b.place).map(({ place: _place, ...row }) => row);
}
