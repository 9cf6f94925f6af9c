// Makes an index from a source, in batches of bounded size, and shows it when it is complete. Until then, and if anything fails,
// the former index is read.
import type { Workspace } from "@/server/contract/workspace";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { dropOtherRows } from "./drop-rows";
import { beat, type Hold, lostHold, type Progress } from "./hold";
import { isRootFile, readImportRoots } from "./imports/import-roots";
import { openImports } from "./imports/specifiers";
import { inBatches, type Source } from "./in-batches";
import { whileHeld } from "./keep-hold";
import { linkFiles } from "./link-files";
import { type ReadRow, readOne, stampOf } from "./read-one";
import { digestSnapshot } from "./snapshot";
import type { SourceFile } from "./sources/source";
import { copyFiles, writeFiles } from "./write-files";

export type TreeInput = { kind: Workspace["kind"]; source: Source };

/** Of files such as tsconfig.json and go.mod, whose texts are held until all paths are known. */
const ROOT_FILES_MAX = 200;
const ROOT_BYTES_MAX = 65_536;

const FINISH = `
  UPDATE resource.workspaces SET state = 'ready', generation = generation + 1, snapshot_sha256 = $4, files = $5, kind = $6,
    lease_id = NULL, lease_until = NULL, is_waiting = false, indexed_at = now()
  WHERE project_id = $1 AND name = $2 AND lease_id = $3 RETURNING name`;

/** What is known of the whole tree while it is read. */
type Tree = {
  kind: Workspace["kind"];
  progress: Progress;
  paths: Set<string>;
  rootFiles: { path: string; text: string }[];
  imports: ReturnType<typeof openImports>;
};

/** The caller has the hold, and lets it go when this throws. */
export function indexTree(kernel: Kernel, hold: Hold, input: TreeInput): Promise<void> {
  return whileHeld(kernel, hold, () => indexAll(kernel, hold, input));
}

async function indexAll(kernel: Kernel, hold: Hold, { kind, source }: TreeInput): Promise<void> {
  const progress: Progress = { seen: 0, done: 0, skipped: {} };
  const tree: Tree = { kind, progress, paths: new Set(), rootFiles: [], imports: openImports() };
  try {
    for await (const batch of inBatches(source, tree)) await indexBatch(kernel, hold, tree, batch);
  } finally {
    await tree.imports.close();
  }
  const roots = readImportRoots(tree.rootFiles);
  await linkFiles(kernel, hold, { has: (path) => tree.paths.has(path), roots }, progress);
  await show(kernel, hold, kind);
}

async function indexBatch(kernel: Kernel, hold: Hold, tree: Tree, batch: SourceFile[]): Promise<void> {
  const known = batch.map((file) => ({ path: file.path, stamp: stampOf(file) }));
  const copied = await withUnit(kernel, async (unit) => {
    await beat(unit, hold, tree.progress);
    return copyFiles(unit, hold, known);
  });
  const read: ReadRow[] = [];
  for (const file of batch) {
    const isRoot = isRootFile(file.path) && file.size <= ROOT_BYTES_MAX && tree.rootFiles.length < ROOT_FILES_MAX;
    if (copied.has(file.path) && !isRoot) continue;
    const one = await readOne(file, tree.imports);
    if (isRoot && one.text !== null) tree.rootFiles.push({ path: file.path, text: one.text });
    if (!copied.has(file.path)) read.push(one);
  }
  const done = tree.progress.done + batch.length;
  await withUnit(kernel, async (unit) => {
    await beat(unit, hold, { ...tree.progress, done });
    await writeFiles(unit, hold, { read, keeps: tree.kind !== "folder" });
  });
  tree.progress.done = done;
}

async function show(kernel: Kernel, hold: Hold, kind: Workspace["kind"]): Promise<void> {
  const { project_id, name, lease_id } = hold;
  const next = { project_id, name, generation: hold.generation + 1 };
  const { sha256, files } = await digestSnapshot(kernel, next);
  await withUnit(kernel, async (unit: Unit) => {
    const shown = await unit.query("workspace_finish", FINISH, [project_id, name, lease_id, sha256, files, kind]);
    if (shown.length === 0) throw await lostHold(unit, hold);
    await dropOtherRows(unit, next);
  });
}
