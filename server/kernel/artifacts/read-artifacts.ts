// Bytes by their digest.
import { KernelError } from "@/server/contract/errors";
import { type Reader, read } from "../reader";

export type Artifact = { sha256: string; mime: string; bytes: Buffer };

const READ = "SELECT sha256, mime, bytes FROM resource.artifacts WHERE project_id = $1 AND sha256 = ANY ($2::text[])";

/** In no particular order; missing ones are left out. */
export function readArtifacts(
  reader: Reader,
  { project_id, sha256s }: { project_id: string; sha256s: readonly string[] },
): Promise<Artifact[]> {
  return read<Artifact>(reader, "artifacts_read", READ, [project_id, [...new Set(sha256s)]]);
}

/** not_found if it does not exist, or belongs to another project. */
export async function readArtifact(
  reader: Reader,
  { project_id, sha256 }: { project_id: string; sha256: string },
): Promise<Artifact> {
  const [found] = await readArtifacts(reader, { project_id, sha256s: [sha256] });
  if (found) return found;
  throw new KernelError("not_found", `artifact ${sha256.slice(0, 64)} not found in project ${project_id}`);
}
