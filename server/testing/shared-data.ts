// Real files that other people wrote. They are next to the repository, never in it; without them, tests that need them say
// so and are skipped.
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../../shared/data");

/** Names and paths of the files of one folder that end so, in order; none when the folder is not there. */
export function sharedFiles(folder: string, ext: string): { name: string; path: string }[] {
  const dir = path.join(root, folder);
  if (!fs.existsSync(dir)) {
    console.warn(`../shared/data/${folder} not found: its tests are skipped`);
    return [];
  }
  const names = fs.readdirSync(dir).filter((name) => name.endsWith(ext));
  return names.sort().map((name) => ({ name, path: path.join(dir, name) }));
}
