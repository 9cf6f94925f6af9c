// Reads the tree of a folder on this machine. Its files change while they are read, and a folder may be swapped for a link
// at any moment: each file is opened without following links, and is read only when what was opened lies where its path says.
import type { Stats } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { faultOfPath, readFile } from "@/server/kernel/workspaces/sources/read-file";
import {
  type Skipped,
  SourceFault,
  type SourceFile,
  type SourceLimits,
} from "@/server/kernel/workspaces/sources/source";
import { type Entry, walkTree } from "@/server/kernel/workspaces/sources/walk-tree";

export async function* readFolder(root: string, limits: SourceLimits): AsyncGenerator<SourceFile | Skipped> {
  const real = await realRoot(root);
  yield* walkTree((folder) => list(real, folder, limits), limits);
}

export async function realRoot(root: string): Promise<string> {
  try {
    const real = await fs.realpath(root);
    if ((await fs.stat(real)).isDirectory()) return real;
  } catch (error) {
    if (!isAway(error)) throw faultOfPath(error, "");
  }
  throw new SourceFault(
    "workspace_gone",
    "the folder of the workspace is missing. Put it back, or correct its path in the server's configuration",
  );
}

const isAway = (error: unknown) => ["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "");

async function list(real: string, folder: string, limits: SourceLimits): Promise<Entry[]> {
  const place = path.join(real, folder);
  const names = await readNames(real, place, folder);
  const entries: Entry[] = [];
  for (const name of names) {
    const inside = folder === "" ? name : `${folder}/${name}`;
    const found = await statOf(path.join(place, name), inside);
    // Gone since its name was read, or no UTF-8: the first is as if we had come later, the second has no path to be asked by.
    if (found) entries.push(entryOf(real, name, inside, found, limits));
    else if (name.includes("\uFFFD")) entries.push({ name, kind: "special" });
  }
  return entries;
}

async function readNames(real: string, place: string, folder: string): Promise<string[]> {
  try {
    const names = await fs.readdir(place);
    // Read through a link that was put there meanwhile, the names would be those of another place.
    if ((await fs.realpath(place)) === place) return names;
  } catch (error) {
    if (!isAway(error)) throw faultOfPath(error, folder);
  }
  await realRoot(real);
  throw changed(folder);
}

const changed = (folder: string) =>
  new SourceFault(
    "workspace_changed",
    `${folder || "the root folder"}: it was moved or replaced while it was read. Index the workspace again`,
    folder,
  );

async function statOf(place: string, inside: string): Promise<Stats | undefined> {
  try {
    return await fs.lstat(place);
  } catch (error) {
    if (isAway(error)) return undefined;
    throw faultOfPath(error, inside);
  }
}

function entryOf(real: string, name: string, inside: string, found: Stats, limits: SourceLimits): Entry {
  if (found.isSymbolicLink()) return { name, kind: "link" };
  if (found.isDirectory()) return { name, kind: "folder" };
  if (!found.isFile()) return { name, kind: "special" };
  const { size, mtimeMs } = found;
  return { name, kind: "file", size, mtimeMs, read: () => readFile(real, inside, limits, size) };
}
