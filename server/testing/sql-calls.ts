// Every place where the server runs a statement of the kernel, with the text that is run and the row type that is declared for
// it: read from the sources by the TypeScript compiler, through constants, conditions and the parameters of a wrapper.
import { readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { textsOf } from "./sql-texts";

export type SqlCall = {
  /** `kernel/turns/advance.ts turns_advance`. */
  where: string;
  /** Null where it is put together while running. */
  name: string | null;
  /** One for each way it may be; empty where it cannot be told without running it. */
  texts: string[][];
  /** Null = none is declared: nobody reads its rows by name. */
  row: Row | null;
};
export type Row = { type: string; columns: Map<string, Column> };
export type Column = { isOptional: boolean; isNull: boolean; kinds: Kind[]; type: string };
export type Kind = "string" | "number" | "boolean" | "array" | "bytes" | "object" | "any";

const root = path.resolve(import.meta.dirname, "../..");
/** Whose statements are named and typed. Backups, migrations and the embedded server speak to databases of their own. */
const FOLDERS = ["server/kernel", "server/interop"];

type Call = { node: ts.CallExpression; name?: ts.Expression; text?: ts.Expression; row?: ts.Type };

export function readSqlCalls(): SqlCall[] {
  const program = programOf();
  const checker = program.getTypeChecker();
  const files = program.getSourceFiles().filter((file) => FOLDERS.some((one) => within(file).startsWith(`${one}/`)));
  const calls = files.flatMap((file) => callsIn(file, checker));
  const told = calls.flatMap((call) => unwrap(call, files, checker));
  return told.map(({ node, name, text, row }) => {
    const literal = name && ts.isStringLiteralLike(name) ? name.text : null;
    const label = literal ?? text?.getText().split("\n")[0]?.slice(0, 40) ?? "?";
    return {
      where: `${within(node.getSourceFile()).replace("server/", "")} ${label}`,
      name: literal,
      texts: text ? waysOf(text, checker).map((way) => textsOf(way, way.getSourceFile())) : [],
      row: row ? rowOf(row, checker, node) : null,
    };
  });
}

const within = (file: ts.SourceFile): string => path.relative(root, file.fileName);

function programOf(): ts.Program {
  const names = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => path.join(root, folder, name)),
  );
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root);
  const settings = { ...options, noEmit: true, incremental: false, types: ["node"], lib: ["lib.es2023.d.ts"] };
  const host = ts.createCompilerHost(settings);
  const readFile = host.readFile;
  // No row is declared by what these say, and to read them is a third of the time.
  host.readFile = (file) => (/\/(prisma\/generated|csstype)\//.test(file) ? "export {};" : readFile(file));
  return ts.createProgram(names, settings, host);
}

/** `unit.query(name, text)`, `read(reader, name, text)` and `pool.query({ name, text })` or `pool.query(text, values)`. */
function callsIn(file: ts.SourceFile, checker: ts.TypeChecker): Call[] {
  const calls: Call[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node)) {
      const call = partsOf(node, checker);
      const type = node.typeArguments?.[0];
      if (call) calls.push({ ...call, node, row: type && checker.getTypeFromTypeNode(type) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return calls;
}

function partsOf(node: ts.CallExpression, checker: ts.TypeChecker): Pick<Call, "name" | "text"> | null {
  const [first, second, third] = node.arguments;
  const { expression } = node;
  if (ts.isIdentifier(expression)) return expression.text === "read" && third ? { name: second, text: third } : null;
  if (!ts.isPropertyAccessExpression(expression) || !first) return null;
  const verb = expression.name.text;
  if (verb !== "query" && verb !== "send") return null;
  if (ts.isObjectLiteralExpression(first))
    return { name: propertyOf(first, "name", checker), text: propertyOf(first, "text", checker) };
  const isNamed = second && checker.getTypeAtLocation(second).flags & ts.TypeFlags.StringLike;
  if (isNamed) return { name: first, text: second };
  const isText = checker.getTypeAtLocation(first).flags & ts.TypeFlags.StringLike;
  return isText && verb === "query" ? { text: first } : null;
}

function propertyOf(node: ts.ObjectLiteralExpression, name: string, checker: ts.TypeChecker) {
  for (const property of node.properties) {
    if (property.name?.getText() !== name) continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) {
      const symbol = checker.getShorthandAssignmentValueSymbol(property);
      const made = symbol?.valueDeclaration;
      return made && ts.isVariableDeclaration(made) ? made.initializer : property.name;
    }
  }
  return undefined;
}

/** A call in a wrapper that is handed its text is told at each call of the wrapper. */
function unwrap(call: Call, files: ts.SourceFile[], checker: ts.TypeChecker): Call[] {
  const at = call.text && parameterOf(call.text, checker);
  if (!at) return [call];
  const named = call.name && parameterOf(call.name, checker);
  const outer: Call[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && declarationOf(node.expression, checker) === at.owner) {
      const type = node.typeArguments?.[0];
      const row = call.row?.isTypeParameter() ? type && checker.getTypeFromTypeNode(type) : call.row;
      outer.push({
        node,
        name: named ? node.arguments[named.index] : call.name,
        text: node.arguments[at.index],
        row,
      });
    }
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return outer.flatMap((one) => unwrap(one, files, checker));
}

type Parameter = { owner: ts.Node; index: number };

function parameterOf(node: ts.Expression, checker: ts.TypeChecker): Parameter | null {
  const made = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node)?.valueDeclaration : undefined;
  if (!made || !ts.isParameter(made)) return null;
  return { owner: made.parent, index: made.parent.parameters.indexOf(made) };
}

