// A context pack: the least context that one goal needs, with references instead of bodies. The format is given, so its keys are
// camelCase and its objects are closed. Nothing is filled in on reading: a parsed pack has the same canonical bytes.
import * as z from "zod";
import { DateTime, Digest, OpenObject, UuidShape } from "./forms";

export const GlobalMode = z.enum(["planning", "implementation"]);
export type GlobalMode = z.infer<typeof GlobalMode>;

export const NodeMode = z.enum(["auto", "interactive"]);
export type NodeMode = z.infer<typeof NodeMode>;

/** Without a priority a document is of medium priority. */
export const DocPriority = z.enum(["low", "medium", "high"]);
export type DocPriority = z.infer<typeof DocPriority>;

export const DocRef = z.strictObject({
  path: z.string(),
  /** Slugs of the headings that matter. */
  anchors: z.array(z.string()).optional(),
  excerpt: z.string().optional(),
  priority: DocPriority.optional(),
});
export type DocRef = z.infer<typeof DocRef>;

/** `hash` covers the whole file, not the excerpt. */
export const RelevantFile = z.strictObject({
  path: z.string(),
  purpose: z.string().optional(),
  excerpt: z.string().optional(),
  hash: z.string().optional(),
});
export type RelevantFile = z.infer<typeof RelevantFile>;

export const PayloadRef = z.strictObject({
  payloadId: UuidShape,
  fromNodeId: z.string().optional(),
  edgeId: z.string().optional(),
});
export type PayloadRef = z.infer<typeof PayloadRef>;

export const PackDecision = z.strictObject({
  id: z.string(),
  summary: z.string(),
  rationale: z.string().optional(),
  links: z.array(z.string()).optional(),
});
export type PackDecision = z.infer<typeof PackDecision>;

export const PackArtifactType = z.enum(["diff", "log", "file", "report", "verification", "context_pack", "unknown"]);
export type PackArtifactType = z.infer<typeof PackArtifactType>;

export const PackArtifactRef = z.strictObject({
  ref: z.string(),
  type: PackArtifactType,
  summary: z.string().optional(),
  sha256: Digest.optional(),
});
export type PackArtifactRef = z.infer<typeof PackArtifactRef>;

export const PackWorkspace = z.strictObject({
  mode: z.enum(["shared", "worktree", "copy"]).optional(),
  rootPath: z.string().optional(),
  worktreePath: z.string().optional(),
  branch: z.string().optional(),
});
export type PackWorkspace = z.infer<typeof PackWorkspace>;

export const ContextPack = z.strictObject({
  packId: UuidShape,
  runId: z.string().optional(),
  nodeId: z.string().optional(),
  createdAt: DateTime.optional(),
  goal: z.string(),
  definitionOfDone: z.array(z.string()),
  globalMode: GlobalMode,
  nodeMode: NodeMode.optional(),
  docsRoot: z.string(),
  docRefs: z.array(DocRef),
  repoFacts: OpenObject.optional(),
  workspace: PackWorkspace.optional(),
  relevantFiles: z.array(RelevantFile).optional(),
  inputs: z.array(PayloadRef).optional(),
  artifacts: z.array(PackArtifactRef).optional(),
  decisions: z.array(PackDecision).optional(),
  constraints: OpenObject.optional(),
  toolPolicy: OpenObject.optional(),
  /** artifact:, schema:, http(s): or a relative path. */
  outputSchemaRef: z.string().optional(),
});
export type ContextPack = z.infer<typeof ContextPack>;
