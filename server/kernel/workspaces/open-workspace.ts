// A workspace as a pack reads it: one index of it. If another is shown meanwhile, the pack is refused, to be asked for again.
import { createHash } from "node:crypto";
import { canonicalJson } from "@/server/contract/canonical-json";
import type { SnapshotFile } from "@/server/contract/context-pack/build-input";
import { KernelError } from "@/server/contract/errors";
import { readArtifacts } from "../artifacts/read-artifacts";
import type { Kernel } from "../kernel";
import { type Reader, read } from "../reader";
import { deniedPath } from "../redaction/denied-path";
import type { Unit } from "../unit";
import { kernelErrorOf } from "./kernel-error-of";
import { sourceLimits } from "./limits";
import { readRow, type WorkspaceInput } from "./read-workspaces";
import { changedMeanwhile, refuseChanged } from "./refuse-changed";
import { folderOf } from "./save-workspace";
import { type Hit, searchFiles } from "./search-files";
import { type Generation, listFiles } from "./snapshot";
import { readFromFolder } from "./sources/read-from-folder";

export type WorkspaceView = {
  name: string;
  snapshot: () => Promise<{ sha256: string; bytes: Uint8Array; files: SnapshotFile[] }>;
  /** The best first. */
  search: (query: string, limit: number) => Promise<Hit[]>;
  /** By digest. workspace_changed and workspace_gone name the file; digests that it never had are left out. */
  read: (sha256s: readonly string[]) => Promise<Map<string, Uint8Array>>;
};

const PATHS = `
  SELECT path, sha256, is_stored FROM resource.workspace_files
  WHERE project_id = $1 AND workspace = $2 AND generation = $3 AND sha256 = ANY ($4::text[]) ORDER BY path`;

/** not_found; conflict before the first index. */
export async function openWorkspace(reader: Kernel | Unit, input: WorkspaceInput): Promise<WorkspaceView> {
  const { project_id, name } = input;
  const row = await readRow(reader, input);
  if (row.snapshot_sha256 === null)
    throw new KernelError("conflict", `workspace: ${name} has no index yet; index it first, or send its content`);
  const folder = row.kind === "folder" ? folderOf("kernel" in reader ? reader.kernel : reader, input).path : null;
  const of: Generation = { project_id, name, generation: row.generation };
  const sha256 = row.snapshot_sha256;
  const whole = async <T>(found: Promise<T>): Promise<T> => {
    const all = await found;
    await refuseChanged(reader, of, sha256);
    return all;
  };
  return {
    name,
    snapshot: () => readSnapshot(reader, of, sha256),
    search: (query, limit) => whole(searchFiles(reader, of, { query, limit })),
    read: (sha256s) => whole(readBytes(reader, of, { folder, sha256s })),
  };
}

async function readSnapshot(reader: Reader, of: Generation, sha256: string) {
  const files: SnapshotFile[] = [];
  for await (const file of listFiles(reader, of)) files.push(file);
  const bytes = Buffer.from(canonicalJson({ files }));
  if (createHash("sha256").update(bytes).digest("hex") !== sha256) throw changedMeanwhile(of.name);
  return { sha256, bytes, files };
}

type Wanted = { folder: string | null; sha256s: readonly string[] };

async function readBytes(
  reader: Reader,
  of: Generation,
  { folder, sha256s }: Wanted,
): Promise<Map<string, Uint8Array>> {
  const values = [of.project_id, of.name, of.generation, [...sha256s]];
  const found = (
    await read<{ path: string; sha256: string; is_stored: boolean }>(reader, "workspace_paths", PATHS, values)
  )
    // The same bytes under another name are no way to those of a secret.
    .filter(({ path }) => !deniedPath(path));
  const bytes = new Map<string, Uint8Array>();
  if (folder === null) {
    const stored = found.filter(({ is_stored }) => is_stored).map(({ sha256 }) => sha256);
    for (const one of await readArtifacts(reader, { project_id: of.project_id, sha256s: stored }))
      bytes.set(one.sha256, one.bytes);
    return bytes;
  }
  for (const { path, sha256 } of found) {
    if (bytes.has(sha256)) continue;
    const read = readFromFolder(folder, path, sha256, sourceLimits).catch((error: unknown) => {
      throw kernelErrorOf(error);
    });
    bytes.set(sha256, await read);
  }
  return bytes;
}
