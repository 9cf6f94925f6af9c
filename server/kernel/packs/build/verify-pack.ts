// Whether a stored pack is what its input gives: it is built again from stored bytes and compared. Other versions of builder or
// rules are told apart from a pack that was altered.
import { BUILDER_VERSION } from "@/server/contract/context-pack/build-input";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import type { PackVerification } from "@/server/contract/context-pack/verification";
import { buildPack } from "./build-pack";
import { firstDifference } from "./first-difference";
import { digestOf } from "./ids";
import { type MergeGiven, mergePacks } from "./merge-packs";
import type { BuildOutcome, ReadBlob, Redactor } from "./outcome";

export type VerifyGiven = { bytes: Uint8Array; sidecar: Sidecar; input: unknown; read: ReadBlob; redact: Redactor };

export function verifyPack({ bytes, sidecar, input, read, redact }: VerifyGiven): PackVerification {
  return compare(bytes, sidecar, () => buildPack({ input, read, redact }), redact);
}

function compare(bytes: Uint8Array, sidecar: Sidecar, rebuild: () => BuildOutcome, redact: Redactor): PackVerification {
  const isWhole = digestOf(bytes) === sidecar.sha256;
  if (sidecar.builderVersion !== BUILDER_VERSION || sidecar.rulesetVersion !== redact.ruleset)
    return { verdict: isWhole ? "replay_incompatible" : "digest_mismatch" };
  const built = rebuild();
  if (built.ok) {
    if (isWhole && built.sha256 === sidecar.sha256) return { verdict: "same" };
    return { verdict: "digest_mismatch", pointer: difference(bytes, built.bytes) };
  }
  if (built.code === "source_missing") return { verdict: "source_missing", missing: digestsIn(built.detail.missing) };
  if (built.code === "source_tampered")
    return { verdict: "source_tampered", missing: digestsIn(built.detail.tampered) };
  if (built.code === "replay_incompatible") return { verdict: "replay_incompatible" };
  // The stored input gives no pack at all, so it is not the input of this one.
  return { verdict: "digest_mismatch", pointer: "" };
}

export type VerifyMergeGiven = {
  bytes: Uint8Array;
  sidecar: Sidecar;
  /** As it was merged. */
  merge: Omit<MergeGiven, "redact">;
  redact: Redactor;
};

/** A merged pack has packs for sources. */
export const verifyMerge = ({ bytes, sidecar, merge, redact }: VerifyMergeGiven): PackVerification =>
  compare(bytes, sidecar, () => mergePacks({ ...merge, redact }), redact);

const digestsIn = (found: unknown): string[] => (Array.isArray(found) ? found.map(String) : []);

function difference(stored: Uint8Array, built: Uint8Array): string {
  const [a, b] = [stored, built].map((bytes) => parsed(new TextDecoder().decode(bytes)));
  return firstDifference(a, b) ?? "";
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    // Altered until it is no JSON: it differs as a whole.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
