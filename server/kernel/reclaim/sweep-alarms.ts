// Takes what has ended and was not looked at, in turn from all projects, and looks for alarms in it: a set of each project at
// once. If a set fails, its rows are tried one by one, so that one broken turn costs nobody else an alarm. What a process took
// and did not finish is taken again after a while.
import type { DueRow } from "../alarms/due-row";
import { findLateNow } from "../alarms/late-now";
import { sweepSet } from "../alarms/sweep-set";
import type { Kernel } from "../kernel";
import { eachRow, failureJoin, IS_TRIED, isAway, LIST_MAX, rowKey, type WatchedRow } from "./each-row";

const rule = "sweep-alarms";

// Hops from project to project in the index, and begins after the last project of the take before: an import's hundred thousand
// rows are not read to find the others, and do not hold them back.
const TAKE = `
  WITH RECURSIVE project AS (
    (SELECT d.project_id FROM state.alarm_due d WHERE d.project_id > $3 ORDER BY d.project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.project_id FROM state.alarm_due d WHERE d.project_id > u.project_id ORDER BY d.project_id LIMIT 1)
    FROM project u WHERE u.project_id IS NOT NULL
  ), due AS MATERIALIZED (
    SELECT f.project_id, f.due_id, f.row_key, f.is_failing FROM project u CROSS JOIN LATERAL (
      SELECT d.project_id, d.due_id, ${rowKey("d.subject_id")} FROM state.alarm_due d
      ${failureJoin(rule, "d.project_id", "d.subject_id")}
      WHERE d.project_id = u.project_id AND (d.taken_until IS NULL OR d.taken_until <= now() OR f.row_key IS NOT NULL) AND ${IS_TRIED}
      ORDER BY d.due_id LIMIT $1 FOR UPDATE OF d SKIP LOCKED) f
    LIMIT ${LIST_MAX}
  ), taken AS (
    UPDATE state.alarm_due d SET taken_until = now() + $2::float8 * interval '1 ms'
    FROM due f JOIN projects p ON p.project_id = f.project_id
    WHERE d.project_id = f.project_id AND d.due_id = f.due_id
    RETURNING d.project_id, d.due_id, d.subject_kind, d.subject_id, p.alarm_limits, f.row_key, f.is_failing,
      least(coalesce(CASE d.subject_kind
        WHEN 'batch' THEN (SELECT sum(t.context_cards) FROM state.agent_turns t
          WHERE t.project_id = d.project_id AND t.batch_id = d.subject_id)
        ELSE (SELECT (t.step_count + 1)::bigint * (t.context_cards + t.output_cards)
            + coalesce((SELECT p.context_cards + p.output_cards FROM state.agent_turns p
              WHERE p.project_id = d.project_id AND p.agent_turn_id = t.parent_turn_id), 0) FROM state.agent_turns t
          WHERE t.project_id = d.project_id AND t.agent_turn_id = d.subject_id) END, 0), 1000000000)::int AS weight)
  SELECT t.*, max(t.project_id) OVER () AS last_project FROM taken t`;

type Due = DueRow & WatchedRow & { last_project: string };

/** By pool, the last project of the take before, in the order of ids. "" begins with the first project again. */
const lastSwept = new WeakMap<object, string>();

/**
 * How many alarms are new. Stops when everything that was due has been looked at, or when the time of a tick is over. Turns that end meanwhile
 * wait for the next tick: looked at once, they came in sets of two or three, and a small set takes as many statements as one of 200.
 */
export async function sweepAlarms(kernel: Kernel): Promise<number> {
  const { alarmTickMs, alarmSetMax, alarmTakenMs } = kernel.tunables;
  const { pool } = kernel.db;
  let found = await findLateNow(kernel);
  // The last tick stopped in the middle of a round: the projects before that point need one more.
  let hasMore = (lastSwept.get(pool) ?? "") !== "";
  for (const until = performance.now() + alarmTickMs; performance.now() <= until; ) {
    const after = lastSwept.get(pool) ?? "";
    const { rows } = await pool.query<Due>({
      name: "alarms_take",
      text: TAKE,
      values: [alarmSetMax, alarmTakenMs, after],
    });
    const isRoundOver = rows.length < LIST_MAX;
    lastSwept.set(pool, isRoundOver ? "" : (rows[0]?.last_project ?? ""));
    found += await sweep(kernel, rows);
    hasMore ||= !isRoundOver || hasFullSet(rows, alarmSetMax);
    if (!isRoundOver) continue;
    if (hasMore) {
      hasMore = false;
      continue;
    }
    // Failures of rows that no longer exist are forgotten.
    await eachRow(kernel, { rule, rows: [], isWhole: true }, async () => false);
    break;
  }
  return found;
}

function hasFullSet(rows: readonly Due[], setMax: number): boolean {
  const counts = new Map<string, number>();
  for (const { project_id } of rows) counts.set(project_id, (counts.get(project_id) ?? 0) + 1);
  return [...counts.values()].some((count) => count >= setMax);
}

async function sweep(kernel: Kernel, rows: Due[]): Promise<number> {
  const single = rows.filter(({ is_failing }) => is_failing);
  let found = 0;
  for (const set of setsOf(
    rows.filter(({ is_failing }) => !is_failing),
    kernel.tunables.alarmSetCardsMax,
  )) {
    try {
      found += await sweepSet(kernel, set);
    } catch (error) {
      if (isAway(error)) throw error;
      single.push(...set);
    }
  }
  return (
    found + (await eachRow(kernel, { rule, rows: single, isWhole: false }, (row, brief) => sweepSet(brief, [row])))
  );
}

/** Of one project each, and not too heavy together; one that is too heavy by itself is a set too. */
function setsOf(rows: readonly Due[], weightMax: number): Due[][] {
  const sets: Due[][] = [];
  let weight = 0;
  for (const row of rows.toSorted((a, b) =>
    a.project_id < b.project_id ? -1 : a.project_id > b.project_id ? 1 : a.due_id - b.due_id,
  )) {
    const open = sets.at(-1);
    weight += row.weight;
    if (open?.[0]?.project_id === row.project_id && weight <= weightMax) {
      open.push(row);
      continue;
    }
    sets.push([row]);
    weight = row.weight;
  }
  return sets;
}
