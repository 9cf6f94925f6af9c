// Reads what a file names in its imports, in a process of its own (specifiers.ts): a parser may run long on a hostile text, and
// a native one that runs out of stack ends the process it is in, thread or no thread. Plain JavaScript, because the built
// server has no TypeScript; it is found under the same path there.
import { createRequire } from "node:module";
import process from "node:process";

const require = createRequire(import.meta.url);
const NODES_MAX = 1_000_000;

process.on("disconnect", () => process.exit());
process.on("message", async ({ id, language, path, text }) => {
  const answer = (what) => process.send({ id, ...what });
  try {
    // A parser that isn't installed is a fault of the installation, and not of the text.
    await loaders[language]();
  } catch (error) {
    return answer({ failed: error.message });
  }
  try {
    answer({ specifiers: await readers[language](text, path) });
  } catch {
    // A text that its parser can't take has no imports; the index goes on with the next file.
    answer({ specifiers: [] });
  }
});

const parsers = new Map();
const once = (name, load) => () => {
  if (!parsers.has(name)) parsers.set(name, load());
  return parsers.get(name);
};
const loaders = {
  script: once("script", () => import("oxc-parser")),
  python: once("python", () => openParser("python")),
  go: once("go", () => openParser("go")),
};
const readers = { script: scriptImports, python: pythonImports, go: goImports };

async function scriptImports(text, path) {
  const { parseSync } = await loaders.script();
  const { module, program } = parseSync(path.split("/").at(-1), text);
  const found = new Set();
  for (const { moduleRequest } of module.staticImports) found.add(moduleRequest.value);
  for (const { entries } of module.staticExports)
    for (const { moduleRequest } of entries) if (moduleRequest) found.add(moduleRequest.value);
  for (const { moduleRequest } of module.dynamicImports) {
    const value = literalOf(text.slice(moduleRequest.start, moduleRequest.end));
    if (value !== undefined) found.add(value);
  }
  // Only where the words stand: walking all trees took most of the time.
  if (/\brequire\s*\(|\bimport\s*[A-Za-z_$][\w$]*\s*=|\bimport\s*\(/.test(text)) addRequired(program, found);
  return [...found];
}

const literalOf = (source) => /^(["'`])([^"'`\\$]*)\1$/.exec(source.trim())?.[2];

/** `require("x")`, `import a = require("x")` and the type `import("x")`, with a list of its own instead of recursion. */
function addRequired(program, found) {
  const waiting = [program];
  for (let count = 0; waiting.length > 0 && count < NODES_MAX; count++) {
    const node = waiting.pop();
    const isRequire = node.type === "CallExpression" && node.callee?.name === "require";
    const named =
      (isRequire && node.arguments.length === 1 && node.arguments[0]) ||
      (node.type === "TSExternalModuleReference" && node.expression) ||
      (node.type === "TSImportType" && (node.source ?? node.argument?.literal));
    if (typeof named?.value === "string") found.add(named.value);
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const one of value) if (one?.type) waiting.push(one);
      if (value?.type) waiting.push(value);
    }
  }
}

async function openParser(language) {
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(
    await Language.load(require.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`)),
  );
  return parser;
}

async function pythonImports(text) {
  const found = new Set();
  const tree = (await loaders.python()).parse(text);
  try {
    for (const node of tree.rootNode.descendantsOfType(["import_statement", "import_from_statement"])) {
      if (node.type === "import_statement") {
        for (const name of node.childrenForFieldName("name")) found.add(pythonName(name));
        continue;
      }
      const from = node.childForFieldName("module_name")?.text.replaceAll(/\s/g, "");
      if (!from) continue;
      found.add(from);
      // `from a import b`: b may be a module of the package a.
      const joint = from.endsWith(".") ? "" : ".";
      for (const name of node.childrenForFieldName("name")) found.add(`${from}${joint}${pythonName(name)}`);
    }
  } finally {
    tree.delete();
  }
  return [...found];
}

const pythonName = (node) => (node.childForFieldName("name") ?? node).text.replaceAll(/\s/g, "");

async function goImports(text) {
  const tree = (await loaders.go()).parse(text);
  try {
    const named = tree.rootNode
      .descendantsOfType("import_spec")
      .map((node) => node.childForFieldName("path")?.text ?? "");
    return [...new Set(named.map((quoted) => quoted.slice(1, -1)).filter((one) => one !== ""))];
  } finally {
    tree.delete();
  }
}
