// What files name in their imports, by the real parsers, and which files of a tree that means.
import { afterAll, expect, test } from "vitest";
import { isRootFile, readImportRoots } from "./import-roots";
import { resolveImports } from "./resolve-imports";
import { openImports } from "./specifiers";

const imports = openImports();
afterAll(() => imports.close());
const of = async (path: string, text: string) => (await imports.specifiersOf(path, text)).sort();

test("TypeScript and JavaScript", async () => {
  const text = `// import no from "./comment";
import a, { type B } from "./a"; import type C from "./c"; import "./side";
export * from "./all"; export { x } from "./x";
const lazy = () => import("./lazy"), other = import(\`./\${a}\`), text = 'import("./text")';
import old = require("./old"); type T = import("./type").T; const r = require("./required");
`;
  const found = ["./a", "./all", "./c", "./lazy", "./old", "./required", "./side", "./type", "./x"];
  expect(await of("src/file.ts", text)).toEqual(found);
  expect(
    await of("file.jsx", 'import x from "./x"; export const y = <a b={() => import("./y")}>import z</a>;'),
  ).toEqual(["./x", "./y"]);
  expect(await of("file.cjs", 'const { a } = require("../a"); require(b);')).toEqual(["../a"]);
});

test("Python", async () => {
  const text = `import os, a.b as c
from . import d, e as f
from ..up.it import (g,
  h)
from z import *
"""
import no
"""
def late():
    import inner
`;
  expect(await of("p/file.py", text)).toEqual(
    [".", ".d", ".e", "..up.it", "..up.it.g", "..up.it.h", "a.b", "inner", "os", "z"].sort(),
  );
});

test("Go", async () => {
  const text =
    'package a\n\nimport (\n\t"fmt"\n\tx "example.org/m/x"\n\t_ `example.org/m/y`\n)\n\nvar s = "import \\"no\\""\n';
  expect(await of("a/file.go", text)).toEqual(["example.org/m/x", "example.org/m/y", "fmt"]);
});

test("odd text, other languages and what is too long have no imports, and the next file has", async () => {
  expect(await of("a.rs", "use crate::b;")).toEqual([]);
  for (const path of ["a.ts", "a.py", "a.go"]) {
    expect(await of(path, "\0\uFFFD}}}} import from (((")).toEqual([]);
    expect(await of(path, "((((".repeat(100_000))).toEqual([]);
    expect(await of(path, "x".repeat(600_000))).toEqual([]);
  }
  expect(await of("a.ts", 'import a from "./a"')).toEqual(["./a"]);
  expect(await of("a.py", "import a")).toEqual(["a"]);
}, 60_000);

const roots = readImportRoots([
  { path: "web/tsconfig.json", text: "{}" },
  {
    path: "tsconfig.json",
    text: '{ // comment, with "quotes"\n "compilerOptions": { /* and } */ "paths": { "@/*": ["./*",], "@/own/*": ["lib/own/*"], "one": ["lib/one.ts"] }, }, }',
  },
  { path: "go/go.mod", text: "// a\nmodule example.org/m\n\ngo 1.22\n" },
  { path: "py/pyproject.toml", text: "" },
]);

test("roots are read from the tree's own files", () => {
  expect(roots).toEqual({
    tsPaths: [
      { pattern: "@/*", targets: [""] },
      { pattern: "@/own/*", targets: ["lib/own/*"] },
      { pattern: "one", targets: ["lib/one.ts"] },
    ].map((one) => (one.pattern === "@/*" ? { ...one, targets: ["*"] } : one)),
    goModules: [{ dir: "go", module: "example.org/m" }],
    pythonRoots: ["", "src", "py", "py/src"],
  });
  expect(readImportRoots([{ path: "tsconfig.json", text: "{ nonsense" }]).tsPaths).toEqual([]);
  expect(
    readImportRoots([{ path: "a/tsconfig.json", text: '{"compilerOptions":{"baseUrl":"./src"}}' }]).tsBaseUrl,
  ).toBe("a/src");
  expect(["a/tsconfig.json", "go.mod", "x.json"].map(isRootFile)).toEqual([true, true, false]);
});

const resolve = (path: string, specifiers: string[], files: string[]) => {
  const known = new Set(files);
  return resolveImports(path, specifiers, { has: (one) => known.has(one), roots });
};

test("imports of scripts mean files of the tree", () => {
  const files = ["a.ts", "b/index.tsx", "b/c.ts", "lib/one.ts", "lib/own/x.ts", "own/x.ts", "d.json", "e.mts", "B.ts"];
  expect(resolve("b/c.ts", ["../a", ".", "./c", "./missing", "../../a", "react"], files)).toEqual([
    "a.ts",
    "b/index.tsx",
  ]);
  expect(resolve("a.ts", ["./b", "./b/c.js", "./d.json?raw", "./e.mjs"], files)).toEqual([
    "b/c.ts",
    "b/index.tsx",
    "d.json",
    "e.mts",
  ]);
  expect(resolve("z.ts", ["@/a", "@/own/x", "one", "@/../a"], files)).toEqual(["a.ts", "lib/one.ts", "lib/own/x.ts"]);
  expect(resolve("z.ts", ["./../B", "constructor", "__proto__", ""], files)).toEqual([]);
});

test("imports of Python and Go mean files of the tree", () => {
  const python = ["p/__init__.py", "p/a.py", "p/q/b.py", "src/s/__init__.py", "py/m.py"];
  expect(resolve("p/q/b.py", ["..", "..a", "s", "s.x", "m", "os", "...", "....p"], python)).toEqual([
    "p/__init__.py",
    "p/a.py",
    "py/m.py",
    "src/s/__init__.py",
  ]);
  const go = ["go/x/x.go", "go/x/doc.go", "go/main.go", "x/x.go"];
  expect(resolve("go/main.go", ["example.org/m/x", "example.org/m", "example.org/more", "fmt"], go)).toEqual([
    "go/x/doc.go",
    "go/x/x.go",
  ]);
});
