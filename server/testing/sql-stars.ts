// Which stars of a statement stand for the columns of a table as it is at the moment. One over a common table expression, a
// subselect or a function stands for columns that are named there, or for a star that is found there.
import { parse } from "libpg-query";

type Node = Record<string, unknown>;
/** Alias to table; null for a source whose columns are named where it is made. */
type Sources = Map<string, string | null>;
type Scope = { sources: Sources; outer: Scope | null };

const QUERIES = ["SelectStmt", "UpdateStmt", "DeleteStmt", "InsertStmt", "MergeStmt"];

/** Each as it is written and the table it stands for. Throws where it is no SQL. */
export async function starsOf(text: string): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt: Node }[] };
  const stars: string[] = [];
  for (const { stmt } of stmts) visit(stmt, null, new Set(), stars);
  return stars;
}

function visit(node: unknown, outer: Scope | null, ctes: ReadonlySet<string>, stars: string[]): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, outer, ctes, stars);
    return;
  }
  if (node === null || typeof node !== "object") return;
  for (const [kind, value] of Object.entries(node)) {
    // A union has its halves unwrapped in larg and rarg.
    if (QUERIES.includes(kind) || kind === "larg" || kind === "rarg") query(value as Node, outer, ctes, stars);
    else visit(value, outer, ctes, stars);
  }
}

function query(node: Node, outer: Scope | null, known: ReadonlySet<string>, stars: string[]): void {
  const ctes = new Set([...known, ...cteNames(node)]);
  const scope: Scope = { sources: new Map(), outer };
  addSources([node.relation && { RangeVar: node.relation }, node.fromClause, node.usingClause], scope.sources, ctes);
  const returned = (node.returningClause as { exprs?: Node[] } | undefined)?.exprs;
  for (const target of [node.targetList, returned].flat() as ({ ResTarget?: Node } | undefined)[]) {
    const fields = (target?.ResTarget?.val as { ColumnRef?: { fields: Node[] } } | undefined)?.ColumnRef?.fields ?? [];
    if (!fields.some((field) => "A_Star" in field)) continue;
    const alias = fields.map((field) => (field.String as { sval: string } | undefined)?.sval).at(-2);
    stars.push(...(alias === undefined ? allOf(scope.sources) : oneOf(alias, scope)));
  }
  visit(node, scope, ctes, stars);
}

const allOf = (sources: Sources): string[] =>
  [...sources.values()].flatMap((table) => (table === null ? [] : `* of ${table}`));

function oneOf(alias: string, scope: Scope | null): string[] {
  if (!scope) return [`${alias}.* of what is not known here`];
  const table = scope.sources.get(alias);
  if (table === undefined) return oneOf(alias, scope.outer);
  return table === null ? [] : [`${alias}.* of ${table}`];
}

const cteNames = (node: Node): string[] =>
  ((node.withClause as { ctes?: { CommonTableExpr: { ctename: string } }[] } | undefined)?.ctes ?? []).map(
    ({ CommonTableExpr }) => CommonTableExpr.ctename,
  );

/** What a query reads from; what a subselect reads from is its own. */
function addSources(node: unknown, sources: Sources, ctes: ReadonlySet<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) addSources(item, sources, ctes);
    return;
  }
  if (node === null || typeof node !== "object") return;
  for (const [kind, value] of Object.entries(node as Record<string, Node>)) {
    const alias = (value.alias as { aliasname?: string } | undefined)?.aliasname;
    if (kind === "RangeVar") {
      const name = String(value.relname);
      const isCte = value.schemaname === undefined && ctes.has(name);
      sources.set(alias ?? name, isCte ? null : value.schemaname === undefined ? name : `${value.schemaname}.${name}`);
    } else if (kind === "JoinExpr") addSources([value.larg, value.rarg], sources, ctes);
    else sources.set(alias ?? `(${sources.size})`, null);
  }
}
