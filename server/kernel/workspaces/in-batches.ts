// The files of a source in batches of bounded size, counted as they are seen.
import type { Workspace } from "@/server/contract/workspace";
import type { Progress } from "./hold";
import type { Skipped, SourceFile } from "./sources/source";

export type Source = AsyncIterable<SourceFile | Skipped>;
/** `progress` and `paths` are filled. */
type Seen = { kind: Workspace["kind"]; progress: Progress; paths: Set<string> };

const BATCH_FILES = 128;
/** The words of a batch are one value of a statement; 8 MiB of texts would be written as 40 MB at once. */
const BATCH_BYTES = 1_048_576;

export async function* inBatches(source: Source, { kind, progress, paths }: Seen): AsyncGenerator<SourceFile[]> {
  let batch: SourceFile[] = [];
  let size = 0;
  for await (const found of source) {
    if ("reason" in found) {
      progress.skipped[found.reason] = (progress.skipped[found.reason] ?? 0) + 1;
      continue;
    }
    if (batch.length >= BATCH_FILES || size + found.size > BATCH_BYTES) {
      yield batch;
      batch = [];
      size = 0;
    }
    progress.seen++;
    paths.add(found.path);
    batch.push(kind === "folder" ? found : await taken(found));
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
