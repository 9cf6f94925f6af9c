// Every SQL statement of the server, read from its sources: template literals with what stands in their ${}. Constants and
// the small functions that put pieces together are followed, through imports too, without running anything.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

export type SqlText = {
  /** `kernel/turns/advance.ts ADVANCE`: its file, and the constant or the function it stands in. */
  name: string;
  /** As far as it can be told without running it: what is known only then is left out, or stands as NULL. */
  texts: string[];
  /** It is put into another statement, which is read too: by itself it may be half of one. */
  isPiece: boolean;
};

const root = path.resolve(import.meta.dirname, "../..");
const STATEMENT = /^\s*(WITH|SELECT|INSERT|UPDATE|DELETE|MERGE)\s/;

/** What a number, a tunable or a value at run time stands for: no table hides in it. */
const UNKNOWNS = ["NULL", ""];

type Scope = { file: ts.SourceFile; locals: Map<string, string | string[]>; unknown: string; used: Set<ts.Node> };

export function readSqlTexts(): SqlText[] {
  const found: (SqlText & { node: ts.Node })[] = [];
  const used = new Set<ts.Node>();
  for (const file of sources().values()) {
    const take = (node: ts.Expression, within: string | null) => {
      const texts = UNKNOWNS.map((unknown) => evaluate(node, { file, locals: new Map(), unknown, used }, 0));
      if (!texts.every((text) => STATEMENT.test(text))) return;
      const name = `${path.relative(path.join(root, "server"), file.fileName)} ${within ?? "?"}`;
      found.push({ name, texts: [...new Set(texts)], isPiece: false, node });
    };
    const visit = (node: ts.Node, within: string | null) => {
      const name = within ?? nameOf(node);
      if (ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)) take(node, name);
      // A function that puts a statement together, where it is called with the rest of it.
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) take(node, name);
      ts.forEachChild(node, (child) => visit(child, name));
    };
    visit(file, null);
  }
  return found.map(({ node, ...text }) => ({ ...text, isPiece: used.has(node) }));
}

/** The texts of an expression somewhere in `file`, whoever has parsed it. */
export const textsOf = (node: ts.Expression, file: ts.SourceFile): string[] =>
  UNKNOWNS.map((unknown) => evaluate(node, { file, locals: new Map(), unknown, used: new Set() }, 0));

function nameOf(node: ts.Node): string | null {
  const isNamed = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
  return isNamed && node.name && ts.isIdentifier(node.name) ? node.name.text : null;
}

let read: Map<string, ts.SourceFile> | undefined;

function sources(): Map<string, ts.SourceFile> {
  read ??= new Map(
    readdirSync(path.join(root, "server"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("testing/"))
      .map((name) => path.join(root, "server", name))
      .map((file) => [file, ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)]),
  );
  return read;
}

const DEPTH_MAX = 20;

function evaluate(node: ts.Expression, scope: Scope, depth: number): string {
  if (depth > DEPTH_MAX) return scope.unknown;
  const within = (child: ts.Expression) => evaluate(child, scope, depth + 1);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => within(span.expression) + span.literal.text).join("");
  if (isWrapped(node)) return within(node.expression);
  if (ts.isConditionalExpression(node))
    return within(isNo(node.condition, scope, depth + 1) ? node.whenFalse : node.whenTrue);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return within(node.left) + within(node.right);
  if (ts.isIdentifier(node)) return ofName(node.text, scope, depth);
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
    return ofCall(
      node.expression.text,
      node.arguments.map((one) => listOf(one, scope, depth + 1) ?? within(one)),
      scope,
      depth,
    );
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
    return ofMember(node.expression.text, node.name.text, scope, depth);
  const joined = joinOf(node, scope, depth);
  if (joined !== undefined) return joined;
  // A text that is only told apart by what is cut from it: what it starts from has all its tables.
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && isCut(node.expression.name.text))
    return within(node.expression.expression);
  return scope.unknown;
}

const isCut = (name: string): boolean => ["replace", "replaceAll", "trim"].includes(name);

type Wrapped = ts.ParenthesizedExpression | ts.AsExpression | ts.SatisfiesExpression;
const isWrapped = (node: ts.Node): node is Wrapped =>
  ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);

/** `COLUMNS.map((column) => `t.${column}`).join(", ")`. */
function joinOf(node: ts.Expression, scope: Scope, depth: number): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const [separator] = node.arguments;
  if (node.expression.name.text !== "join" || !separator) return undefined;
  const items = listOf(node.expression.expression, scope, depth + 1);
  return items?.join(evaluate(separator, scope, depth + 1));
}

