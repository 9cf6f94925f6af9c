// Reads the other envelope in use: kind handoff or signal, the receiver in `toNodeId`, the content in `payload`. Its edge is not
// named, so it is looked up by sender and receiver.
import * as z from "zod";
import { type Envelope, EnvelopeArtifact, EnvelopeStatus } from "@/server/contract/context-pack/envelope";
import { DateTime, OpenObject, UuidShape } from "@/server/contract/context-pack/forms";
import { shapeFault } from "@/server/contract/shape-fault";
import { adaptedPayloadId } from "./ids";

const EnvelopeV2 = z.strictObject({
  kind: z.enum(["handoff", "signal"]),
  id: z.string().min(1),
  fromNodeId: z.string().optional(),
  toNodeId: z.string(),
  createdAt: DateTime.optional(),
  payload: z
    .strictObject({
      message: z.string().optional(),
      structured: OpenObject.optional(),
      artifacts: z.array(EnvelopeArtifact).optional(),
      status: EnvelopeStatus.optional(),
    })
    .optional(),
});

export type Edge = { edgeId: string; fromNodeId: string; toNodeId: string };
/** Sender and moment as the log has them, for an envelope that does not say. */
export type Delivery = { edges: readonly Edge[]; fromNodeId?: string; receivedAt: string };

type Unread = { ok: false; code: "edge_not_found" | "invalid_input"; message: string };
export type Adapted = { ok: true; envelope: Envelope } | Unread;

const unread = (code: Unread["code"], message: string): Unread => ({ ok: false, code, message });

export function adaptEnvelope(given: unknown, { edges, fromNodeId, receivedAt }: Delivery): Adapted {
  const { data, error } = EnvelopeV2.safeParse(given);
  if (error) {
    const { path, message } = shapeFault(error);
    return unread("invalid_input", `${path}: ${message}`);
  }
  const from = data.fromNodeId ?? fromNodeId;
  if (from === undefined) return unread("invalid_input", "fromNodeId: is missing. Name the node that sent it");
  const edge = edges.find((one) => one.fromNodeId === from && one.toNodeId === data.toNodeId);
  if (!edge) {
    const message = `toNodeId: no edge leads from ${from} to ${data.toNodeId}. Add the edge or correct the names`;
    return unread("edge_not_found", message);
  }
  const { message, structured, artifacts, status = { ok: true } } = data.payload ?? {};
  return {
    ok: true,
    envelope: {
      payloadId: UuidShape.safeParse(data.id).success ? data.id : adaptedPayloadId(data.id),
      kind: message !== undefined ? "message" : structured !== undefined ? "structured" : "unknown",
      fromNodeId: from,
      edgeId: edge.edgeId,
      createdAt: data.createdAt ?? receivedAt,
      status,
      ...(message !== undefined && { message: { content: message } }),
      ...(structured && { structured }),
      ...(artifacts && { artifacts }),
      provenance: { adaptedFrom: data.kind },
    },
  };
}
