// The stored bytes of packs as values.
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import { KernelError } from "@/server/contract/errors";
import { readArtifacts } from "../artifacts/read-artifacts";
import type { Reader } from "../reader";
import { digestOf } from "./build/ids";

export type ReadPack = { record: PackRecord; pack: ContextPack; sidecar: Sidecar };

/** In input order, with one statement. source_missing and source_tampered name the digests. */
export async function readPackBytes(
  reader: Reader,
  { project_id, records }: { project_id: string; records: readonly PackRecord[] },
): Promise<ReadPack[]> {
  const sha256s = records.flatMap(({ sha256, sidecar_sha256 }) => [sha256, sidecar_sha256]);
  const blobs = new Map((await readArtifacts(reader, { project_id, sha256s })).map((one) => [one.sha256, one.bytes]));
  return records.map((record) => ({
    record,
    pack: parsed(blobs, record.sha256, record) as ContextPack,
    sidecar: parsed(blobs, record.sidecar_sha256, record) as Sidecar,
  }));
}

function parsed(blobs: Map<string, Uint8Array>, sha256: string, { code }: PackRecord): unknown {
  const bytes = blobs.get(sha256);
  if (!bytes)
    throw new KernelError("source_missing", `pack: the bytes ${sha256} of ${code} are not stored. Restore them`, {
      missing: [sha256],
    });
  if (digestOf(bytes) !== sha256)
    throw new KernelError(
      "source_tampered",
      `pack: the stored bytes ${sha256} of ${code} have another digest. Restore them`,
      {
        tampered: [sha256],
      },
    );
  return JSON.parse(new TextDecoder().decode(bytes));
}
