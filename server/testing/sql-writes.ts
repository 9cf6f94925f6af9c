// Which file writes which table, read from the string literals of the sources: what a statement takes from another file's
// piece counts for the file where the words stand.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "libpg-query";
import ts from "typescript";

export type Write = { table: string; file: string };

/** The name of a table that is only known while running. */
export const ANY_TABLE = "any";

const root = path.resolve(import.meta.dirname, "../..");
const WRITE =
  /(?<!\b(?:FOR|DO|NO KEY) )\b(?:INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|TRUNCATE(?: TABLE)?|COPY)\s+(?:ONLY\s+)?((?:[a-z_]+\.)?[a-z_]+|\$)/g;

/** Of the product and its scripts; not of tests and measures. Each file once a table. */
export function readWrites(): Write[] {
  return sourceFiles().flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    if (!text.match(WRITE)) return [];
    const tables = literalsOf(file, text).flatMap(tablesIn);
    return [...new Set(tables)].map((table) => ({ table, file }));
  });
}

/** In the order they are written in. What is copied out of a query is read. */
export const tablesIn = (sql: string): string[] =>
  [...sql.matchAll(WRITE)].map(([, name = ""]) => (name === "$" ? ANY_TABLE : name.replace(/^public\./, "")));

function sourceFiles(): string[] {
  return ["server", "app", "components", "scripts"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/\.test\.tsx?$|^server\/testing\//.test(name)),
  );
}

function literalsOf(file: string, text: string): string[] {
  const literals: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node)) literals.push(node.text);
    if (ts.isTemplateExpression(node))
      literals.push([node.head.text, ...node.templateSpans.map((span) => span.literal.text)].join("$"));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return literals;
}

const WRITES = ["InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"];

/** The same of a whole statement as Postgres parses it: what the words above are checked by. Throws where it is no SQL. */
export async function tablesParsed(text: string): Promise<string[]> {
  const tables = new Set<string>();
  visit(await parse(text), tables);
  return [...tables];
}

type Relation = { schemaname?: string; relname: string };

function visit(node: unknown, tables: Set<string>): void {
  if (node === null || typeof node !== "object") return;
  for (const [kind, value] of Object.entries(node)) {
    if (WRITES.includes(kind)) {
      const { schemaname, relname } = (value as { relation: Relation }).relation;
      tables.add(schemaname === undefined || schemaname === "public" ? relname : `${schemaname}.${relname}`);
    }
    visit(value, tables);
  }
}
