// Which messages and which turns a worker may take now, and in which order; every kind of claim uses this. In due order over everything,
// seven hundred turns of one project made the single turn of another wait for all of them. So a claim goes round the
// projects, from where it stopped, and takes one from each in turn; inside a project it goes round the runs in the same way.
import type { Kernel } from "../kernel";
import { runPlaces } from "./run-places";
import { isWaitingSql, messageIdSql } from "./turn-message";
import { keptSql } from "./who-serves";

/** Where a claim stopped: the next one begins after it. */
export type ClaimPlace = { worker_target: string; project_id: string };
export type ClaimInput = {
  worker_targets: string[];
  worker_id: string;
  limit: number;
  project_id?: string;
  after?: ClaimPlace;
};

/** Projects that one claim takes from; those with nothing due are skipped. */
const PROJECTS_MAX = 32;
/** Runs of a project that one claim goes round; more only while they have too few rows to fill it. */
const RUNS_MAX = 8;

// Two lanes: messages that wake a turn come before turns that start. They free memory and keep deadlines.
const MESSAGE = "i.status IN ('pending', 'deferred')";
const TURN = isWaitingSql("i");
const MESSAGE_ORDER = "i.next_retry_at, i.created_at, i.inbox_id";
const TURN_ORDER = "i.next_retry_at, i.created_at, i.agent_turn_id";
const of = (spot: string) => `i.worker_target = ${spot}.worker_target AND i.project_id = ${spot}.project_id`;
/** The due rows of a lane, run by run in index order: an EXISTS was planned once as a scan of everything that waits. */
const messages = (what: string, spot: string, own: string, where: string, limit: string) =>
  `(SELECT ${what} FROM state.inbox_messages i WHERE ${MESSAGE} AND ${of(spot)} AND i.needs_own_worker = ${own}
      AND i.next_retry_at <= now() AND ${where} ORDER BY i.run_key, ${MESSAGE_ORDER} LIMIT ${limit})`;
const turns = (what: string, spot: string, own: string, where: string, limit: string) =>
  `(SELECT ${what} FROM state.due i WHERE ${TURN} AND ${of(spot)} AND i.needs_own_worker = ${own}
      AND i.next_retry_at <= now() AND ${where} ORDER BY i.run_key, ${TURN_ORDER} LIMIT ${limit})`;
/** Of the lane that `r` is at. */
const ofLane = (what: string, where: string, limit: string) => `
      ${messages(what, "r", "r.own", `r.lane = 0 AND ${where}`, limit)}
      UNION ALL
      ${turns(what, "r", "r.own", `r.lane = 1 AND ${where}`, limit)}`;
const anyDue = (spot: string, own: string) =>
  `coalesce(${messages("1", spot, own, "true", "1")}, ${turns("1", spot, own, "true", "1")}) IS NOT NULL`;
/** The first pair of target and project in both lanes. */
const firstPair = (isRound: string, where: string) => `
      (SELECT i.worker_target, i.project_id, ${isRound} FROM (
        (SELECT i.worker_target, i.project_id FROM state.inbox_messages i WHERE ${MESSAGE} AND ${where} ORDER BY i.worker_target, i.project_id LIMIT 1)
        UNION ALL
        (SELECT i.worker_target, i.project_id FROM state.due i WHERE ${TURN} AND ${where} ORDER BY i.worker_target, i.project_id LIMIT 1)
      ) i ORDER BY i.worker_target, i.project_id LIMIT 1)`;

