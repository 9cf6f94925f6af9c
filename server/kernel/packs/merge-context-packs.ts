// Merges stored packs into one for the node that receives them, and stores it. Where they disagree, the first wins as the order
// of the request says, and the sidecar lists it.

import type { PacksToMerge } from "@/server/contract/context-pack/merge-request";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { ExpandedReason, PackProfile } from "@/server/contract/context-pack/sidecar";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { type MergeGiven, mergePacks } from "./build/merge-packs";
import type { Receiving } from "./build/merging";
import { findPacks } from "./find-packs";
import { type ReadPack, readPackBytes } from "./pack-bytes";
import { redactor } from "./redactor";
import { builtOrRefused } from "./refuse-fault";
import { findByInput, type StoredPack, storePack } from "./store-pack";

/** What a merged pack was made from, as it is stored: packs and sidecars by digest, in their order. */
export type MergeSpec = {
  packs: { edgeId: string; sha256: string; sidecar_sha256: string }[];
  receiving: Receiving;
  profile: PackProfile;
  reason?: ExpandedReason;
  estimator: "o200k";
  rulesetVersion: string;
  now: string;
};

type Input = {
  project_id: string;
  request: PacksToMerge;
  created_by: string;
  /** The turn that asks, if one does. */
  root_turn_id?: string;
  agent_turn_id?: string;
};

export async function mergeContextPacks(kernel: Kernel, input: Input): Promise<StoredPack> {
  const { project_id, request } = input;
  const records = await findPacks(kernel, { project_id, packs: request.packs, field: "packs" });
  return withUnit(kernel, (unit) => mergeIn(unit, { ...input, records }));
}

/** Inside a unit, of packs that were looked up. */
export async function mergeIn(
  unit: Unit,
  { project_id, request, records, ...by }: Input & { records: readonly PackRecord[] },
): Promise<StoredPack> {
  // Naming a pack twice says nothing new.
  const once = [...new Map(records.map((record) => [record.sha256, record])).values()];
  const packs = once.map(({ sha256, sidecar_sha256 }, i) => ({ edgeId: `input-${i}`, sha256, sidecar_sha256 }));
  const { goal } = redactor.value({ goal: request.goal }).value;
  const spec: MergeSpec = {
    packs,
    receiving: {
      nodeId: request.node_id,
      declared: packs.map(({ edgeId }) => edgeId),
      ...(goal !== undefined && { goal }),
      ...(request.output_schema_ref !== undefined && { outputSchemaRef: request.output_schema_ref }),
    },
    profile: request.profile,
    ...(request.reason && { reason: request.reason }),
    estimator: "o200k",
    rulesetVersion: redactor.ruleset,
    now: unit.kernel.now().toISOString(),
  };
  const known = await findByInput(unit, { project_id, input: spec });
  if (known) return { record: known, is_new: false };
  const found = await readPackBytes(unit, { project_id, records: once });
  const built = builtOrRefused(mergePacks({ ...mergeOf(spec, found), redact: redactor }));
  const sources = new Map(
    packs.flatMap(({ sha256, sidecar_sha256 }) => [
      [sha256, null],
      [sidecar_sha256, null],
    ]),
  );
  return storePack(unit, { project_id, kind: "merged", built, input: spec, sources, ...by });
}

/** `found` in the order of the spec. */
export const mergeOf = (
  { packs, receiving, profile, reason, estimator, now }: MergeSpec,
  found: Pick<ReadPack, "pack" | "sidecar">[],
): Omit<MergeGiven, "redact"> => ({
  inputs: packs.flatMap(({ edgeId }, i) => {
    const one = found[i];
    return one ? [{ edgeId, pack: one.pack, sidecar: one.sidecar }] : [];
  }),
  receiving,
  profile,
  reason,
  estimator,
  now,
});
