// Ids that follow from what is built: building again, on any machine, gives the same.
import { hash } from "node:crypto";
import { v5 } from "uuid";
import { canonicalJson } from "@/server/contract/canonical-json";
import type { BuildInput } from "@/server/contract/context-pack/build-input";

const NAMESPACE = v5("contextpack", v5.URL);

/** Of text and of bytes. */
export const digestOf = (content: string | Uint8Array): string => hash("sha256", content);

/** The turn of a run; without a run, what the pack is built from, at whatever time. */
export function packIdOf(input: BuildInput): string {
  const { run, node } = input;
  const name = run ? `${run.id}|${node.id}|${node.turn ?? 0}` : digestOf(canonicalJson({ ...input, now: undefined }));
  return v5(name, NAMESPACE);
}

export const mergedPackId = (nodeId: string, packIds: string[]): string =>
  v5([nodeId, ...packIds.toSorted()].join("|"), NAMESPACE);

export const joinPayloadId = (gateId: string, generation: number, payloadIds: string[]): string =>
  v5(["join", gateId, generation, ...payloadIds.toSorted()].join("|"), NAMESPACE);

/** For an envelope of the other format, whose id may be any text. */
export const adaptedPayloadId = (id: string): string => v5(`v2|${id}`, NAMESPACE);
