// Whether a stored pack is what its stored input gives. Only stored bytes are read, so the answer is the same years later.
import type { ContextPack } from "@/server/contract/context-pack/pack";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import type { PackVerification } from "@/server/contract/context-pack/verification";
import { type Reader, read } from "../reader";
import { digestOf } from "./build/ids";
import { verifyMerge, verifyPack } from "./build/verify-pack";
import { findPack } from "./find-packs";
import { type MergeSpec, mergeOf } from "./merge-context-packs";
import { redactor } from "./redactor";

const SOURCES = `
  SELECT s.sha256, a.bytes FROM resource.context_pack_sources s
  LEFT JOIN resource.artifacts a ON a.project_id = s.project_id AND a.sha256 = s.sha256
  WHERE s.project_id = $1 AND s.pack_sha256 = $2`;

export async function verifyContextPack(
  reader: Reader,
  { project_id, pack }: { project_id: string; pack: string },
): Promise<PackVerification> {
  const record = await findPack(reader, { project_id, pack });
  const rows = await read<{ sha256: string; bytes: Buffer | null }>(reader, "pack_verify", SOURCES, [
    project_id,
    record.sha256,
  ]);
  const blobs = new Map(rows.flatMap(({ sha256, bytes }) => (bytes ? [[sha256, bytes] as const] : [])));
  const missing = rows.flatMap(({ sha256 }) => (blobs.has(sha256) ? [] : [sha256])).sort();
  if (missing.length > 0) return { verdict: "source_missing", missing };
  // The pack itself is compared with what its input gives, which names the place.
  const tampered = [...blobs].filter(([sha256, bytes]) => sha256 !== record.sha256 && digestOf(bytes) !== sha256);
  if (tampered.length > 0) return { verdict: "source_tampered", missing: tampered.map(([sha256]) => sha256).sort() };
  const [bytes, sidecar, input] = [record.sha256, record.sidecar_sha256, record.input_sha256].map((one) =>
    blobs.get(one),
  );
  if (!bytes || !sidecar || !input) return { verdict: "source_missing", missing: [record.sha256] };
  const given = { bytes, sidecar: parsed(sidecar) as Sidecar, redact: redactor };
  if (record.kind === "built")
    return verifyPack({ ...given, input: parsed(input), read: (sha256) => blobs.get(sha256) ?? null });
  const spec = parsed(input) as MergeSpec;
  const found = spec.packs.map(({ sha256, sidecar_sha256 }) => ({
    pack: parsed(blobs.get(sha256)) as ContextPack,
    sidecar: parsed(blobs.get(sidecar_sha256)) as Sidecar,
  }));
  return verifyMerge({ ...given, merge: mergeOf(spec, found) });
}

const parsed = (bytes: Uint8Array | undefined): unknown => JSON.parse(new TextDecoder().decode(bytes));
