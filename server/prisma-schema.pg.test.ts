// The schema that the client is generated from says the same as the migrated database: tables, columns, types and what may be null.
// A table that only a migration knew was missing from every tool that reads the schema.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase, type TestDatabase } from "./testing/database";

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const TYPES: Record<string, string> = {
  String: "text",
  Int: "integer",
  BigInt: "bigint",
  Boolean: "boolean",
  Json: "jsonb",
  Float: "double precision",
  Decimal: "numeric",
  Bytes: "bytea",
  DateTime: "timestamp with time zone",
  Xid: "xid8",
};

/** `schema.table.column type` and, where it may be null, `?`. */
function declared(text: string): string[] {
  const models = [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)];
  const names = new Set(models.map(([, name]) => name));
  return models.flatMap(([, table = "", body = ""]) => {
    const schema = /@@schema\("(\w+)"\)/.exec(body)?.[1];
    return body.split("\n").flatMap((line) => {
      const [, column, kind, marks = "", own] =
        /^\s+(\w+)\s+(\w+(?:\("[^"]+"\))?)(\[\]|\?)?(?:.*Unsupported\("([^"]+)"\))?/.exec(line) ?? [];
      if (column === undefined || kind === undefined || names.has(kind)) return [];
      const unsupported = /^Unsupported\("(.+)"\)$/.exec(kind)?.[1] ?? own;
      const type = unsupported ?? (line.includes("@db.Json") ? "json" : (TYPES[kind] ?? kind));
      return `${schema}.${table}.${column} ${type}${marks}`;
    });
  });
}

test("prisma/schema and the migrated database have the same columns", async () => {
  const { rows } = await db.pool.query<{ line: string }>(
    `SELECT n.nspname || '.' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, NULL)
       || CASE WHEN a.attnotnull OR a.attndims > 0 THEN '' ELSE '?' END AS line
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE n.nspname IN ('public', 'resource', 'state') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> '_prisma_migrations'`,
  );
  const text = fs
    .readdirSync("prisma/schema")
    .map((file) => fs.readFileSync(`prisma/schema/${file}`, "utf8"))
    .join("\n");
  const said = declared(text);
  expect(said.length).toBeGreaterThan(400);
  expect(said.toSorted()).toEqual(rows.map(({ line }) => line).toSorted());
});
