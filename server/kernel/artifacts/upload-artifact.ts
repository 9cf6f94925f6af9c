// Stores bytes under a name: artifact://area/name. However large they are, nobody can read any of them before all have arrived.
import type { NamedArtifact } from "@/server/contract/context-pack/named-artifact";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { mimeOf } from "./mime-of";
import { type Named, nameArtifacts } from "./name-artifacts";
import { dropBlob, type Received, receiveBlob, tryToDrop } from "./receive-blob";
import { storeArtifacts } from "./store-artifacts";

export type UploadInput = {
  project_id: string;
  area: string;
  name: string;
  mime: string;
  /** What the sender says it is; anything else is refused. */
  sha256?: string;
  created_by: string;
  parts: AsyncIterable<Uint8Array>;
};

// The update locks bytes that are there already, as in store-artifacts.
const KEEP = `
  INSERT INTO resource.artifacts AS a (project_id, sha256, mime, size, blob_id) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (project_id, sha256) DO UPDATE SET mime = a.mime
  RETURNING blob_id IS NOT DISTINCT FROM $5 AS is_kept`;
// What a card may refer to lies in one row, however it arrived: readers of pictures and files look there.
const GATHER = `
  INSERT INTO resource.artifacts AS a (project_id, sha256, mime, size, bytes)
  SELECT $1, $2, $3, $4, string_agg(c.bytes, ''::bytea ORDER BY c.n)
  FROM resource.artifact_chunks c WHERE c.project_id = $1 AND c.blob_id = $5
  ON CONFLICT (project_id, sha256) DO UPDATE SET mime = a.mime
  RETURNING false AS is_kept`;
const TOUCH = `
  UPDATE resource.artifact_blobs SET touched_at = now() WHERE project_id = $1 AND blob_id = $2 RETURNING blob_id`;

/** `is_new` is false when the name stood for these bytes already. artifact_conflict, digest_mismatch, payload_too_large. */
export async function uploadArtifact(
  kernel: Kernel,
  input: UploadInput,
): Promise<{ artifact: NamedArtifact; is_new: boolean }> {
  const { project_id, parts } = input;
  const received = await receiveBlob(kernel, { project_id, bytesMax: kernel.tunables.uploadBytesMax, parts });
  try {
    refuseOther(input.sha256, received.sha256);
    return await withUnit(kernel, (unit) => keep(unit, input, received));
  } catch (error) {
    if (received.blob_id !== null) await tryToDrop(kernel, { project_id, blob_id: received.blob_id });
    throw error;
  }
}

function refuseOther(wanted: string | undefined, sha256: string): void {
  if (wanted === undefined || wanted === sha256) return;
  throw new KernelError(
    "digest_mismatch",
    `sha256: you announced ${wanted}, and what arrived is ${sha256}. Nothing was stored; send the bytes again`,
    { expected: wanted, actual: sha256 },
  );
}

async function keep(unit: Unit, input: UploadInput, received: Received): Promise<Named> {
  const { project_id, area, name, created_by } = input;
  const { sha256, size, blob_id, bytes } = received;
  const mime = mimeOf(input.mime);
  if (bytes !== null) await storeArtifacts(unit, { project_id, files: [{ mime, bytes }] });
  else await keepBlob(unit, [project_id, sha256, mime, size, blob_id]);
  const [named] = await nameArtifacts(unit, { project_id, created_by, names: [{ area, name, sha256, mime, size }] });
  if (!named) throw new Error("one name was given and none was written");
  return named;
}

type BlobValues = [project_id: string, sha256: string, mime: string, size: number, blob_id: string | null];

async function keepBlob(unit: Unit, values: BlobValues): Promise<void> {
  const [project_id, , , size, blob_id] = values;
  if ((await unit.query("blob_touch", TOUCH, [project_id, blob_id])).length === 0)
    throw new KernelError("request_timeout", "the body did not arrive in time; send it again");
  const isSmall = size <= unit.kernel.tunables.artifactBytesMax;
  const [sql, text] = isSmall ? ["blob_gather", GATHER] : ["blob_keep", KEEP];
  const [kept] = await unit.query<{ is_kept: boolean }>(sql, text, values);
  if (kept?.is_kept !== true) await dropBlob(unit, { project_id, blob_id });
}