// From pair to pair of target and project by the index alone, once around. '*' takes what nobody who is there asks for by
// name, or has asked for and is away: the built-in worker used to take, and fail, what a worker of another language had come
// for. A target that is not asked for is left at its first project.
const AROUND = `
  WITH RECURSIVE walk AS (
    SELECT $6::text AS worker_target, $7::text AS project_id, false AS is_round, true AS is_wanted, false AS is_due, 0 AS found, 0 AS hop
    UNION ALL
    SELECT n.worker_target, n.project_id, n.is_round, w.is_wanted, d.is_due, walk.found + d.is_due::int, walk.hop + 1
    FROM walk
    CROSS JOIN LATERAL (${firstPair("walk.is_round", "walk.is_wanted AND (i.worker_target, i.project_id) > (walk.worker_target, walk.project_id)")}
      UNION ALL ${firstPair("walk.is_round", "NOT walk.is_wanted AND i.worker_target > walk.worker_target")}
      UNION ALL ${firstPair("true", "NOT walk.is_round")}
      LIMIT 1
    ) AS n(worker_target, project_id, is_round)
    CROSS JOIN LATERAL (SELECT n.worker_target = ANY ($1::text[]) AS is_named) a
    CROSS JOIN LATERAL (SELECT a.is_named OR '*' = ANY ($1::text[]) AS is_wanted) w
    CROSS JOIN LATERAL (SELECT w.is_wanted AND ($4::text IS NULL OR n.project_id = $4) AND (${anyDue("n", "false")} OR ($8::boolean AND ${anyDue("n", "true")}))
      AND (a.is_named OR NOT ${keptSql("n.worker_target", "n.project_id", "$5")})
      AND NOT EXISTS (SELECT 1 FROM projects gone WHERE gone.project_id = n.project_id AND gone.removed_at IS NOT NULL) AS is_due OFFSET 0) d
    WHERE walk.found < least($3::int, ${PROJECTS_MAX})
      AND NOT (n.is_round AND (n.worker_target, n.project_id) > ($6::text, $7::text))
  ), spots AS (
    SELECT worker_target, project_id, own, hop * 2 + own::int AS at FROM walk CROSS JOIN (VALUES (false), (true)) AS o(own)
    WHERE is_due AND (NOT own OR $8::boolean)
  )`;

// A worker that names its targets in a project needs no walk: rows that only it may take are a separate line.
const NAMED = `
  WITH RECURSIVE asked AS (
    SELECT t.worker_target, $4::text AS project_id, o.own, t.n * 2 + o.own::int AS at
    FROM unnest($1::text[]) WITH ORDINALITY AS t(worker_target, n) CROSS JOIN (VALUES (false), (true)) AS o(own)
  ), spots AS (
    SELECT * FROM asked WHERE ${anyDue("asked", "asked.own")}
      AND NOT EXISTS (SELECT 1 FROM projects gone WHERE gone.project_id = $4 AND gone.removed_at IS NOT NULL)
  )`;

const locked = (lane: string, id: string, rows: string) => `
    SELECT s.at, shares.lane, shares.hop, shares.run_key, r.project_id, r.inbox_id, r.agent_turn_id, r.turn_epoch, r.message_type,
      r.next_retry_at, r.created_at,
      row_number() OVER (PARTITION BY s.at, shares.lane, shares.hop ORDER BY r.next_retry_at, r.created_at, r.${id}) AS k
    FROM shares JOIN spots s USING (at) CROSS JOIN LATERAL (${rows}) r WHERE shares.lane = ${lane}`;
const MESSAGES_LOCKED = locked(
  "0",
  "inbox_id",
  `
      SELECT i.project_id, i.inbox_id, i.agent_turn_id, i.turn_epoch, i.message_type, i.next_retry_at, i.created_at
      FROM state.inbox_messages i WHERE ${MESSAGE} AND ${of("s")} AND i.needs_own_worker = s.own
        AND i.next_retry_at <= now() AND i.run_key = shares.run_key
      ORDER BY i.run_key, ${MESSAGE_ORDER} LIMIT shares.n FOR UPDATE SKIP LOCKED`,
);
const TURNS_LOCKED = locked(
  "1",
  "agent_turn_id",
  `
      SELECT i.project_id, ${messageIdSql("i.agent_turn_id")} AS inbox_id, i.agent_turn_id, i.turn_epoch, 'turn' AS message_type,
        i.next_retry_at, i.created_at
      FROM state.due i WHERE ${TURN} AND ${of("s")} AND i.needs_own_worker = s.own
        AND i.next_retry_at <= now() AND i.run_key = shares.run_key
      ORDER BY i.run_key, ${TURN_ORDER} LIMIT shares.n FOR UPDATE SKIP LOCKED`,
);

