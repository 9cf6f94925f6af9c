// Looks at some rows of a rule, in the order of their keys: whoever goes on after the last one comes through the whole table, and
// holds nobody up on the way.
import { columnsOf } from "../columns";
import { type Reader, read } from "../reader";
import type { AuditRule } from "./rules";

/** Behind the row that was looked at last. */
export type Place = { project_id: string; row_key: string };
export type Finding = { project_id: string; rule: string; row_key: string; what: string };
/** `last`: null = no row is left. */
export type Slice = { rows: number; last: Place | null; findings: Finding[] };

/** Rows of a slice. */
const SLICE_ROWS = 1_000;

type Row = { rows: number; last: Place | null; faults: Omit<Finding, "rule">[] };

// A project that is being emptied has rows whose others have gone.
const sliceSql = ({ table, project, key, columns, fault }: AuditRule) => `
  WITH part AS MATERIALIZED (
    SELECT ${project} AS project_id, ${key} AS row_key${columns.length > 0 ? `, ${columnsOf(columns, "t")}` : ""}
    FROM ${table} t WHERE (${project}, ${key}) > ($1, $2) ORDER BY ${project}, ${key} LIMIT $3
  ), judged AS (SELECT r.project_id, r.row_key, ${fault} AS what FROM part r)
  SELECT (SELECT count(*)::int FROM part) AS rows,
    (SELECT jsonb_build_object('project_id', p.project_id, 'row_key', p.row_key) FROM part p ORDER BY p.project_id DESC, p.row_key DESC LIMIT 1) AS last,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('project_id', j.project_id, 'row_key', j.row_key, 'what', j.what) ORDER BY j.project_id, j.row_key), '[]')
      FROM judged j WHERE j.what IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM projects gone WHERE gone.project_id = j.project_id AND gone.deleting_at IS NOT NULL)) AS faults`;

export async function readSlice(reader: Reader, rule: AuditRule, after: Place | null): Promise<Slice> {
  const rows = rule.rows ?? SLICE_ROWS;
  const values = [after?.project_id ?? "", after?.row_key ?? "", rows];
  const [slice] = await read<Row>(reader, `audit_${rule.rule.replaceAll("-", "_")}`, sliceSql(rule), values);
  if (!slice) throw new Error("a statement without FROM gave no row");
  return {
    rows: slice.rows,
    last: slice.rows < rows ? null : slice.last,
    findings: slice.faults.map((fault) => ({ rule: rule.rule, ...fault })),
  };
}
