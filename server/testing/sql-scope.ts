// Whether a statement stays within one project: of every table that has a project column, each place that reads or changes it
// must tie that column down, in the query it stands in; and somewhere the chain must begin with a value that was given.
import { parse } from "libpg-query";

/** Table (`state.agent_turns`) to its project column. */
export type ScopedTables = ReadonlyMap<string, string>;

type Node = Record<string, unknown>;
type Ref = { table: string; alias: string; column: string };

/** What is wrong with it, place by place; empty where all is tied. Throws where it is no SQL. */
export async function faultsOf(text: string, tables: ScopedTables): Promise<string[]> {
  const { stmts = [] } = (await parse(text)) as { stmts?: { stmt: Node }[] };
  const faults: string[] = [];
  for (const { stmt } of stmts) {
    const state: State = { tables, faults, touches: false, isAnchored: false };
    visit(stmt, state, new Set());
    if (state.touches && !state.isAnchored) faults.push("no project column is compared with a value that was given");
  }
  return faults;
}

type State = { tables: ScopedTables; faults: string[]; touches: boolean; isAnchored: boolean };

const QUERIES = ["SelectStmt", "UpdateStmt", "DeleteStmt", "InsertStmt", "MergeStmt"];

function visit(node: unknown, state: State, ctes: ReadonlySet<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) visit(item, state, ctes);
    return;
  }
  if (node === null || typeof node !== "object") return;
  for (const [kind, value] of Object.entries(node)) {
    // A union has its halves unwrapped in larg and rarg.
    const isQuery = QUERIES.includes(kind) || ((kind === "larg" || kind === "rarg") && isBareSelect(value));
    if (isQuery) query(kind, value as Node, state, ctes);
    else visit(value, state, ctes);
  }
}

const isBareSelect = (value: unknown): boolean =>
  value !== null && typeof value === "object" && ("targetList" in value || "op" in value || "valuesLists" in value);

function query(kind: string, node: Node, state: State, outer: ReadonlySet<string>): void {
  const named = new Set(outer);
  for (const name of cteNames(node)) named.add(name);
  const refs = refsOf(node, state.tables, named);
  if (kind === "InsertStmt") insert(node, state, refs);
  else {
    const ties = tiesOf(node);
    for (const ref of refs) {
      state.touches = true;
      const own = ties.filter((tie) => tie.column === ref.column && (tie.alias === null || tie.alias === ref.alias));
      if (own.length === 0) state.faults.push(`${ref.table} ${ref.alias} is not tied to a project`);
      if (own.some((tie) => tie.isGiven)) state.isAnchored = true;
    }
  }
  visit(node, state, named);
}

function insert(node: Node, state: State, refs: Ref[]): void {
  const cols = ((node.cols ?? []) as { ResTarget: { name: string } }[]).map(({ ResTarget }) => ResTarget.name);
  for (const ref of refs) {
    state.touches = true;
    if (!cols.includes(ref.column)) state.faults.push(`an insert into ${ref.table} gives no ${ref.column}`);
    // Where the rows come from is its own query, and judged there.
    else state.isAnchored = true;
  }
}

const cteNames = (node: Node): string[] =>
  ((node.withClause as { ctes?: { CommonTableExpr: { ctename: string } }[] } | undefined)?.ctes ?? []).map(
    ({ CommonTableExpr }) => CommonTableExpr.ctename,
  );

/** Of this query alone, not of those within it. */
function refsOf(node: Node, tables: ScopedTables, ctes: ReadonlySet<string>): Ref[] {
  const refs: Ref[] = [];
  const take = (range: Node) => {
    const name = String(range.relname);
    if (range.schemaname === undefined && ctes.has(name)) return;
    const table = range.schemaname === undefined ? name : `${range.schemaname}.${name}`;
    const column = tables.get(table) ?? tables.get(`public.${table}`);
    const alias = (range.alias as { aliasname?: string } | undefined)?.aliasname ?? name;
    if (column !== undefined) refs.push({ table, alias, column });
  };
  within({ fromClause: node.fromClause, usingClause: node.usingClause }, (kind, value) => {
    if (kind === "RangeVar") take(value as Node);
  });
  if (node.relation) take(node.relation as Node);
  return refs;
}

type Tie = { alias: string | null; column: string; isGiven: boolean };

/** Project columns that this query compares: in WHERE, in the conditions of its joins, and in USING. */
function tiesOf(node: Node): Tie[] {
  const ties: Tie[] = [];
  within({ where: node.whereClause, from: node.fromClause, on: node.joinCondition }, (kind, value, isNegated) => {
    if (kind === "JoinExpr")
      for (const { String: name } of ((value as Node).usingClause ?? []) as { String: { sval: string } }[])
        ties.push({ alias: null, column: name.sval, isGiven: false });
    if (isNegated) return;
    if (kind === "A_Expr" && isEquality(value as Node)) ties.push(...sides(value as Node));
    if (kind === "SubLink" && (value as Node).testexpr) ties.push(...sides({ lexpr: (value as Node).testexpr }));
  });
  return ties;
}

const isEquality = ({ kind, name }: Node): boolean =>
  ["AEXPR_OP", "AEXPR_OP_ANY", "AEXPR_IN"].includes(String(kind)) &&
  (name as { String: { sval: string } }[]).at(-1)?.String.sval === "=";

function sides({ lexpr, rexpr }: Node): Tie[] {
  const [left, right] = [columnsOf(lexpr), columnsOf(rexpr)];
  const tie = (columns: Column[], other: unknown): Tie[] => columns.map((one) => ({ ...one, isGiven: isGiven(other) }));
  return [...tie(left, rexpr), ...tie(right, lexpr)];
}

/** A value of the caller's, and not a column of another row. */
function isGiven(node: unknown): boolean {
  let found = false;
  within({ node }, (kind) => {
    if (kind === "ParamRef") found = true;
  });
  return found;
}

type Column = { alias: string | null; column: string };

function columnsOf(node: unknown): Column[] {
  const columns: Column[] = [];
  const direct = node as Node | undefined;
  const rows = (direct?.RowExpr as { args?: Node[] } | undefined)?.args ?? [direct];
  for (const one of rows) {
    const fields = (one?.ColumnRef as { fields?: { String?: { sval: string } }[] } | undefined)?.fields;
    const names = fields?.flatMap((field) => field.String?.sval ?? []) ?? [];
    const column = names.at(-1);
    if (column !== undefined) columns.push({ alias: names.length > 1 ? (names.at(-2) ?? null) : null, column });
  }
  return columns;
}

/** Walks what belongs to this query: a query within has tables and conditions of its own. What stands under OR or NOT ties nothing. */
function within(node: unknown, tell: (kind: string, value: unknown, isLoose: boolean) => void, isLoose = false): void {
  if (Array.isArray(node)) {
    for (const item of node) within(item, tell, isLoose);
    return;
  }
  if (node === null || typeof node !== "object") return;
  for (const [kind, value] of Object.entries(node)) {
    tell(kind, value, isLoose);
    if (QUERIES.includes(kind)) continue;
    const isBranch = kind === "BoolExpr" && (value as Node).boolop !== "AND_EXPR";
    within(value, tell, isLoose || isBranch);
  }
}
