// The result when everything has settled: counts of what happened, and every invariant with what violates it.
import fs from "node:fs";
import path from "node:path";
import type pg from "pg";
import { checkDatabase } from "@/server/kernel/audit/check-database";
import type { Kernel } from "@/server/kernel/kernel";
import { type Checked, checkInvariants, type Violation } from "@/server/testing/invariants";
import type { Promised } from "./traffic";
import { BROKE, type Deeds, HINDERED, LET_IN } from "./villains";

export type Verdict = { counts: Counts; checked: Checked[]; violations: Violation[] };
export type Counts = {
  runs: number;
  turns: Record<string, number>;
  batches: Record<string, number>;
  plans: Record<string, number>;
  nodes: Record<string, number>;
  takeovers: number;
  attempts_used_up: number;
  fenced: Record<string, number>;
  cards: number;
  frames: number;
};

const LAUNCHED = "a launch that was answered is there";
const REPORTED = "a report that was received is there";
const EDITED = "an edit of a run that was answered is there, once";
const UNHARMED = "no turn failed because something was away";
const ALIVE = "no process broke by itself";
const AGREES = "rows agree with one another, as `npm run check:db` looks at them";

export async function judge(
  kernel: Pick<Kernel, "db">,
  promised: Promised,
  deeds: Deeds,
  deaths: string[],
): Promise<Verdict> {
  const { pool } = kernel.db;
  const { checked, violations } = await checkInvariants(pool);
  const broken = [
    ...(await missingLaunches(pool, promised)),
    ...(await missingReports(pool, promised)),
    ...(await missingEdits(pool, promised)),
    ...(await harmed(pool)),
    ...deeds.wrong,
    ...(await disagreeing(kernel)),
    // A process that loses the database while it starts says so in one line, exits and is started again: that is no violation.
    ...deaths
      .filter((words) => /Unhandled|^\s+at /m.test(words))
      .map((what) => ({ invariant: ALIVE, project_id: "", id: what.split(":")[0] ?? "", what })),
  ];
  return {
    counts: await count(pool),
    checked: [
      ...checked,
      ...[LAUNCHED, REPORTED, EDITED, UNHARMED, ALIVE, AGREES, LET_IN, HINDERED, BROKE].map((name) => ({
        name,
        violations: broken.filter((one) => one.invariant === name).length,
      })),
    ],
    violations: [...violations, ...broken],
  };
}

async function disagreeing(kernel: Pick<Kernel, "db">): Promise<Violation[]> {
  const found: Violation[] = [];
  for await (const { rule, findings } of checkDatabase(kernel))
    for (const { project_id, row_key, what } of findings)
      found.push({ invariant: AGREES, project_id, id: row_key, what: `${rule}: ${what}` });
  return found;
}

async function harmed(pool: pg.Pool): Promise<Violation[]> {
  const { rows } = await pool.query<{ project_id: string; id: string; what: string }>(
    `SELECT project_id, agent_turn_id AS id, concat_ws(': ', error_code, error) AS what FROM state.agent_turns
     WHERE error_code IN ('internal_error', 'storage_error')`,
  );
  return rows.map((row) => ({ ...row, invariant: UNHARMED }));
}

async function missingLaunches(pool: pg.Pool, { launches }: Promised): Promise<Violation[]> {
  const { rows } = await pool.query<{ project_id: string; id: string }>(
    `SELECT g.project_id, g.root_turn_id AS id FROM jsonb_to_recordset($1::jsonb) AS g(project_id text, root_turn_id text)
     WHERE NOT EXISTS (SELECT 1 FROM state.agent_turns t WHERE t.project_id = g.project_id AND t.agent_turn_id = g.root_turn_id)
       OR NOT EXISTS (SELECT 1 FROM state.runs r WHERE r.project_id = g.project_id AND r.root_turn_id = g.root_turn_id)`,
    [JSON.stringify(launches)],
  );
  return rows.map((row) => ({
    ...row,
    invariant: LAUNCHED,
    what: "its root turn is lost",
  }));
}