/** A list of texts, mapped or not; undefined where it is none, or known at run time only. */
function listOf(node: ts.Expression, scope: Scope, depth: number): string[] | undefined {
  if (depth > DEPTH_MAX) return undefined;
  if (isWrapped(node)) return listOf(node.expression, scope, depth + 1);
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((one) =>
      ts.isSpreadElement(one) ? listOf(one.expression, scope, depth + 1) : [evaluate(one, scope, depth + 1)],
    );
    return items.every((item) => item !== undefined) ? items.flat() : undefined;
  }
  if (ts.isIdentifier(node)) {
    const local = scope.locals.get(node.text);
    if (local !== undefined) return Array.isArray(local) ? local : undefined;
    const found = declarationOf(node.text, scope.file);
    if (!found || !ts.isVariableDeclaration(found.node) || !found.node.initializer) return undefined;
    return listOf(found.node.initializer, { ...scope, file: found.file, locals: new Map() }, depth + 1);
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const [made] = node.arguments;
  const items = listOf(node.expression.expression, scope, depth + 1);
  const isMap = node.expression.name.text === "map" && made && ts.isArrowFunction(made) && !ts.isBlock(made.body);
  const parameter = isMap ? made.parameters[0]?.name : undefined;
  if (!items || !isMap || !parameter || !ts.isIdentifier(parameter)) return undefined;
  const body = made.body as ts.Expression;
  return items.map((item) =>
    evaluate(body, { ...scope, locals: new Map([...scope.locals, [parameter.text, item]]) }, depth + 1),
  );
}

/** A question about a constant list, perhaps through a function; false where it cannot be told. */
function isNo(node: ts.Expression, scope: Scope, depth: number): boolean {
  if (depth > DEPTH_MAX || !ts.isCallExpression(node)) return false;
  const [asked] = node.arguments;
  if (!asked) return false;
  if (ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === "includes") {
    const items = listOf(node.expression.expression, scope, depth + 1);
    return items !== undefined && !items.includes(evaluate(asked, scope, depth + 1));
  }
  const found = ts.isIdentifier(node.expression) ? declarationOf(node.expression.text, scope.file) : undefined;
  const made = found && functionOf(found.node);
  const parameter = made?.parameters[0]?.name;
  if (!found || !made || !parameter || !ts.isIdentifier(parameter)) return false;
  const locals = new Map([[parameter.text, evaluate(asked, scope, depth + 1)]]);
  return isNo(made.answer, { ...scope, file: found.file, locals }, depth + 1);
}

/** A constant object of statements: `CLAIMABLE.named`. */
function ofMember(name: string, member: string, scope: Scope, depth: number): string {
  const found = declarationOf(name, scope.file);
  const made = found && ts.isVariableDeclaration(found.node) ? found.node.initializer : undefined;
  if (!found || !made || !ts.isObjectLiteralExpression(made)) return scope.unknown;
  for (const property of made.properties)
    if (ts.isPropertyAssignment(property) && ts.isIdentifier(property.name) && property.name.text === member)
      return evaluate(property.initializer, { ...scope, file: found.file, locals: new Map() }, depth + 1);
  return scope.unknown;
}

function ofName(name: string, scope: Scope, depth: number): string {
  const local = scope.locals.get(name);
  if (local !== undefined) return Array.isArray(local) ? scope.unknown : local;
  const found = declarationOf(name, scope.file);
  if (!found || !ts.isVariableDeclaration(found.node) || !found.node.initializer) return scope.unknown;
  scope.used.add(found.node.initializer);
  return evaluate(found.node.initializer, { ...scope, file: found.file, locals: new Map() }, depth + 1);
}

function ofCall(name: string, values: (string | string[])[], scope: Scope, depth: number): string {
  const found = declarationOf(name, scope.file);
  const made = found && functionOf(found.node);
  if (!found || !made) return scope.unknown;
  const locals = new Map<string, string | string[]>();
  for (const [i, parameter] of made.parameters.entries()) {
    if (!ts.isIdentifier(parameter.name)) continue;
    const otherwise =
      parameter.initializer && evaluate(parameter.initializer, { ...scope, file: found.file, locals }, depth + 1);
    locals.set(parameter.name.text, values[i] ?? otherwise ?? scope.unknown);
  }
  scope.used.add(made.answer);
  return evaluate(made.answer, { ...scope, file: found.file, locals }, depth + 1);
}

type Made = { parameters: readonly ts.ParameterDeclaration[]; answer: ts.Expression };

/** A function that is one expression, or one return. */
function functionOf(node: ts.Declaration): Made | undefined {
  const made = ts.isVariableDeclaration(node) ? node.initializer : node;
  if (!made || !(ts.isArrowFunction(made) || ts.isFunctionDeclaration(made)) || !made.body) return undefined;
  if (!ts.isBlock(made.body)) return { parameters: made.parameters, answer: made.body };
  const [only] = made.body.statements;
  if (!only || !ts.isReturnStatement(only) || !only.expression) return undefined;
  return { parameters: made.parameters, answer: only.expression };
}

function declarationOf(name: string, file: ts.SourceFile): { node: ts.Declaration; file: ts.SourceFile } | undefined {
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement))
      for (const node of statement.declarationList.declarations)
        if (ts.isIdentifier(node.name) && node.name.text === name) return { node, file };
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return { node: statement, file };
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    const bound = bindings.elements.find((element) => element.name.text === name);
    const from = bound && resolve(statement.moduleSpecifier.text, file.fileName);
    if (from) return declarationOf((bound.propertyName ?? bound.name).text, from);
  }
  return undefined;
}

function resolve(specifier: string, from: string): ts.SourceFile | undefined {
  const base = specifier.startsWith("@/")
    ? path.join(root, specifier.slice(2))
    : path.resolve(path.dirname(from), specifier);
  return sources().get(`${base}.ts`);
}
