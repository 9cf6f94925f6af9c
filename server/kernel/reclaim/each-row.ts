// The watchdog works row by row, each in its own unit. A row that fails is recorded: it is left aside for longer each time,
// comes after all others when it is tried again, is shown on the health page, and is forgotten once it succeeds or is gone.
// One such row used to end the loop and to be first again at the next tick, so that no tool of any project timed out any
// more.
import { KernelError } from "@/server/contract/errors";
import { log } from "@/server/log";
import type { Kernel } from "../kernel";
import { isProjectGone, sqlState, storageError } from "../storage-error";

/** Rules that handle rows; their names stand in SQL. */
export type RowRule =
  | "take-over"
  | "requeue-unstarted"
  | "expire-tools"
  | "expire-requests"
  | "settle-batches"
  | "advance-plans"
  | "lease-idle"
  | "ring-commands"
  | "index-cards"
  | "sweep-alarms"
  | "delete-artifacts"
  | "delete-uploads"
  | "delete-removed"
  | "delete-runs";

/** `is_failing`: it failed under this rule before. */
export type WatchedRow = { project_id: string; row_key: string; is_failing: boolean };

/** For the list of a rule: `project` and `key` are columns of the row. */
export const failureJoin = (rule: RowRule, project: string, key: string): string =>
  `LEFT JOIN state.watchdog_failures f ON f.project_id = ${project} AND f.rule = '${rule}' AND f.row_key = ${key}`;
/** Rows that never failed, and those that are due again. */
export const IS_TRIED = "(f.next_try_at IS NULL OR f.next_try_at <= now())";
/**
 * One row of each project, then another one of each: a thousand silent turns of one project used to delay everybody else's.
 * Rows that failed come last, so that they cannot fill the limit, however many they are.
 */
export const inTurn = (project: string, order: string): string =>
  `f.row_key IS NOT NULL, row_number() OVER (PARTITION BY ${project}, f.row_key IS NOT NULL ORDER BY f.next_try_at, ${order}), ${order}`;
export const rowKey = (key: string): string => `${key} AS row_key, f.row_key IS NOT NULL AS is_failing`;
/** For a statement that applies a rule to many rows at once: none of them ever failed. */
export const neverFailed = (rule: RowRule, project: string, key: string): string =>
  `NOT EXISTS (SELECT 1 FROM state.watchdog_failures f WHERE f.project_id = ${project} AND f.rule = '${rule}' AND f.row_key = ${key})`;

const REMEMBER = `
  INSERT INTO state.watchdog_failures AS f (project_id, rule, row_key, error_code, last_error, next_try_at)
  SELECT p.project_id, $2, $3, $4, $5, now() + $6::float8 * interval '1 ms' FROM projects p WHERE p.project_id = $1
  ON CONFLICT (project_id, rule, row_key) DO UPDATE SET attempts = f.attempts + 1, error_code = excluded.error_code,
    last_error = excluded.last_error, last_seen_at = now(),
    next_try_at = now() + least($6::float8 * 2 ^ least(f.attempts, 30), $7::float8) * interval '1 ms'
    WHERE f.next_try_at <= now()
  RETURNING attempts`;
const FORGET = "DELETE FROM state.watchdog_failures WHERE project_id = $1 AND rule = $2 AND row_key = $3";
// Two ticks after its time it would have been listed if it still existed.
const FORGET_GONE = `
  DELETE FROM state.watchdog_failures f WHERE f.rule = $1 AND f.next_try_at < now() - $2::float8 * interval '1 ms'
    AND NOT EXISTS (SELECT 1 FROM unnest($3::text[], $4::text[]) AS g(project_id, row_key)
      WHERE g.project_id = f.project_id AND g.row_key = f.row_key)`;

const ERROR_MAX = 1_000;

export type EachRow<R> = {
  rule: RowRule;
  rows: R[];
  /** The list was not cut, so a failing row that is not in it is gone. */
  isWhole: boolean;
  /** How many at once. */
  lanes?: number;
};

/**
 * Returns for how many rows `act` did something (true, or how much), with the kernel that it is given. Rejects if the
 * database is down, which is no row's fault. A session that locks a row often locks more of the same project: after the first
 * one the others are left to the next tick. A locked row is waited for briefly, and hardly at all after the first: with locks
 * in many projects, each waited for as long as a person's click would be, all other rows had to wait for the next minute.
 */
