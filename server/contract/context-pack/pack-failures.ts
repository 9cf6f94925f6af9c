// Failure codes of context packs and named artifacts; part of the one list in failures.ts.
import type { Failure } from "../failure";

export const packFailures = {
  artifact_conflict: {
    status: 409,
    where: ["request", "call"],
    cause: "The artifact's name stands for other bytes. What a name stands for never changes.",
    remedy: "Choose another name, or delete the artifact first. The message names both digests.",
  },
  digest_mismatch: {
    status: 422,
    where: ["request", "call"],
    cause: "The bytes have another digest than the one that was given with them.",
    remedy: "Compute the SHA-256 of the bytes again, and send both together. Nothing was stored.",
  },
} as const satisfies Record<string, Failure>;
