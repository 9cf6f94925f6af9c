// Builds a pack: a pure function of its input and of stored bytes. The steps are those of docs/decisions/context-packs.md; each
// has a file of its own.
import { canonicalJson } from "@/server/contract/canonical-json";
import { Snapshot } from "@/server/contract/context-pack/build-input";
import type { OpenObject } from "@/server/contract/context-pack/forms";
import type { ContextPack } from "@/server/contract/context-pack/pack";
import { Blobs } from "./blobs";
import type { Draft } from "./draft";
import { digestOf, packIdOf } from "./ids";
import { type Normal, normalise } from "./normalise";
import { BuildFault, type BuildOutcome, type ReadBlob, type Redactor, settle } from "./outcome";
import { withPolicy } from "./policy";
import { rankFiles } from "./rank-files";
import { pathOfSchema } from "./references";
import { seal } from "./seal";
import { newEvents, takeArtifacts, takeInputs } from "./take-deltas";
import { takeDocs } from "./take-docs";

export type BuildGiven = {
  /** A `BuildInput`. It is checked here. */
  input: unknown;
  read: ReadBlob;
  redact: Redactor;
};

export const buildPack = (given: BuildGiven): BuildOutcome => settle(() => build(given), given.redact);

function build({ input: given, read, redact }: BuildGiven): BuildOutcome {
  const input = normalise(given, redact);
  const blobs = new Blobs(read);
  const snapshot = readSnapshot(input, blobs);
  const docs = takeDocs({ input, snapshot, blobs, redact });
  const events = newEvents(input);
  const { inputs, conflicts, envelopes } = takeInputs(input);
  const listed = new Set(docs.docRefs.map(({ item }) => item.path.replace(/^\//, "")));
  const files = rankFiles({ input, snapshot, events, envelopes, docs: listed, blobs, redact });
  blobs.refuseGaps();
  const draft: Draft = {
    frame: frameOf(input, docs),
    lists: {
      docRefs: docs.docRefs,
      relevantFiles: files.relevantFiles,
      inputs,
      artifacts: takeArtifacts(events, envelopes),
      decisions: input.decisions.map((item) => ({
        item,
        origins: [{ kind: "decision", ref: item.id, sha256: digestOf(canonicalJson(item)) }],
      })),
    },
    origins: input.snapshot ? [{ kind: "snapshot", ref: input.snapshot.workspace, sha256: input.snapshot.sha256 }] : [],
    conflicts,
    warnings: [...docs.warnings, ...files.warnings, ...ownWarnings(input, snapshot)],
  };
  const { profile, estimator } = input;
  return seal(draft, { profile, estimator, redact, used: blobs.digests() });
}

function readSnapshot({ snapshot }: Normal, blobs: Blobs): Snapshot | null {
  if (!snapshot) return null;
  const bytes = blobs.bytes(snapshot.sha256);
  blobs.refuseGaps();
  const { data, error } = Snapshot.safeParse(JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())));
  if (error) throw new BuildFault("invalid_input", "snapshot: is not a listing of files. Index the workspace again");
  return data;
}

function frameOf(input: Normal, docs: { definitionOfDone: string[]; docsClass?: string }): Draft["frame"] {
  const { run, node, globalMode, docsRoot, constraints, toolPolicy, workspace, now } = input;
  const facts: OpenObject = { ...input.repoFacts, ...(docs.docsClass !== undefined && { docsClass: docs.docsClass }) };
  const frame = {
    packId: packIdOf(input),
    runId: run?.id,
    nodeId: node.id,
    createdAt: now,
    goal: node.objective,
    definitionOfDone: docs.definitionOfDone,
    globalMode,
    nodeMode: node.mode,
    docsRoot,
    repoFacts: Object.keys(facts).length === 0 ? undefined : facts,
    workspace,
    constraints,
    toolPolicy,
    outputSchemaRef: node.outputSchemaRef,
  } satisfies Partial<ContextPack>;
  return withPolicy(frame);
}

const SENTENCES_MAX = 3;

function ownWarnings({ node }: Normal, snapshot: Snapshot | null): string[] {
  const sentences = node.objective.split(/[.!?](?:\s|$)/).filter((one) => one.trim() !== "").length;
  const path = node.outputSchemaRef === undefined ? null : pathOfSchema(node.outputSchemaRef);
  const isKnown = path === null || (snapshot?.files.some((file) => file.path === path) ?? false);
  return [
    ...(sentences > SENTENCES_MAX ? [`long_goal:${sentences} sentences`] : []),
    ...(isKnown ? [] : [`unresolved_schema:${node.outputSchemaRef}`]),
  ];
}
