// The listing of a workspace: canonical JSON, its files sorted by the bytes of their paths. Equal trees have equal bytes, whether
// they came as a folder, a bundle or a tar.
import { createHash } from "node:crypto";
import { canonicalJson } from "@/server/contract/canonical-json";
import type { SnapshotFile } from "@/server/contract/context-pack/build-input";
import { type Reader, read } from "../reader";

const PAGE = `
  SELECT path, sha256, size, kind, imports FROM resource.workspace_files
  WHERE project_id = $1 AND workspace = $2 AND generation = $3 AND path > $4 ORDER BY path LIMIT 1000`;

type Row = Required<SnapshotFile>;
export type Generation = { project_id: string; name: string; generation: number };

export async function* listFiles(
  reader: Reader,
  { project_id, name, generation }: Generation,
): AsyncGenerator<SnapshotFile> {
  for (let after = ""; ; ) {
    const page = await read<Row>(reader, "workspace_page", PAGE, [project_id, name, generation, after]);
    for (const { imports, ...file } of page) yield imports.length > 0 ? { ...file, imports } : file;
    const last = page.at(-1);
    if (!last) return;
    after = last.path;
  }
}

/** Piece by piece, in constant memory. */
export async function digestSnapshot(reader: Reader, of: Generation): Promise<{ sha256: string; files: number }> {
  const digest = createHash("sha256");
  let files = 0;
  digest.update('{"files":[');
  for await (const file of listFiles(reader, of)) digest.update(`${files++ === 0 ? "" : ","}${canonicalJson(file)}`);
  digest.update("]}");
  return { sha256: digest.digest("hex"), files };
}
