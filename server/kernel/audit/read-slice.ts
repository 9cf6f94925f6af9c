// Looks at some rows of a rule, in the order of their keys: whoever goes on after the last one comes through the whole table, and
// holds nobody up on the way.
import { type Reader, read } from "../reader";
import { AUDIT_SQL, type AuditRule } from "./rules";

/** Behind the row that was looked at last. */
export type Place = { project_id: string; row_key: string };
export type Finding = { project_id: string; rule: AuditRule; row_key: string; what: string };
/** `last`: null = no row is left. */
export type Slice = { rows: number; last: Place | null; findings: Finding[] };

/** Rows of a slice; of boxes fewer, as each may lead to thousands of cards. */
const ROWS = 1_000;
const BOX_ROWS = 100;

type Row = { rows: number; last: Place | null; faults: Omit<Finding, "rule">[] };

export async function readSlice(
  reader: Reader,
  rule: AuditRule,
  after: Place | null,
  rows: number = rule === "box-cards" ? BOX_ROWS : ROWS,
): Promise<Slice> {
  const values = [after?.project_id ?? "", after?.row_key ?? "", rows];
  const [slice] = await read<Row>(reader, `audit_${rule.replaceAll("-", "_")}`, AUDIT_SQL[rule], values);
  if (!slice) throw new Error("a statement without FROM gave no row");
  return {
    rows: slice.rows,
    last: slice.rows < rows ? null : slice.last,
    findings: slice.faults.map((fault) => ({ rule, ...fault })),
  };
}
