// Everything a pack is built from. It is stored as canonical JSON under its digest, and a replay builds from it again: clock and
// disk are values in it, and files are named by digest.
import * as z from "zod";
import { Envelope } from "./envelope";
import { DateTime, Digest, OpenObject } from "./forms";
import { DocPriority, PackArtifactType, PackDecision, PackWorkspace } from "./pack";
import { Estimator, ExpandedReason, PackProfile } from "./sidecar";

/** Raised when the same input would give other bytes: stored packs of an older version are not compared. */
export const BUILDER_VERSION = 2;

const BareDigest = z.string().regex(/^[0-9a-f]{64}$/, "expected 64 digits and letters a to f");
const seq = z.int().min(0);

export const SnapshotFile = z.strictObject({
  path: z.string().min(1),
  sha256: BareDigest,
  size: z.int().min(0),
  kind: z.enum(["text", "binary"]),
  /** Paths of files of the same snapshot. */
  imports: z.array(z.string()).optional(),
});
export type SnapshotFile = z.infer<typeof SnapshotFile>;

/** A workspace at one moment: regular files, sorted by the bytes of their paths. Equal trees have equal bytes. */
export const Snapshot = z.strictObject({ files: z.array(SnapshotFile) });
export type Snapshot = z.infer<typeof Snapshot>;

/** A document to refer to: `card://<id>`, `artifact://area/name`, or a path of the snapshot with the headings that matter. */
export const BuildDoc = z.strictObject({
  path: z.string().min(1),
  /** Of the text of a card or an artifact. A path of the snapshot has its digest there. */
  sha256: BareDigest.optional(),
  anchors: z.array(z.string()).optional(),
  priority: DocPriority.optional(),
});
export type BuildDoc = z.infer<typeof BuildDoc>;

/** Something that happened since the node last ran, from the journal. */
export const BuildEvent = z.strictObject({
  seq,
  kind: z.enum(["test_result", "diff", "error", "log"]),
  ref: z.string().min(1),
  type: PackArtifactType,
  summary: z.string().optional(),
  sha256: Digest.optional(),
  isFailure: z.boolean(),
  files: z.array(z.string()),
});
export type BuildEvent = z.infer<typeof BuildEvent>;

const BuildNode = z.strictObject({
  id: z.string().min(1),
  /** In any case: the builder writes lower case. */
  mode: z.string().optional(),
  objective: z.string(),
  definitionOfDone: z.array(z.string()),
  outputSchemaRef: z.string().optional(),
  turn: seq.optional(),
});

export const BuildInput = z.strictObject({
  builderVersion: z.int().min(1),
  rulesetVersion: z.string(),
  estimator: Estimator,
  run: z.strictObject({ id: z.string().min(1) }).optional(),
  /** In any case: the builder writes lower case. */
  globalMode: z.string(),
  node: BuildNode,
  docsRoot: z.string().optional(),
  snapshot: z.strictObject({ sha256: BareDigest, workspace: z.string() }).optional(),
  docs: z.array(BuildDoc).optional(),
  /** Digests of the documents of the node's last pack: a changed one is warned about. */
  previousDocs: z.array(z.strictObject({ path: z.string(), sha256: BareDigest })).optional(),
  /** The best hits of the search only: each counts the same, and of equal files the one with the higher score comes first. */
  hits: z.array(z.strictObject({ path: z.string().min(1), score: z.number() })),
  /** Named by the caller. They count as files that failing evidence names. */
  files: z.array(z.string().min(1)).optional(),
  events: z.array(BuildEvent),
  /** The last event the node has seen. Null = first turn or a new context: only current failures count. */
  watermark: seq.nullable(),
  envelopes: z.array(Envelope),
  decisions: z.array(PackDecision),
  repoFacts: OpenObject.optional(),
  /** Without paths: they would say where on a machine it lies. */
  workspace: PackWorkspace.pick({ mode: true, branch: true }).optional(),
  constraints: OpenObject.optional(),
  toolPolicy: OpenObject.optional(),
  profile: PackProfile,
  reason: ExpandedReason.optional(),
  /** Files, and folders that end with "/". */
  owned: z.array(z.string().min(1)).optional(),
  now: DateTime,
});
export type BuildInput = z.infer<typeof BuildInput>;
