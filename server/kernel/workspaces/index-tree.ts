// Makes an index from a source, in batches of bounded size, and shows it when it is complete. Until then, and if anything fails,
// the former index is read.
import { dropUnused } from "../artifacts/drop-unused";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { beat, type Hold, type Progress } from "./hold";
import { isRootFile, readImportRoots } from "./imports/import-roots";
import { openImports } from "./imports/specifiers";
import { sourceLimits } from "./limits";
import { linkFiles } from "./link-files";
import { type ReadRow, readOne, stampOf } from "./read-one";
import { noWorkspace } from "./read-workspaces";
import { digestSnapshot } from "./snapshot";
import type { Skipped, SourceFile } from "./sources/source";
import { copyFiles, writeFiles } from "./write-files";

export type TreeInput = { source: AsyncIterable<SourceFile | Skipped>; keeps: boolean };

const BATCH_FILES = 128;
/** Of files such as tsconfig.json and go.mod, whose texts are held until all paths are known. */
const ROOT_FILES_MAX = 200;
const ROOT_BYTES_MAX = 65_536;

const FINISH = `
  UPDATE resource.workspaces SET state = 'ready', generation = generation + 1, snapshot_sha256 = $4, files = $5, lease_id = NULL,
    lease_until = NULL, indexed_at = now()
  WHERE project_id = $1 AND name = $2 AND lease_id = $3 RETURNING name`;
const FORMER = `
  WITH gone AS (
    DELETE FROM resource.workspace_files WHERE project_id = $1 AND workspace = $2 AND generation = $3 RETURNING sha256, is_stored
  )
  SELECT DISTINCT sha256 FROM gone WHERE is_stored`;

/** What is known of the whole tree while it is read. */
type Tree = {
  keeps: boolean;
  progress: Progress;
  paths: Set<string>;
  rootFiles: { path: string; text: string }[];
  imports: ReturnType<typeof openImports>;
};

/** The caller has the hold, and lets it go when this throws. */
export async function indexTree(kernel: Kernel, hold: Hold, { source, keeps }: TreeInput): Promise<void> {
  const progress: Progress = { seen: 0, done: 0, skipped: {} };
  const tree: Tree = { keeps, progress, paths: new Set(), rootFiles: [], imports: openImports() };
  try {
    for await (const batch of inBatches(source, tree)) await indexBatch(kernel, hold, tree, batch);
  } finally {
    await tree.imports.close();
  }
  const roots = readImportRoots(tree.rootFiles);
  await linkFiles(kernel, hold, { has: (path) => tree.paths.has(path), roots }, progress);
  await show(kernel, hold);
}

async function* inBatches(source: TreeInput["source"], { keeps, progress, paths }: Tree): AsyncGenerator<SourceFile[]> {
  let batch: SourceFile[] = [];
  let size = 0;
  for await (const found of source) {
    if ("reason" in found) {
      progress.skipped[found.reason] = (progress.skipped[found.reason] ?? 0) + 1;
      continue;
    }
    if (batch.length >= BATCH_FILES || size + found.size > sourceLimits.fileBytesMax) {
      yield batch;
      batch = [];
      size = 0;
    }
    progress.seen++;
    paths.add(found.path);
    batch.push(keeps ? await taken(found) : found);
    size += found.size;
  }
  yield batch;
}

/**
 * What an upload is made of can no longer be read when the source has ended, which is before its last batch is. The time in a
 * tar is left out: the sender chose it, so an equal one does not mean equal bytes.
 */
async function taken({ path, size, read }: SourceFile): Promise<SourceFile> {
  const bytes = await read();
  return { path, size, read: async () => bytes };
}

async function indexBatch(kernel: Kernel, hold: Hold, tree: Tree, batch: SourceFile[]): Promise<void> {
  const known = batch.map((file) => ({ path: file.path, stamp: stampOf(file) }));
  const copied = await withUnit(kernel, (unit) => copyFiles(unit, hold, known));
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
    await writeFiles(unit, hold, { read, keeps: tree.keeps });
  });
  tree.progress.done = done;
}

async function show(kernel: Kernel, hold: Hold): Promise<void> {
  const { project_id, name, lease_id, generation } = hold;
  const { sha256, files } = await digestSnapshot(kernel, { project_id, name, generation: generation + 1 });
  await withUnit(kernel, async (unit: Unit) => {
    const shown = await unit.query("workspace_finish", FINISH, [project_id, name, lease_id, sha256, files]);
    if (shown.length === 0) throw noWorkspace(hold);
    const former = await unit.query<{ sha256: string }>("workspace_former", FORMER, [project_id, name, generation]);
    await dropUnused(unit, { project_id, sha256s: former.map((one) => one.sha256) });
  });
}
