// A deletion that is under way or done: the work that is left, and the record of who deleted what and why.
import type { DeletionCounts } from "@/server/contract/answers/deletions";
import type { Unit } from "../unit";

/**
 * Of a run: boxes are closed, boxes of others are laid what they only named, then its rows go, then its cards. Of a card: its content is gone, and requests follow.
 * Of a person: cards and their requests in turn, then other rows.
 */
export type Phase =
  | "close"
  | "settle"
  | "lay"
  | "rows"
  | "erase"
  | "settle_cards"
  | "drop"
  | "requests"
  | "cards"
  | "done";

export type DeletionKey = { project_id: string; deletion_id: string };

// Counts are added up over the units: a process that dies loses none.
const MOVE = `
  UPDATE state.deletions d SET phase = $3, ended_at = CASE WHEN $3 = 'done' THEN now() END,
    place = coalesce($4::jsonb, d.place),
    settled_xid = CASE WHEN $5::boolean THEN pg_current_xact_id() ELSE d.settled_xid END,
    counts = d.counts || coalesce((SELECT jsonb_object_agg(g.key, coalesce((d.counts ->> g.key)::bigint, 0) + g.value::bigint)
      FROM jsonb_each_text($6::jsonb) AS g), '{}')
  WHERE d.project_id = $1 AND d.deletion_id = $2`;

/** Whether every transaction has ended that began before what must be settled, of a row `d`. A settled_xid of the future comes from a
 * backup that was restored into a younger server; nobody who began then is left. */
export const SETTLED = `(d.settled_xid IS NULL OR d.settled_xid <= pg_snapshot_xmin(pg_current_snapshot()) OR d.settled_xid > pg_current_xact_id())`;
/** Between two looks at it. */
export const WAIT_MS = 20;

export type Move = { to: Phase; place?: object; settles?: boolean; counts?: Partial<DeletionCounts> };

/** `settles`: what comes next waits until every transaction that began before this one has ended. */
export function moveDeletion(unit: Unit, key: DeletionKey, { to, place, settles = false, counts = {} }: Move): void {
  unit.send("deletion_move", MOVE, [
    key.project_id,
    key.deletion_id,
    to,
    place ? JSON.stringify(place) : null,
    settles,
    JSON.stringify(counts),
  ]);
}
