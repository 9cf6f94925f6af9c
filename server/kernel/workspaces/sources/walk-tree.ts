// Walks a tree from its root down and says which files belong to a snapshot. Folder, tar and bundle only tell what lies in a
// folder: the names, the rules of .gitignore and the limits are applied here, once, so that equal trees give equal files.
import { setImmediate } from "node:timers/promises";
import { IGNORE_FILE, IgnoreRules } from "@/server/kernel/workspaces/sources/ignore-rules";
import { byBytes, isGitFolder, isGoodName, isGoodPath } from "@/server/kernel/workspaces/sources/names";
import {
  type Skipped,
  SourceFault,
  type SourceFile,
  type SourceLimits,
} from "@/server/kernel/workspaces/sources/source";

export type Entry =
  | { name: string; kind: "folder" | "link" | "special" }
  | { name: string; kind: "file"; size: number; mtimeMs?: number; read: () => Promise<Uint8Array> };

/** What lies in a folder ("" is the root), in any order. */
export type ListFolder = (folder: string) => Promise<Entry[]>;

export async function* walkTree(list: ListFolder, limits: SourceLimits): AsyncGenerator<SourceFile | Skipped> {
  const rules = new IgnoreRules();
  const waiting = [""];
  let files = 0;
  let bytes = 0;
  let folders = 0;
  let pausedAt = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    // A bundle can hold one small tree a million times over.
    if (++folders > limits.filesMax + 1) throw tooMany("folders", limits.filesMax);
    const entries = (await list(folder)).sort((a, b) => byBytes(a.name, b.name));
    await addRules(rules, folder, entries);
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (rules.steps - pausedAt > STEPS_AT_ONCE) {
        // What is ignored is not yielded: a folder of nothing else would block the server for as long as it is compared.
        await setImmediate();
        pausedAt = rules.steps;
      }
      if (isGitFolder(entry.name) || (isGoodName(entry.name) && rules.ignores(path, entry.kind === "folder"))) continue;
      if (!isGoodName(entry.name) || !isGoodPath(path)) yield { path, reason: "bad_name" };
      else if (entry.kind === "folder") waiting.push(path);
      else if (entry.kind !== "file") yield { path, reason: entry.kind };
      else if (entry.size > limits.fileBytesMax) yield { path, reason: "too_large" };
      else {
        if (++files > limits.filesMax) throw tooMany("files", limits.filesMax);
        bytes += entry.size;
        if (bytes > limits.totalBytesMax)
          throw new SourceFault(
            "workspace_refused",
            `the workspace has more than ${limits.totalBytesMax} bytes. Name what is not needed in a .gitignore`,
          );
        const { size, mtimeMs, read } = entry;
        yield { path, size, read, ...(mtimeMs === undefined ? {} : { mtimeMs }) };
      }
    }
  }
}

async function addRules(rules: IgnoreRules, folder: string, entries: readonly Entry[]): Promise<void> {
  const found = entries.find(({ name }) => name === IGNORE_FILE);
  if (found?.kind !== "file") return;
  rules.add(folder, found.size > RULES_BYTES_MAX ? new Uint8Array(RULES_BYTES_MAX) : await found.read());
}

/** Of comparisons: some 20 ms. */
const STEPS_AT_ONCE = 2_000_000;

/** More than the rules take: they are refused for it, and need not be read. */
const RULES_BYTES_MAX = 1024 * 1024;

const tooMany = (what: string, most: number) =>
  new SourceFault(
    "workspace_refused",
    `the workspace has more than ${most} ${what}. Name what is not needed in a .gitignore`,
  );
