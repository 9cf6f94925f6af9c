// What the listing of a workspace says of its project. Pure: equal trees have equal facts.
import type { SnapshotFile } from "@/server/contract/context-pack/build-input";

const languages: Record<string, string> = {
  ...{ ts: "TypeScript", tsx: "TypeScript", mts: "TypeScript", cts: "TypeScript" },
  ...{ js: "JavaScript", jsx: "JavaScript", mjs: "JavaScript", cjs: "JavaScript" },
  ...{
    py: "Python",
    go: "Go",
    rs: "Rust",
    java: "Java",
    kt: "Kotlin",
    rb: "Ruby",
    php: "PHP",
    cs: "C#",
    swift: "Swift",
  },
  ...{ c: "C", h: "C", cc: "C++", cpp: "C++", hpp: "C++" },
};
/** The first that is there, at the root. */
const managers: [file: string, manager: string][] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["package-lock.json", "npm"],
  ["package.json", "npm"],
  ["uv.lock", "uv"],
  ["poetry.lock", "poetry"],
  ["pyproject.toml", "pip"],
  ["requirements.txt", "pip"],
  ["go.mod", "go"],
  ["Cargo.toml", "cargo"],
];

export type RepoFacts = { language?: string; packageManager?: string };

/** The language with the most files; of two with as many, the first by name. */
export function repoFacts(files: readonly SnapshotFile[]): RepoFacts {
  const counts = new Map<string, number>();
  const paths = new Set<string>();
  for (const { path } of files) {
    paths.add(path);
    const language = languages[/\.([a-z]+)$/.exec(path)?.[1] ?? ""];
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const manager = managers.find(([file]) => paths.has(file))?.[1];
  return { ...(first && { language: first[0] }), ...(manager !== undefined && { packageManager: manager }) };
}