export async function eachRow<R extends WatchedRow>(
  kernel: Kernel,
  { rule, rows, isWhole, lanes = 1 }: EachRow<R>,
  act: (row: R, brief: Kernel) => Promise<boolean | number>,
): Promise<number> {
  const left = [...rows];
  const held = new Set<string>();
  let acted = 0;
  const lane = async (): Promise<void> => {
    for (let row = left.shift(); row; row = left.shift()) {
      if (held.has(row.project_id)) continue;
      try {
        acted += Number(await act(row, briefly(kernel, held.size > 0)));
      } catch (error) {
        if (isProjectGone(error)) continue;
        await remember(kernel, rule, row, error);
        if (heldBy(error)) held.add(row.project_id);
        continue;
      }
      if (row.is_failing) await kernel.db.pool.query(FORGET, [row.project_id, rule, row.row_key]);
    }
  };
  const done = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const one of done) if (one.status === "rejected") throw one.reason;
  if (isWhole) await forgetGone(kernel, rule, rows);
  return acted;
}

/**
 * A rule that one statement applies to many rows: `batch` takes those that never failed. If it fails, or if rows that
 * failed are due again, they are taken one by one; `list` says which.
 */
export async function allOrEach<R extends WatchedRow>(
  kernel: Kernel,
  rule: RowRule,
  work: {
    batch: (brief: Kernel) => Promise<number>;
    /** Rows that are due, at most `LIST_MAX`; `onlyFailing`: of those that failed before. */
    list: (onlyFailing: boolean) => Promise<R[]>;
    one: (row: R, brief: Kernel) => Promise<boolean | number>;
  },
): Promise<number> {
  let acted = 0;
  let isBroken = false;
  try {
    acted = await work.batch(briefly(kernel, false));
  } catch (error) {
    if (isAway(error)) throw error;
    isBroken = true;
    log().warn({ rule, err: error }, "a watchdog rule failed on a set of rows; trying them one by one");
  }
  const rows = await work.list(!isBroken);
  return acted + (await eachRow(kernel, { rule, rows, isWhole: rows.length < LIST_MAX }, work.one));
}

function briefly(kernel: Kernel, isAgain: boolean): Kernel {
  const { watchdogLockMs, watchdogNextLockMs } = kernel.tunables;
  return { ...kernel, lockMs: isAgain ? watchdogNextLockMs : watchdogLockMs };
}

/** Rows that a rule takes at a tick. */
export const LIST_MAX = 200;

/** Another session locks it, or it is too much for one statement: the server works, and the next row can be tried. */
const HELD = ["locked", "too_slow"];
const heldBy = (error: unknown): string | undefined => {
  const known = storageError(error);
  return known instanceof KernelError ? HELD.find((reason) => known.detail?.reason === reason) : undefined;
};
export const isAway = (error: unknown): boolean => {
  const known = storageError(error);
  return known instanceof KernelError && known.code === "storage_error" && heldBy(known) === undefined;
};

async function remember(kernel: Kernel, rule: RowRule, row: WatchedRow, error: unknown): Promise<void> {
  if (isAway(error)) throw error;
  const { project_id, row_key } = row;
  const { watchdogRetryMs, watchdogRetryMsMax } = kernel.tunables;
  const code = heldBy(error) ?? (error instanceof KernelError ? error.code : sqlState(error) || "internal_error");
  const text = (error instanceof Error ? error.message : String(error)).replaceAll("\u0000", "").slice(0, ERROR_MAX);
  const { rows } = await kernel.db.pool.query<{ attempts: number }>(REMEMBER, [
    project_id,
    rule,
    row_key,
    code,
    text,
    watchdogRetryMs,
    watchdogRetryMsMax,
  ]);
  const [known] = rows;
  if (known)
    log().error({ rule, project_id, row_key, attempts: known.attempts, err: error }, "a watchdog rule failed on a row");
}

async function forgetGone(kernel: Kernel, rule: RowRule, rows: WatchedRow[]): Promise<void> {
  await kernel.db.pool.query(FORGET_GONE, [
    rule,
    2 * kernel.tunables.watchdogMs,
    rows.map((row) => row.project_id),
    rows.map((row) => row.row_key),
  ]);
}
