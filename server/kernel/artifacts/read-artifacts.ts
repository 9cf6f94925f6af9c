// Bytes by their digest.
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../reader";
import { isReferred } from "./is-referred";

export type Artifact = { sha256: string; mime: string; bytes: Buffer };

/** One of `bytes` and `blob_id` is null: what is too large for a row lies in pieces (stream-blob.ts). */
export type StoredArtifact = {
  sha256: string;
  mime: string;
  size: number;
  bytes: Buffer | null;
  blob_id: string | null;
};

const READ = `
  SELECT sha256, mime, bytes FROM resource.artifacts
  WHERE project_id = $1 AND sha256 = ANY ($2::text[]) AND bytes IS NOT NULL`;

/** In no particular order. Missing ones are left out, and those too large to be held in memory. */
export function readArtifacts(
  reader: Reader,
  { project_id, sha256s }: { project_id: string; sha256s: readonly string[] },
): Promise<Artifact[]> {
  return read<Artifact>(reader, "artifacts_read", READ, [project_id, [...new Set(sha256s)]]);
}

const READ_ONE = `
  SELECT a.sha256, a.mime, a.size, a.bytes, a.blob_id FROM resource.artifacts a
  WHERE a.project_id = $1 AND a.sha256 = $2 AND ${isReferred("a")}`;

/** not_found if it does not exist, belongs to another project, or nothing refers to it any more. */
export async function readArtifact(
  reader: Reader,
  { project_id, sha256 }: { project_id: string; sha256: string },
): Promise<StoredArtifact> {
  const [found] = await read<StoredArtifact>(reader, "artifact_read", READ_ONE, [project_id, sha256]);
  if (found) return found;
  throw new KernelError("not_found", `artifact ${sha256.slice(0, 64)} not found in project ${project_id}`);
}