// How many of each run, before any is locked: what wakes a turn first, one of each run, then another one of each; and so
// with projects, until the claim is full. A run that is alone gets all of it. A single launch used to wait for the whole
// fan-out beside it.
const take = (places: string, start: string) => `, lanes AS (
    SELECT s.*, l.lane, ($3::int + s.spots - 1) / s.spots AS share,
      coalesce((${places}::jsonb ->> (s.worker_target || ' ' || s.project_id))::int, ${start}::int) AS start
    FROM (SELECT *, count(*) OVER ()::int AS spots FROM spots) s CROSS JOIN (VALUES (0), (1)) AS l(lane)
  ), runs AS (
    SELECT at, worker_target, project_id, own, lane, share, start, start AS run_key, false AS is_round, 0 AS hop, 0 AS found, 0 AS n
    FROM lanes
    UNION ALL
    SELECT r.at, r.worker_target, r.project_id, r.own, r.lane, r.share, r.start, next.run_key, next.is_round, r.hop + 1, r.found + c.n, c.n
    FROM runs r
    CROSS JOIN LATERAL (${ofLane("i.run_key, r.is_round", "i.run_key > r.run_key", "1")}
      UNION ALL ${ofLane("i.run_key, true", "NOT r.is_round", "1")}
      LIMIT 1
    ) AS next(run_key, is_round)
    CROSS JOIN LATERAL (SELECT count(*)::int AS n FROM (${ofLane("1", "i.run_key = next.run_key", "$3::int")}) AS one) c
    WHERE (r.hop < least(r.share, ${RUNS_MAX}) OR r.found < r.share) AND NOT (next.is_round AND next.run_key > r.start)
  ), shares AS (
    SELECT at, lane, hop, run_key, count(*) AS n FROM (
      SELECT at, lane, hop, run_key FROM (
        SELECT at, lane, hop, run_key, row_number() OVER (PARTITION BY at ORDER BY lane, k, hop) AS nth
        FROM runs CROSS JOIN LATERAL generate_series(1, n) AS k) AS each
      ORDER BY nth, at LIMIT $3::int) AS first
    GROUP BY at, lane, hop, run_key
  ), locked AS (${MESSAGES_LOCKED}
    UNION ALL ${TURNS_LOCKED}
  ), taken AS (
    SELECT *, row_number() OVER (PARTITION BY at ORDER BY lane, k, next_retry_at, created_at, inbox_id) AS nth FROM locked
  )
  SELECT project_id, inbox_id, agent_turn_id, turn_epoch, message_type, run_key, (lane * $3::int + k) * 100 + hop AS run_place,
    row_number() OVER (ORDER BY nth, at) AS place
  FROM taken`;

/** Both lock the rows they name. Values: $1 targets, $2 the worker, $3 limit and $4 project; then AROUND has four more. */
export const CLAIMABLE = { named: NAMED + take("$5", "$6"), around: AROUND + take("$9", "$10") };

/**
 * Whether a claim that was answered with `rows` rows may have left some behind. It divides its limit among the lines that have something
 * due, and each gives at least one row; one that has more gives its share: of s lines at least limit / s + s - 1 rows in all.
 */
export const mayHaveLeft = (rows: number, limit: number): boolean => rows + 1 >= 2 * Math.sqrt(limit);

/** `takesOwn`: also turns whose profile names no model, which the built-in worker could only fail. */
export type Claim = { kind: keyof typeof CLAIMABLE; values: unknown[] };

export function claimOf(kernel: Kernel, input: ClaimInput, takesOwn: boolean): Claim {
  const { worker_targets, worker_id, project_id, after } = input;
  const limit = Math.max(1, Math.min(input.limit, kernel.tunables.claimLimit));
  const values = [worker_targets, worker_id, limit, project_id ?? null];
  const runs = runPlaces(kernel);
  if (takesOwn && project_id !== undefined && !worker_targets.includes("*"))
    return { kind: "named", values: [...values, ...runs] };
  const place = [after?.worker_target ?? "", after?.project_id ?? ""];
  return { kind: "around", values: [...values, kernel.tunables.workerSeenMsMax, ...place, takesOwn, ...runs] };
}
