// Files of a workspace that a text names, as an error or a diff does: `src/a.ts:12:3`, `at f (/home/u/code/src/a.ts)`, `+++ b/src/a.ts`.

const NAME = /[\p{L}\p{N}_@.~+\-/\\[\]()]{1,400}/gu;
const TEXT_MAX = 65_536;
const NAMES_MAX = 2_000;
const FILES_MAX = 20;

/** In the order of the text, at most 20. A path from the root of a machine counts by its end, if the workspace has a file there. */
export function filesNamedIn(text: string, paths: ReadonlySet<string>): string[] {
  if (paths.size === 0) return [];
  const found = new Set<string>();
  let seen = 0;
  for (const [name] of text.slice(0, TEXT_MAX).matchAll(NAME)) {
    if (++seen > NAMES_MAX || found.size === FILES_MAX) break;
    // `(3,4)` behind a name is a place in it.
    const bare = name.replaceAll("\\", "/").replace(/\(\d*$/, "");
    const file = fileOf(bare.replace(/^[()[\].]*\/?|[()[\].]+$/g, ""), paths);
    if (file !== undefined) found.add(file);
  }
  return [...found];
}

/** A name without a folder says too little, unless the file lies at the root. */
function fileOf(name: string, paths: ReadonlySet<string>): string | undefined {
  const parts = name.split("/").filter((part) => part !== "");
  for (let from = 0; from < parts.length; from++) {
    const path = parts.slice(from).join("/");
    if (paths.has(path) && (path.includes("/") || parts.length === 1)) return path;
  }
  return undefined;
}