async function missingReports(pool: pg.Pool, { reports }: Promised): Promise<Violation[]> {
  const { rows } = await pool.query<{ project_id: string; id: string }>(
    `SELECT g.project_id, g.card_id AS id FROM jsonb_to_recordset($1::jsonb) AS g(project_id text, card_id text)
     WHERE NOT EXISTS (SELECT 1 FROM cards c WHERE c.tenant_id = g.project_id AND c.card_id = g.card_id)`,
    [JSON.stringify(reports)],
  );
  return rows.map((row) => ({ ...row, invariant: REPORTED, what: "its card is lost" }));
}

async function missingEdits(pool: pg.Pool, { edits }: Promised): Promise<Violation[]> {
  const { rows } = await pool.query<{ project_id: string; id: string; n: number; reason: string }>(
    `SELECT g.project_id, g.plan_run_id AS id, g.reason, count(e.n)::int AS n
     FROM jsonb_to_recordset($1::jsonb) AS g(project_id text, plan_run_id text, reason text)
     LEFT JOIN state.plan_run_edits e ON e.project_id = g.project_id AND e.plan_run_id = g.plan_run_id AND e.reason = g.reason
     GROUP BY 1, 2, 3 HAVING count(e.n) <> 1`,
    [JSON.stringify(edits)],
  );
  return rows.map(({ n, reason, ...row }) => ({ ...row, invariant: EDITED, what: `${reason} is there ${n} times` }));
}

async function count(pool: pg.Pool): Promise<Counts> {
  const tally = async (sql: string): Promise<Record<string, number>> => {
    const { rows } = await pool.query<{ what: string; n: number }>(sql);
    return Object.fromEntries(rows.map((row) => [row.what, row.n]));
  };
  const sums = await tally(`
    SELECT 'runs' AS what, count(*)::int AS n FROM state.runs
    UNION ALL SELECT 'takeovers', coalesce(sum(attempt - 1), 0)::int FROM state.agent_turns
    UNION ALL SELECT 'used_up', count(*)::int FROM state.agent_turns WHERE error_code = 'timeout_reaped_by_watchdog'
    UNION ALL SELECT 'cards', count(*)::int FROM cards UNION ALL SELECT 'frames', count(*)::int FROM state.journal`);
  return {
    runs: sums.runs ?? 0,
    turns: await tally("SELECT status AS what, count(*)::int AS n FROM state.agent_turns GROUP BY 1 ORDER BY 2 DESC"),
    batches: await tally("SELECT status AS what, count(*)::int AS n FROM state.pmo_batches GROUP BY 1 ORDER BY 2 DESC"),
    plans: await tally("SELECT status AS what, count(*)::int AS n FROM state.plan_runs GROUP BY 1 ORDER BY 2 DESC"),
    nodes: await tally(
      "SELECT status AS what, count(*)::int AS n FROM state.plan_run_nodes GROUP BY 1 ORDER BY 2 DESC",
    ),
    takeovers: sums.takeovers ?? 0,
    attempts_used_up: sums.used_up ?? 0,
    fenced:
      await tally(`SELECT CASE WHEN frames -> 0 ->> 'what' LIKE 'result of %' THEN 'result' ELSE frames -> 0 ->> 'what' END AS what, count(*)::int AS n
      FROM state.journal_packs WHERE kind = 'rejected_late' GROUP BY 1 ORDER BY 2 DESC`),
    cards: sums.cards ?? 0,
    frames: sums.frames ?? 0,
  };
}

/** Errors that the processes logged, each kind once with its count: a worker should log none of them. */
export function errorsIn(dir: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const file of fs.readdirSync(dir).filter((name) => /^(worker-\d+|web)\.log$/.test(name)))
    for (const line of fs.readFileSync(path.join(dir, file), "utf8").split("\n")) {
      const said = errorOf(line);
      if (said !== null) found.set(said, (found.get(said) ?? 0) + 1);
    }
  return found;
}

const ERROR = 50;

function errorOf(line: string): string | null {
  if (!line.startsWith("{")) return /error/i.test(line) ? line.slice(0, 300) : null;
  try {
    const { level, msg, rule, error, err } = JSON.parse(line);
    if (level < ERROR) return null;
    return [msg, rule, error, err?.code, err?.message]
      .filter(Boolean)
      .join(" | ")
      .replaceAll(/[0-9a-f]{32}/g, "#")
      .slice(0, 300);
  } catch {
    // The last line of a process that was killed.
    return null;
  }
}
