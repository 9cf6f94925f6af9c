// What is known about a pack and has no room in its closed format: sources, budget, what was trimmed, redacted and merged. It
// names places and counts, never a value: values may be secrets.
import * as z from "zod";
import { UuidShape } from "./forms";

/** `o200k` counts as the models of OpenAI do. `bytes4` is a quarter of the bytes of the canonical JSON. */
export const Estimator = z.enum(["o200k", "bytes4"]);
export type Estimator = z.infer<typeof Estimator>;

export const PackProfile = z.enum(["routine", "expanded"]);
export type PackProfile = z.infer<typeof PackProfile>;

/** Tokens. A larger pack is never written. */
export const PACK_LIMITS: Record<PackProfile, number> = { routine: 6_000, expanded: 20_000 };

/** `expanded` needs one of these. */
export const ExpandedReason = z.enum(["initial_investigation", "large_refactor", "deep_verification_failure"]);
export type ExpandedReason = z.infer<typeof ExpandedReason>;

const count = z.int().min(0);
const BareDigest = z.string().regex(/^[0-9a-f]{64}$/);

/** What a part of the pack was made from. `evidence` is an artifact that shows a failure. */
export const PackSource = z.strictObject({
  /** A JSON pointer into the pack. */
  pointer: z.string(),
  kind: z.enum(["doc", "file", "envelope", "event", "evidence", "decision", "snapshot", "pack"]),
  ref: z.string(),
  sha256: BareDigest.optional(),
});
export type PackSource = z.infer<typeof PackSource>;

const trimActions = ["shortened", "excerpt_removed", "details_removed", "removed"] as const;

/** One step of the trim order, as it was done. */
export const Trimmed = z.strictObject({
  /** 1 to 8: the place in the trim order. */
  step: z.int().min(1).max(8),
  action: z.enum(trimActions),
  /** The member of the pack: relevantFiles, artifacts, docRefs, decisions, inputs, repoFacts. */
  field: z.string(),
  /** Path, reference or id of the item. */
  key: z.string(),
  bytesBefore: count,
  bytesAfter: count,
});
export type Trimmed = z.infer<typeof Trimmed>;

export const PackRedaction = z.strictObject({ pointer: z.string(), kind: z.string(), count: count.min(1) });
export type PackRedaction = z.infer<typeof PackRedaction>;

const conflictCodes = [
  "file_hash_conflict",
  "decision_conflict",
  "constraint_conflict",
  "tool_policy_conflict",
  "repo_fact_conflict",
  "workspace_conflict",
  "output_schema_conflict",
  "payload_conflict",
] as const;

/** Inputs that disagree. `kept` and `other` name the packs or payloads by id. */
export const PackConflict = z.strictObject({
  code: z.enum(conflictCodes),
  field: z.string(),
  key: z.string(),
  kept: z.string(),
  other: z.string(),
});
export type PackConflict = z.infer<typeof PackConflict>;

export const Sidecar = z.strictObject({
  packId: UuidShape,
  sha256: BareDigest,
  builderVersion: z.int().min(1),
  rulesetVersion: z.string(),
  estimator: Estimator,
  profile: PackProfile,
  estimate: count,
  sources: z.array(PackSource),
  trimmed: z.array(Trimmed),
  redactions: z.array(PackRedaction),
  conflicts: z.array(PackConflict),
  /** `code:subject`, such as missing_doc:/docs/PLAN.md. */
  warnings: z.array(z.string()),
});
export type Sidecar = z.infer<typeof Sidecar>;
