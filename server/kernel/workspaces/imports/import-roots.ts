// From where the imports of a tree are counted: `paths` of a tsconfig.json, modules of go.mod files, folders of Python
// packages. Read from the tree's own files; one that can't be read is as if it weren't there.
import { parseConfig } from "@/server/kernel/workspaces/imports/parse-config";

export type ImportRoots = {
  tsPaths: { pattern: string; targets: string[] }[];
  tsBaseUrl?: string;
  goModules: { dir: string; module: string }[];
  pythonRoots: string[];
};

const CONFIG = /(^|\/)(tsconfig|jsconfig)\.json$/;
const PYTHON_PROJECT = /(^|\/)(pyproject\.toml|setup\.py|setup\.cfg)$/;

/** Give it these files; others are passed over. */
export const isRootFile = (path: string) =>
  CONFIG.test(path) || PYTHON_PROJECT.test(path) || /(^|\/)go\.mod$/.test(path);

export function readImportRoots(files: { path: string; text: string }[]): ImportRoots {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const roots: ImportRoots = { tsPaths: [], goModules: [], pythonRoots: ["", "src"] };
  for (const { path, text } of sorted) {
    const dir = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const module = /(^|\/)go\.mod$/.test(path) ? /^module\s+"?([^\s"]+)/m.exec(text)?.[1] : undefined;
    if (module) roots.goModules.push({ dir, module });
    if (PYTHON_PROJECT.test(path)) roots.pythonRoots.push(dir, under(dir, "src"));
  }
  // The one nearest to the root: `paths` of several would contradict each other.
  const config = sorted
    .filter(({ path }) => CONFIG.test(path))
    .sort((a, b) => a.path.split("/").length - b.path.split("/").length)[0];
  roots.pythonRoots = [...new Set(roots.pythonRoots)];
  return config ? { ...roots, ...tsRoots(config) } : roots;
}

function tsRoots({ path, text }: { path: string; text: string }): Pick<ImportRoots, "tsPaths" | "tsBaseUrl"> {
  const dir = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const options = objectOf(objectOf(parseConfig(text)).compilerOptions);
  const { baseUrl } = options;
  const base = typeof baseUrl === "string" ? under(dir, baseUrl) : undefined;
  const tsPaths = Object.entries(objectOf(options.paths)).flatMap(([pattern, targets]) =>
    Array.isArray(targets)
      ? [{ pattern, targets: targets.filter((one) => typeof one === "string").map((one) => under(base ?? dir, one)) }]
      : [],
  );
  return base === undefined ? { tsPaths } : { tsPaths, tsBaseUrl: base };
}

const objectOf = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** Joined without `.` and empty names; `..` stays where it leads out, and fits no path of the tree then. */
export function under(dir: string, relative: string): string {
  const names = dir === "" ? [] : dir.split("/");
  for (const name of relative.split("/")) {
    if (name === "" || name === ".") continue;
    if (name === ".." && names.length > 0 && names.at(-1) !== "..") names.pop();
    else names.push(name);
  }
  return names.join("/");
}