function declarationOf(node: ts.Expression, checker: ts.TypeChecker): ts.Node | undefined {
  const symbol = checker.getSymbolAtLocation(node);
  const own = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const made = own?.valueDeclaration;
  return made && ts.isVariableDeclaration(made) ? made.initializer : made;
}

function waysOf(node: ts.Expression, checker: ts.TypeChecker): ts.Expression[] {
  if (ts.isConditionalExpression(node)) return [...waysOf(node.whenTrue, checker), ...waysOf(node.whenFalse, checker)];
  if (ts.isElementAccessExpression(node)) {
    const made = declarationOf(node.expression, checker);
    if (made && ts.isObjectLiteralExpression(made))
      return made.properties.flatMap((one) => (ts.isPropertyAssignment(one) ? waysOf(one.initializer, checker) : []));
  }
  const made = ts.isIdentifier(node) ? declarationOf(node, checker) : undefined;
  if (made && ts.isConditionalExpression(made)) return waysOf(made, checker);
  if (made && ts.isBindingElement(made)) return waysOfPart(made, checker) ?? [node];
  return [node];
}

/** `const [name, sql] = isOne ? ["one", ONE] : ["all", ALL]`. */
function waysOfPart(made: ts.BindingElement, checker: ts.TypeChecker): ts.Expression[] | null {
  const pattern = made.parent;
  const whole = ts.isArrayBindingPattern(pattern) ? pattern.parent : null;
  if (!whole || !ts.isVariableDeclaration(whole) || !whole.initializer) return null;
  const index = pattern.elements.indexOf(made);
  return waysOf(whole.initializer, checker).flatMap((way) => {
    const part = ts.isArrayLiteralExpression(way) ? way.elements[index] : undefined;
    return part ? waysOf(part, checker) : [];
  });
}

/** Of a union: what any of its members has. */
function rowOf(type: ts.Type, checker: ts.TypeChecker, at: ts.Node): Row | null {
  const members = type.isUnion() ? type.types : [type];
  const isOpen = (one: ts.Type) => one.isTypeParameter() || checker.getIndexInfosOfType(one).length > 0;
  if (members.some(isOpen) || (type.flags & ts.TypeFlags.Any) !== 0) return null;
  const columns = new Map<string, Column>();
  for (const member of members)
    for (const symbol of checker.getPropertiesOfType(member)) {
      const column = columnOf(symbol, checker, at);
      const known = columns.get(symbol.name);
      columns.set(symbol.name, {
        ...column,
        isNull: column.isNull || (known?.isNull ?? false),
        kinds: [...new Set([...column.kinds, ...(known?.kinds ?? [])])],
      });
    }
  return { type: checker.typeToString(type), columns };
}

function columnOf(symbol: ts.Symbol, checker: ts.TypeChecker, at: ts.Node): Column {
  const type = checker.getTypeOfSymbolAtLocation(symbol, at);
  const parts = type.isUnion() ? type.types : [type];
  return {
    isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
    isNull: parts.some((part) => (part.flags & (ts.TypeFlags.Null | ANYTHING)) !== 0),
    kinds: [...new Set(parts.flatMap((part) => kindOf(part, checker)))],
    type: checker.typeToString(type),
  };
}

const ANYTHING = ts.TypeFlags.Any | ts.TypeFlags.Unknown;
const FLAT: [ts.TypeFlags, Kind[]][] = [
  [ANYTHING, ["any"]],
  [ts.TypeFlags.Null | ts.TypeFlags.Undefined, []],
  [ts.TypeFlags.StringLike, ["string"]],
  [ts.TypeFlags.NumberLike, ["number"]],
  [ts.TypeFlags.BooleanLike, ["boolean"]],
];

function kindOf(type: ts.Type, checker: ts.TypeChecker): Kind[] {
  const flat = FLAT.find(([flags]) => (type.flags & flags) !== 0);
  if (flat) return flat[1];
  if (checker.isArrayType(type) || checker.isTupleType(type)) return ["array"];
  const { symbol } = type as { symbol?: ts.Symbol };
  return [symbol?.name === "Buffer" ? "bytes" : "object"];
}
