// Steps 3 and 4: what happened since the node last ran, and the envelopes it consumes. Both become references; bodies stay
// where they are.
import { canonicalJson } from "@/server/contract/canonical-json";
import type { BuildEvent } from "@/server/contract/context-pack/build-input";
import { bareDigest } from "@/server/contract/context-pack/forms";
import type { PackArtifactRef, PayloadRef } from "@/server/contract/context-pack/pack";
import type { PackConflict } from "@/server/contract/context-pack/sidecar";
import type { ArtifactEntry, Entry } from "./draft";
import { digestOf } from "./ids";
import type { Normal } from "./normalise";
import { firstOfEach } from "./order";
import { BuildFault } from "./outcome";
import { checkReference } from "./references";

/** With a watermark, what came after it; without one, failures that nothing newer under the same name has replaced. */
export function newEvents({ events, watermark }: Normal): BuildEvent[] {
  const open = watermark === null ? events : events.filter(({ seq }) => seq > watermark);
  const newest = firstOfEach(open.toReversed(), ({ ref }) => ref).reverse();
  return watermark === null ? newest.filter(({ isFailure }) => isFailure) : newest;
}

export type Inputs = { inputs: Entry<PayloadRef>[]; conflicts: PackConflict[]; envelopes: Normal["envelopes"] };

/** In the order (createdAt, payloadId), each payload once. */
export function takeInputs({ envelopes }: Normal): Inputs {
  const kept = firstOfEach(envelopes, ({ payloadId }) => payloadId.toLowerCase());
  const conflicts = envelopes
    .filter((one) => !kept.includes(one))
    .map(({ payloadId, edgeId }): PackConflict => {
      const first = kept.find((one) => one.payloadId.toLowerCase() === payloadId.toLowerCase());
      return { code: "payload_conflict", field: "inputs", key: payloadId, kept: first?.edgeId ?? "", other: edgeId };
    });
  const inputs = kept.map((envelope) => {
    const { payloadId, fromNodeId, edgeId } = envelope;
    const sha256 = digestOf(canonicalJson(envelope));
    return {
      item: { payloadId, fromNodeId, edgeId },
      origins: [{ kind: "envelope" as const, ref: payloadId, sha256 }],
    };
  });
  return { inputs, conflicts, envelopes: kept };
}

/** Of events first, then of envelopes. What a failed envelope carries is evidence. */
export function takeArtifacts(events: BuildEvent[], envelopes: Normal["envelopes"]): ArtifactEntry[] {
  const fromEvents = events.map(({ ref, type, summary, sha256, isFailure }) =>
    artifactEntry({ ref, type, summary, sha256 }, isFailure),
  );
  const fromEnvelopes = envelopes.flatMap(({ artifacts = [], status, payloadId }) =>
    artifacts.map(({ mime: _, ...artifact }) => {
      checkReference(artifact.ref, `envelopes.${payloadId}.artifacts`);
      return artifactEntry(artifact, !status.ok);
    }),
  );
  return uniteArtifacts([...fromEvents, ...fromEnvelopes]);
}

function artifactEntry(artifact: PackArtifactRef, isEvidence: boolean): ArtifactEntry {
  const sha256 = artifact.sha256 === undefined ? undefined : bareDigest(artifact.sha256);
  const kind = isEvidence ? ("evidence" as const) : ("event" as const);
  return {
    item: { ...artifact, sha256 },
    isEvidence,
    origins: [{ kind, ref: artifact.ref, ...(sha256 !== undefined && { sha256 }) }],
  };
}

/** One entry for a reference. Artifacts never change, so one with two digests is an error. */
export function uniteArtifacts(entries: ArtifactEntry[]): ArtifactEntry[] {
  const byRef = new Map<string, ArtifactEntry>();
  for (const entry of entries) {
    const { ref } = entry.item;
    const known = byRef.get(ref);
    byRef.set(ref, known ? united(known, entry) : entry);
  }
  return [...byRef.values()];
}

function united(first: ArtifactEntry, second: ArtifactEntry): ArtifactEntry {
  const [a, b] = [first.item, second.item];
  if (a.sha256 !== undefined && b.sha256 !== undefined && a.sha256 !== b.sha256)
    throw new BuildFault("artifact_conflict", `artifacts: ${a.ref} has two digests. Give the new content a new name`, {
      ref: a.ref,
      sha256: [a.sha256, b.sha256].sort(),
    });
  const isEvidence = first.isEvidence || second.isEvidence;
  const strongest = first.isEvidence || !second.isEvidence ? first : second;
  return {
    item: { ...a, summary: a.summary ?? b.summary, sha256: a.sha256 ?? b.sha256 },
    isEvidence,
    origins: strongest.origins,
  };
}
