// An envelope: one result on its way along an edge. The receiver follows from the edge, so there is no `toNodeId`. The format is
// given: camelCase keys, closed objects.
import * as z from "zod";
import { DateTime, Digest, OpenObject, UuidShape } from "./forms";
import { PackArtifactRef } from "./pack";

const EnvelopeKind = z.enum([
  "message",
  "structured",
  "diff",
  "verification",
  "report",
  "join",
  "tick",
  "artifact_ref",
  "unknown",
]);

/** As a pack has it, and its media type. */
export const EnvelopeArtifact = z.strictObject({ ...PackArtifactRef.shape, mime: z.string().optional() });
export type EnvelopeArtifact = z.infer<typeof EnvelopeArtifact>;

/** A pack that travels with the envelope. With `sha256`, the bytes are compared when it is read. */
const ContextPackRef = z.strictObject({
  ref: z.string(),
  type: z.literal("context_pack"),
  summary: z.string().optional(),
  sha256: Digest.optional(),
  mime: z.string().optional(),
});
export type ContextPackRef = z.infer<typeof ContextPackRef>;

export const EnvelopeStatus = z.strictObject({
  ok: z.boolean(),
  code: z.string().optional(),
  reason: z.string().optional(),
});
export type EnvelopeStatus = z.infer<typeof EnvelopeStatus>;

/** Longer text is stored as an artifact, and a summary of it stays here. */
export const MESSAGE_BYTES_MAX = 8_192;

const EnvelopeMessage = z.strictObject({
  content: z.string(),
  format: z.enum(["text", "markdown", "json"]).optional(),
});

export const Envelope = z.strictObject({
  /** Two envelopes with one id are one payload. */
  payloadId: UuidShape,
  kind: EnvelopeKind,
  fromNodeId: z.string(),
  edgeId: z.string(),
  createdAt: DateTime,
  status: EnvelopeStatus,
  message: EnvelopeMessage.optional(),
  structured: OpenObject.optional(),
  artifacts: z.array(EnvelopeArtifact).optional(),
  contextPackRef: ContextPackRef.optional(),
  provenance: OpenObject.optional(),
});
export type Envelope = z.infer<typeof Envelope>;
