// What a statement reads to answer: the rows that its scans of tables have looked at, and the rows it has answered with, lists
// within a row counted. Run with its own values, once.
import type pg from "pg";
import type { Sent } from "./capture";

export type Scan = { table: string; kind: string; rows: number };
export type RowsRead = { read: number; shown: number; ms: number; scans: Scan[] };

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: Node[];
};
type Explained = { Plan: Node; "Execution Time": number; "Planning Time": number }[];

export async function rowsRead(client: pg.Client, { text, values }: Sent): Promise<RowsRead> {
  const answer = await client.query<{ "QUERY PLAN": Explained }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  const [explained] = answer.rows[0]?.["QUERY PLAN"] ?? [];
  if (!explained) throw new Error("no plan");
  const scans = scansOf(explained.Plan);
  const { rows } = await client.query<Record<string, unknown>>(text, values);
  return {
    read: scans.reduce((sum, scan) => sum + scan.rows, 0),
    shown: rows.reduce((sum, row) => sum + Math.max(1, itemsIn(Object.values(row))), 0),
    ms: explained["Execution Time"] + explained["Planning Time"],
    scans,
  };
}

function scansOf(node: Node): Scan[] {
  const table = node["Relation Name"];
  const loops = node["Actual Loops"] ?? 1;
  const looked =
    ((node["Actual Rows"] ?? 0) +
      (node["Rows Removed by Filter"] ?? 0) +
      (node["Rows Removed by Index Recheck"] ?? 0)) *
    loops;
  const own = table === undefined ? [] : [{ table, kind: node["Node Type"], rows: looked }];
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)];
}

/** Elements of the lists in these values, and of the lists in those. */
const itemsIn = (values: unknown[]): number =>
  values.reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length + itemsIn(value.filter(isList)) : 0),
    0,
  );
const isList = (value: unknown): boolean => Array.isArray(value);
