// Which files of the tree an import means. Pure: it asks only whether a path is there. What lies outside of the tree, such as
// a package of a registry, means nothing here.
import { type ImportRoots, under } from "@/server/kernel/workspaces/imports/import-roots";

type Tree = { has: (path: string) => boolean; roots: ImportRoots };

const SCRIPT_ENDINGS = [".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".json"];
/** TypeScript's own manner: the import names the file that will be built. */
const BUILT: [string, string[]][] = [
  [".js", [".ts", ".tsx"]],
  [".jsx", [".tsx"]],
  [".mjs", [".mts"]],
  [".cjs", [".cts"]],
];

/** Sorted, without the file itself. */
export function resolveImports(path: string, specifiers: readonly string[], tree: Tree): string[] {
  const dir = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const isPython = /\.pyi?$/i.test(path);
  const isGo = /\.go$/i.test(path);
  const found = new Set<string>();
  for (const specifier of specifiers) {
    const targets = isPython
      ? pythonTargets(dir, specifier, tree)
      : isGo
        ? goTargets(specifier, tree)
        : scriptTargets(dir, specifier, tree);
    for (const target of targets) if (target !== path) found.add(target);
  }
  return [...found].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function scriptTargets(dir: string, specifier: string, tree: Tree): string[] {
  const plain = specifier.replace(/[?#].*$/, "");
  const isRelative = /^\.{1,2}(\/|$)/.test(plain);
  const places = isRelative ? [under(dir, plain)] : aliasesOf(plain, tree.roots);
  for (const place of places) {
    const file = scriptFile(place, tree);
    if (file !== undefined) return [file];
  }
  return [];
}

/** The pattern with the longest text before its star wins, as in TypeScript. */
function aliasesOf(specifier: string, { tsPaths, tsBaseUrl }: ImportRoots): string[] {
  const fitting = tsPaths
    .flatMap(({ pattern, targets }) => {
      const [before = "", after] = pattern.split("*");
      if (after === undefined) return pattern === specifier ? [{ weight: Number.POSITIVE_INFINITY, targets }] : [];
      const isFit =
        specifier.length >= before.length + after.length && specifier.startsWith(before) && specifier.endsWith(after);
      const star = specifier.slice(before.length, specifier.length - after.length);
      return isFit ? [{ weight: before.length, targets: targets.map((one) => one.replace("*", () => star)) }] : [];
    })
    .sort((a, b) => b.weight - a.weight);
  const targets = fitting[0]?.targets.map((one) => under("", one)) ?? [];
  return tsBaseUrl === undefined ? targets : [...targets, under(tsBaseUrl, specifier)];
}

function scriptFile(place: string, { has }: Tree): string | undefined {
  const built = BUILT.flatMap(([ending, sources]) =>
    place.endsWith(ending) ? sources.map((source) => place.slice(0, -ending.length) + source) : [],
  );
  const index = place === "" ? "index" : `${place}/index`;
  const candidates = [
    place,
    ...built,
    ...SCRIPT_ENDINGS.map((ending) => place + ending),
    ...SCRIPT_ENDINGS.map((ending) => index + ending),
  ];
  return candidates.find((one) => one !== "" && has(one));
}

function pythonTargets(dir: string, specifier: string, tree: Tree): string[] {
  const dots = /^\.+/.exec(specifier)?.[0].length ?? 0;
  const names = specifier.slice(dots).split(".").join("/");
  // One dot is the file's own package, each further one the package above.
  const bases = dots > 0 ? [under(dir, "../".repeat(dots - 1))] : [...tree.roots.pythonRoots, dir];
  for (const base of bases) {
    const place = under(base, names);
    const file = [`${place}.py`, `${place}.pyi`, under(place, "__init__.py"), under(place, "__init__.pyi")].find(
      (one) => tree.has(one),
    );
    if (file !== undefined) return [file];
  }
  return [];
}

/** An import of Go means a package, which is a folder: its files are found by the names that are usual in it. */
function goTargets(specifier: string, { has, roots }: Tree): string[] {
  const [inner] = roots.goModules
    .filter(({ module }) => specifier === module || specifier.startsWith(`${module}/`))
    .sort((a, b) => b.module.length - a.module.length);
  if (!inner) return [];
  const dir = under(inner.dir, specifier.slice(inner.module.length));
  const name = (dir === "" ? specifier : dir).split("/").at(-1) ?? "";
  return [name, "doc", "main", "types"].map((one) => under(dir, `${one}.go`)).filter(has);
}
