// The watchdog's part of the check: once a day through all rows, a slice at a time. What a round finds stands on the health page until
// a later round no longer finds it.
import { KernelError } from "@/server/contract/errors";
import { log } from "@/server/log";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { withUnit } from "../unit";
import { type Place, readSlice, type Slice } from "./read-slice";
import { AUDIT_RULES, type AuditRule } from "./rules";

type State = { round: string; rule: AuditRule | null; after_project: string | null; after_key: string | null };

const DUE = `
  SELECT NOT EXISTS (SELECT 1 FROM state.row_checks c WHERE c.ended_at IS NOT NULL AND c.began_at > now() - $1 * interval '1 ms') AS is_due`;

// A round that has ended begins again when its time has come.
const BEGIN = `
  INSERT INTO state.row_checks AS c (is_one) VALUES (true)
  ON CONFLICT (is_one) DO UPDATE SET round = c.round + 1, rule = NULL, after_project = NULL, after_key = NULL, rows = 0,
    began_at = now(), ended_at = NULL WHERE c.ended_at IS NOT NULL AND c.began_at <= now() - $1 * interval '1 ms'`;
const STATE = `
  SELECT round::text AS round, rule, after_project, after_key FROM state.row_checks WHERE ended_at IS NULL`;

// Only where the round still stands where the slice began: of two watchdogs that looked at the same rows one notes them.
const NOTE = `
  WITH here AS (
    SELECT is_one FROM state.row_checks WHERE round = $1::bigint AND ended_at IS NULL AND rule IS NOT DISTINCT FROM $8
      AND after_project IS NOT DISTINCT FROM $9 AND after_key IS NOT DISTINCT FROM $10 FOR UPDATE
  ), found AS (
    INSERT INTO state.row_findings AS f (project_id, rule, row_key, what, round)
    SELECT g.project_id, g.rule, g.row_key, g.what, $1::bigint
    FROM jsonb_to_recordset($2::jsonb) AS g(project_id text, rule text, row_key text, what text) CROSS JOIN here
    ON CONFLICT (project_id, rule, row_key) DO UPDATE SET what = excluded.what, round = excluded.round
  ), gone AS (
    DELETE FROM state.row_findings WHERE $7 AND round < $1::bigint AND EXISTS (SELECT 1 FROM here)
  )
  UPDATE state.row_checks c SET rule = $3, after_project = $4, after_key = $5, rows = rows + $6, ended_at = CASE WHEN $7 THEN now() END
  FROM here WHERE c.is_one = here.is_one RETURNING c.round::text AS round`;

/** How many rows were looked at; stops when its time in this tick is over. */
export async function checkNextRows(kernel: Kernel): Promise<number> {
  const { rowCheckMs, rowCheckTickMs } = kernel.tunables;
  const { rows: due } = await kernel.db.pool.query<{ is_due: boolean }>({
    name: "audit_due",
    text: DUE,
    values: [rowCheckMs],
  });
  if (!due[0]?.is_due) return 0;
  await withUnit(kernel, (unit) => unit.query("audit_begin", BEGIN, [rowCheckMs]));
  const end = Date.now() + rowCheckTickMs;
  for (let rows = 0; ; ) {
    const looked = await nextSlice(kernel);
    if (looked === null) return rows;
    rows += looked.rows;
    if (looked.isOver || Date.now() >= end) return rows;
  }
}

/**
 * null: another watchdog was first, or the round is over. Read outside of the unit that notes it: the live view of all projects waits for
 * what has begun to write.
 */
async function nextSlice(kernel: Kernel): Promise<{ rows: number; isOver: boolean } | null> {
  const [state] = await read<State>(kernel, "audit_state", STATE, []);
  if (!state) return null;
  // null, or a rule of another version: from the first one.
  const at = state.rule === null ? 0 : Math.max(0, AUDIT_RULES.indexOf(state.rule));
  const rule = AUDIT_RULES[at];
  if (!rule) throw new Error("there is no rule to check rows by");
  const { round, after_project, after_key } = state;
  const after: Place | null =
    rule === state.rule && after_project !== null && after_key !== null
      ? { project_id: after_project, row_key: after_key }
      : null;
  const slice = await readInTime(kernel, rule, after);
  const next = slice.last === null ? AUDIT_RULES[at + 1] : rule;
  const noted = await withUnit(kernel, (unit) =>
    unit.query("audit_note", NOTE, [
      round,
      JSON.stringify(slice.findings),
      next ?? rule,
      slice.last?.project_id ?? null,
      slice.last?.row_key ?? null,
      slice.rows,
      next === undefined,
      state.rule,
      after_project,
      after_key,
    ]),
  );
  return noted.length === 0 ? null : { rows: slice.rows, isOver: next === undefined };
}

/** Rows that take too long are looked at one by one; one that still does ends its rule for this round, and not the round. */
async function readInTime(kernel: Kernel, rule: AuditRule, after: Place | null): Promise<Slice> {
  for (const rows of [undefined, 1]) {
    try {
      return await readSlice(kernel, rule, after, rows);
    } catch (error) {
      if (!(error instanceof KernelError) || error.code !== "read_timeout") throw error;
    }
  }
  log().warn(
    { rule, after },
    "a row takes too long to check; the rows behind it are not checked by this rule in this round",
  );
  return { rows: 0, last: null, findings: [] };
}
