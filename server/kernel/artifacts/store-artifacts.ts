// Stores bytes once per project, however often and by whom they are sent. The caller has checked their size.
import { createHash } from "node:crypto";
import type { ArtifactRef } from "@/server/contract/artifact";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { withUnit } from "../unit";
import { pictureOf } from "./picture-of";

/** `mime` as declared by the sender. */
export type ArtifactFile = { mime: string; bytes: Uint8Array };

const STORE = `
  INSERT INTO resource.artifacts (project_id, sha256, mime, bytes, size)
  SELECT $1, g.sha256, g.mime, g.bytes, octet_length(g.bytes)
  FROM unnest($2::text[], $3::text[], $4::bytea[]) AS g(sha256, mime, bytes)
  ON CONFLICT (project_id, sha256) DO NOTHING`;

/** In input order, each digest once; one statement. payload_too_large names the limit. */
export async function storeArtifacts(
  kernel: Kernel,
  { project_id, files }: { project_id: string; files: readonly ArtifactFile[] },
): Promise<ArtifactRef[]> {
  const { artifactBytesMax } = kernel.tunables;
  const kept = new Map<string, { ref: ArtifactRef; bytes: Buffer }>();
  for (const file of files) {
    if (file.bytes.byteLength > artifactBytesMax)
      throw new KernelError("payload_too_large", `a file is over ${artifactBytesMax} bytes; give a smaller one`);
    const ref = refOf(file);
    kept.set(ref.sha256, { ref, bytes: Buffer.from(file.bytes) });
  }
  if (kept.size === 0) return [];
  const all = [...kept.values()];
  await withUnit(kernel, (unit) =>
    unit.query("artifacts_store", STORE, [
      project_id,
      all.map(({ ref }) => ref.sha256),
      all.map(({ ref }) => ref.mime),
      all.map(({ bytes }) => bytes),
    ]),
  );
  return all.map(({ ref }) => ref);
}

function refOf({ mime, bytes }: ArtifactFile): ArtifactRef {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const said = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mime) ? mime.toLowerCase() : "application/octet-stream";
  return { sha256, mime: said, size: bytes.byteLength, ...pictureOf(bytes) };
}
