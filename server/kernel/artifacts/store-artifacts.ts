// Stores bytes once per project, however often and by whom they are sent: in the unit that writes the card which refers to them,
// so that no file is without a card, and no card without its file.
import { createHash } from "node:crypto";
import type { ArtifactRef } from "@/server/contract/artifact";
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { mimeOf } from "./mime-of";
import { pictureOf } from "./picture-of";

/** `mime` as declared by the sender. */
export type ArtifactFile = { mime: string; bytes: Uint8Array };

// The update locks a file that is there already: whoever deletes its last card waits, and finds the new one. In order, so that
// two results with the same files do not wait for each other.
const STORE = `
  INSERT INTO resource.artifacts AS a (project_id, sha256, mime, bytes, size)
  SELECT $1, g.sha256, g.mime, g.bytes, octet_length(g.bytes)
  FROM unnest($2::text[], $3::text[], $4::bytea[]) AS g(sha256, mime, bytes) ORDER BY g.sha256
  ON CONFLICT (project_id, sha256) DO UPDATE SET mime = a.mime`;

/** What a card says of them: in input order, each digest once. payload_too_large names the limit. */
export function artifactRefs(files: readonly ArtifactFile[], bytesMax: number): ArtifactRef[] {
  const refs = new Map<string, ArtifactRef>();
  for (const file of files) {
    if (file.bytes.byteLength > bytesMax)
      throw new KernelError("payload_too_large", `a file is over ${bytesMax} bytes; give a smaller one`);
    const ref = refOf(file);
    refs.set(ref.sha256, ref);
  }
  return [...refs.values()];
}

/** One statement. Before the cards that refer to them. */
export async function storeArtifacts(
  unit: Unit,
  { project_id, files }: { project_id: string; files: readonly ArtifactFile[] },
): Promise<void> {
  if (files.length === 0) return;
  const kept = new Map(files.map((file) => [digestOf(file.bytes), file]));
  await unit.query("artifacts_store", STORE, [
    project_id,
    [...kept.keys()],
    Array.from(kept.values(), ({ mime }) => mimeOf(mime)),
    Array.from(kept.values(), ({ bytes }) => Buffer.from(bytes)),
  ]);
}

function refOf({ mime, bytes }: ArtifactFile): ArtifactRef {
  return { sha256: digestOf(bytes), mime: mimeOf(mime), size: bytes.byteLength, ...pictureOf(bytes) };
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
