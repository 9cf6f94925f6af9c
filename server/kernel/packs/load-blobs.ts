// Stored bytes for the pure builder, which reads them by digest and cannot wait. It answers what it lacks, that is loaded, and it
// builds again: the first round finds the listing of a workspace, the second its files.
import { readArtifacts } from "../artifacts/read-artifacts";
import type { Reader } from "../reader";
import type { WorkspaceView } from "../workspaces/open-workspace";
import type { BuildOutcome, ReadBlob } from "./build/outcome";

/** A build reads the listing, then documents and files at once; a few more rounds do no harm. */
const ROUNDS_MAX = 6;

type From = { project_id: string; workspace?: WorkspaceView | null };

/** `blobs` is filled with what was read. */
export async function buildWithLoading(
  reader: Reader,
  { project_id, workspace }: From,
  blobs: Map<string, Uint8Array>,
  build: (read: ReadBlob) => BuildOutcome,
): Promise<BuildOutcome> {
  for (let round = 1; ; round++) {
    const outcome = build((sha256) => blobs.get(sha256) ?? null);
    if (outcome.ok || outcome.code !== "source_missing" || round === ROUNDS_MAX) return outcome;
    const missing = Array.isArray(outcome.detail.missing) ? outcome.detail.missing.map(String) : [];
    const before = blobs.size;
    for (const [sha256, bytes] of (await workspace?.read(missing)) ?? []) blobs.set(sha256, bytes);
    const left = missing.filter((sha256) => !blobs.has(sha256));
    if (left.length > 0)
      for (const { sha256, bytes } of await readArtifacts(reader, { project_id, sha256s: left }))
        blobs.set(sha256, bytes);
    if (blobs.size === before) return outcome;
  }
}
