// Failure codes of context packs and named artifacts; part of the one list in failures.ts.
import type { Failure } from "../failure";

export const packFailures = {
  artifact_conflict: {
    status: 409,
    where: ["request", "call"],
    cause: "The artifact's name stands for other bytes. What a name stands for never changes.",
    remedy: "Choose another name, or delete the artifact first. The message names both digests.",
  },
  budget_unsatisfiable: {
    status: 422,
    where: ["request", "call"],
    cause: "What a context pack may not leave out is larger than its token limit.",
    remedy:
      "Shorten the goal, the definition of done, the constraints or the tool policy, or use the profile `expanded` with a reason.",
  },
  redaction_failed: {
    status: 422,
    where: ["request", "call"],
    cause: "A part of the context pack still looks like a secret after redaction. No pack was stored.",
    remedy: "Remove the secret from the source that the message names.",
  },
  replay_incompatible: {
    status: 409,
    where: ["request", "call"],
    cause: "The input was written for another version of the builder or of the redaction rules.",
    remedy: "Build a new pack.",
  },
  source_missing: {
    status: 409,
    where: ["request", "call"],
    cause: "Something that the context pack is made from was deleted, or its bytes are not stored.",
    remedy: "Leave it out, or store it again.",
  },
  source_tampered: {
    status: 409,
    where: ["request", "call"],
    cause: "Stored bytes do not have the digest under which they are stored.",
    remedy: "Restore the artifacts that `detail` names from a backup.",
  },
  merge_mismatch: {
    status: 422,
    where: ["request", "call"],
    cause: "The packs belong to different runs or repositories.",
    remedy: "Merge packs of one run and one docs folder.",
  },
  digest_mismatch: {
    status: 422,
    where: ["request", "call"],
    cause: "The bytes have another digest than the one that was given with them.",
    remedy: "Compute the SHA-256 of the bytes again, and send both together. Nothing was stored.",
  },
} as const satisfies Record<string, Failure>;
