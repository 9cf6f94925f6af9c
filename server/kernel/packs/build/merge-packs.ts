// Merges the packs that reach a gate into the one that its receiver gets, field by field. Where inputs disagree, the sidecar says
// so. The result is redacted and fitted again, as a built pack is.

import { canonicalJson } from "@/server/contract/canonical-json";
import { DateTime, UuidShape } from "@/server/contract/context-pack/forms";
import { ContextPack } from "@/server/contract/context-pack/pack";
import { type Estimator, type ExpandedReason, type PackProfile, Sidecar } from "@/server/contract/context-pack/sidecar";
import { shapeFault } from "@/server/contract/shape-fault";
import type { Draft } from "./draft";
import { digestOf, mergedPackId } from "./ids";
import { mergeArtifacts, mergeDecisions, mergeDocs, mergeFiles, mergeInputs } from "./merge-lists";
import { mergeConstraints, mergeFacts, mergeToolPolicy, mergeWorkspace } from "./merge-objects";
import type { MergeInput, Merging, Receiving } from "./merging";
import { invalid, refuseGoal } from "./normalise";
import { byArrival } from "./order";
import { BuildFault, type BuildOutcome, type Redactor, settle } from "./outcome";
import { withPolicy } from "./policy";
import { refuseOdd } from "./refuse-odd";
import { seal } from "./seal";

export type MergeGiven = {
  inputs: readonly MergeInput[];
  receiving: Receiving;
  profile: PackProfile;
  reason?: ExpandedReason;
  estimator: Estimator;
  redact: Redactor;
  /** When the gate fired, from the log. */
  now: string;
};

export const mergePacks = (given: MergeGiven): BuildOutcome => settle(() => merge(given), given.redact);

function merge({ inputs: given, receiving, profile, reason, estimator, redact, now }: MergeGiven): BuildOutcome {
  if (profile === "expanded" && reason === undefined)
    throw invalid("reason", "is missing. The profile expanded needs one");
  // A NUL would be stored in the pack, or fail in the database without naming its field.
  refuseOdd(receiving);
  if (!DateTime.safeParse(now).success) throw invalid("now", "expected a date and time such as 2026-01-31T09:30:00Z");
  const inputs = inDeclaredOrder(given, receiving.declared);
  refuseForeign(inputs);
  const merging: Merging = { inputs, draft: { conflicts: [], warnings: [] } };
  const draft: Draft = {
    frame: withPolicy(frameOf(merging, receiving, now)),
    lists: {
      docRefs: mergeDocs(merging),
      relevantFiles: mergeFiles(merging),
      inputs: mergeInputs(merging),
      artifacts: mergeArtifacts(merging),
      decisions: mergeDecisions(merging),
    },
    origins: inputs.map(({ pack }) => ({ kind: "pack", ref: pack.packId, sha256: digestOf(canonicalJson(pack)) })),
    ...merging.draft,
  };
  return seal(draft, { profile, estimator, redact, used: [] });
}

/** Those of edges that the gate does not declare follow by time. */
function inDeclaredOrder(given: readonly MergeInput[], declared: readonly string[]): MergeInput[] {
  if (given.length === 0) throw invalid("inputs", "is empty. Give at least one pack");
  for (const [i, { pack, sidecar }] of given.entries()) refuseMalformed(pack, sidecar, `inputs.${i}`);
  const place = new Map(declared.map((edgeId, at) => [edgeId, at]));
  const at = ({ edgeId }: MergeInput): number => place.get(edgeId) ?? declared.length;
  const moment = ({ pack }: MergeInput) => ({ createdAt: pack.createdAt ?? NEVER, payloadId: pack.packId });
  return given.toSorted((a, b) => at(a) - at(b) || byArrival(moment(a), moment(b)));
}
const NEVER = "0001-01-01T00:00:00Z";

function refuseMalformed(pack: unknown, sidecar: unknown, field: string): void {
  refuseOdd(pack);
  const { error } = ContextPack.safeParse(pack);
  const sidecarError = sidecar === undefined ? undefined : Sidecar.safeParse(sidecar).error;
  const fault = error ?? sidecarError;
  if (!fault) return;
  const { path, message } = shapeFault(fault, field, error ? "pack" : "sidecar");
  throw invalid(path, message);
}

function refuseForeign(inputs: MergeInput[]): void {
  for (const name of ["runId", "docsRoot"] as const) {
    const values = [...new Set(inputs.map(({ pack }) => pack[name]))];
    if (values.length > 1)
      throw new BuildFault(
        "merge_mismatch",
        `inputs: ${name} differs between the packs. Merge packs of one run and repository`,
        {
          field: name,
        },
      );
  }
}

function frameOf(merging: Merging, receiving: Receiving, now: string): Draft["frame"] {
  const packs = merging.inputs.map(({ pack }) => pack);
  const [first] = packs;
  const modes = packs.flatMap(({ nodeMode }) => nodeMode ?? []);
  const packId = mergedPackId(
    receiving.nodeId,
    packs.map((pack) => pack.packId),
  );
  return {
    packId: UuidShape.parse(packId),
    runId: first?.runId,
    nodeId: receiving.nodeId,
    createdAt: now,
    goal: goalOf(packs, receiving),
    definitionOfDone: [...new Set(packs.flatMap(({ definitionOfDone }) => definitionOfDone))],
    globalMode: packs.some(({ globalMode }) => globalMode === "planning") ? "planning" : "implementation",
    nodeMode: modes.includes("interactive") ? "interactive" : modes[0],
    docsRoot: first?.docsRoot ?? "/docs",
    repoFacts: mergeFacts(merging),
    workspace: mergeWorkspace(merging),
    constraints: mergeConstraints(merging),
    toolPolicy: mergeToolPolicy(merging),
    outputSchemaRef: schemaOf(merging, receiving),
  };
}

function goalOf(packs: ContextPack[], { goal }: Receiving): string {
  const joined = goal ?? [...new Set(packs.map((pack) => `[${pack.nodeId ?? pack.packId}] ${pack.goal}`))].join("\n");
  refuseGoal(joined);
  return joined;
}

function schemaOf({ inputs, draft }: Merging, { outputSchemaRef }: Receiving): string | undefined {
  const [first, ...others] = inputs;
  if (outputSchemaRef !== undefined || !first) return outputSchemaRef;
  const other = others.find(({ pack }) => pack.outputSchemaRef !== first.pack.outputSchemaRef);
  if (!other) return first.pack.outputSchemaRef;
  const field = "outputSchemaRef";
  draft.conflicts.push({ code: "output_schema_conflict", field, key: field, kept: "", other: other.pack.packId });
  return undefined;
}
