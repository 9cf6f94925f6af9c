// What a statement returns, asked of Postgres without running it, and how that differs from a declared row type.
import type pg from "pg";
import type { Kind, Row } from "./sql-calls";

export type Field = { name: string; type: number; isNullable: boolean | null };

type RowDescription = {
  fields: { name: string; dataTypeID: number; tableID: number; columnID: number }[];
};
type Connection = {
  parse: (query: { name: string; text: string; types: number[] }) => void;
  describe: (what: { type: "S"; name: string }) => void;
  sync: () => void;
};

/**
 * `isNullable`: of the column it comes from; null where it comes from an expression, or from a view, of whose columns Postgres says
 * that all may be null. Throws what Postgres says.
 */
export async function describeSql(client: pg.Client, text: string): Promise<Field[]> {
  const fields = await new Promise<RowDescription["fields"]>((done, fail) => {
    let found: RowDescription["fields"] = [];
    const question = {
      submit: (connection: Connection) => {
        connection.parse({ name: "", text, types: [] });
        connection.describe({ type: "S", name: "" });
        connection.sync();
      },
      handleRowDescription: (message: RowDescription) => {
        found = message.fields;
      },
      handleError: fail,
      handleReadyForQuery: () => done(found),
    };
    client.query(question as unknown as pg.Submittable);
  });
  const { rows } = await client.query<{ table_id: number; column_id: number; nullable: boolean }>(
    `SELECT attrelid::int AS table_id, attnum AS column_id, NOT attnotnull AS nullable
     FROM pg_attribute JOIN pg_class c ON c.oid = attrelid AND c.relkind <> 'v'
     WHERE (attrelid, attnum) IN (SELECT * FROM unnest($1::oid[], $2::int[]))`,
    [fields.map((field) => field.tableID), fields.map((field) => field.columnID)],
  );
  return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
    name,
    type: dataTypeID,
    isNullable: rows.find((row) => row.table_id === tableID && row.column_id === columnID)?.nullable ?? null,
  }));
}

/** What the driver makes of a type (db.ts), by its number in pg_type; JSON is whatever it holds. */
const KINDS: Record<number, Kind> = {
  16: "boolean",
  17: "bytes",
  20: "number",
  21: "number",
  23: "number",
  25: "string",
  26: "number",
  114: "any",
  700: "number",
  701: "number",
  1000: "array",
  1005: "array",
  1007: "array",
  1009: "array",
  1015: "array",
  1016: "array",
  1043: "string",
  1184: "string",
  1700: "number",
  2950: "string",
  3802: "any",
  19: "string",
};

/** `nulls`: columns that may be null where they come from, and are declared as if they might not. */
export function faultsOfRow(fields: Field[], { type, columns }: Row): { faults: string[]; nulls: string[] } {
  const faults: string[] = [];
  const nulls: string[] = [];
  const names = new Set(fields.map((field) => field.name));
  for (const [name, column] of columns)
    if (!names.has(name) && !column.isOptional) faults.push(`does not return ${name}, which ${type} declares`);
  for (const field of fields) {
    const { name } = field;
    const column = columns.get(name);
    const kind = KINDS[field.type];
    if (!column) faults.push(`returns ${name}, which ${type} does not declare`);
    else if (!kind) faults.push(`returns ${name} of type ${field.type}, which is not known here`);
    else if (kind !== "any" && column.kinds.some((one) => one !== kind && one !== "any"))
      faults.push(`returns ${name} as ${kind}, declared ${column.type}`);
    if (column && field.isNullable === true && !column.isNull) nulls.push(name);
  }
  return { faults, nulls };
}
