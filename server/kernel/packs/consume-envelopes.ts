// Envelopes that a pack is made from: redacted, long messages moved into artifacts, and what they refer to kept as sources.

import { parseArtifactName } from "@/server/contract/context-pack/artifact-name";
import type { Envelope } from "@/server/contract/context-pack/envelope";
import { bareDigest } from "@/server/contract/context-pack/forms";
import { KernelError } from "@/server/contract/errors";
import type { Naming } from "../artifacts/name-artifacts";
import { readNamedTexts } from "../artifacts/read-named-texts";
import type { Reader } from "../reader";
import type { Redactor } from "./build/outcome";
import { spillMessage } from "./build/spill-message";

/** `sources`: by digest; those that are stored already have no bytes. */
export type Consumed = { envelopes: Envelope[]; names: Naming[]; sources: Map<string, Uint8Array | null> };

type Given = { project_id: string; envelopes: readonly Envelope[] };

/** artifact_conflict if an envelope gives a digest that its artifact does not have. */
export async function consumeEnvelopes(
  reader: Reader,
  { project_id, envelopes }: Given,
  redact: Redactor,
): Promise<Consumed> {
  const sources = new Map<string, Uint8Array | null>();
  await keepArtifacts(reader, { project_id, envelopes }, sources);
  const names = new Map<string, Naming>();
  const short = envelopes.map((given) => {
    const { envelope, artifact } = spillMessage(redact.value(given).value);
    if (artifact) {
      const { ref, sha256, mime, bytes } = artifact;
      const parsed = parseArtifactName(ref);
      if ("fault" in parsed) throw new KernelError("bad_request", `envelopes: ${ref} ${parsed.fault}`);
      refuseTwo(names.get(ref)?.sha256, sha256, ref);
      names.set(ref, { ...parsed, sha256, mime, size: bytes.byteLength });
      sources.set(sha256, bytes);
    }
    return envelope;
  });
  return { envelopes: short, names: [...names.values()], sources };
}

async function keepArtifacts(
  reader: Reader,
  { project_id, envelopes }: Given,
  sources: Consumed["sources"],
): Promise<void> {
  const given = envelopes.flatMap(({ artifacts = [], contextPackRef }) => [
    ...artifacts,
    ...(contextPackRef ? [contextPackRef] : []),
  ]);
  const stored = await readNamedTexts(reader, { project_id, refs: given.map(({ ref }) => ref), without_bytes: true });
  const digests = new Map(stored.map(({ ref, sha256 }) => [ref, sha256]));
  for (const { ref, sha256 } of given) {
    const known = digests.get(ref);
    if (known === undefined) continue;
    refuseTwo(known, sha256 === undefined ? known : bareDigest(sha256), ref);
    sources.set(known, null);
  }
}

function refuseTwo(known: string | undefined, given: string, ref: string): void {
  if (known === undefined || known === given) return;
  throw new KernelError(
    "artifact_conflict",
    `envelopes: ${ref} stands for sha256:${known}, and an envelope gives sha256:${given}. Correct the digest or the name`,
    { ref, stored_sha256: known, given_sha256: given },
  );
}
