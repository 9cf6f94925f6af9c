// A stored pack as lists and pages read it, without its text.
import * as z from "zod";
import { Sha256 } from "../artifact";
import { UuidShape } from "./forms";
import { GlobalMode } from "./pack";
import { PackProfile } from "./sidecar";

const count = z
  .int()
  .min(0)
  .max(Number.MAX_SAFE_INTEGER - 1);

/** Of documents, files, inputs, artifacts and decisions: how many the pack has whole, shortened, and not at all. */
export const PackCounts = z.strictObject({
  whole: count,
  shortened: count,
  left_out: count,
  redactions: count,
  conflicts: count,
  warnings: count,
});

export const PackRecord = z.strictObject({
  pack_id: UuidShape,
  /** P-31D0: the first four digits of the digest. */
  code: z.string(),
  /** The first line of the goal. */
  title: z.string(),
  sha256: Sha256,
  sidecar_sha256: Sha256,
  input_sha256: Sha256,
  /** Tokens. */
  estimate: count,
  limit: count,
  /** Tokens before trimming. */
  found: count,
  profile: PackProfile,
  globalMode: GlobalMode,
  created_at: z.string(),
  created_by: z.string(),
  root_turn_id: z.string().optional(),
  agent_turn_id: z.string().optional(),
  artifact_ref: z.string(),
  counts: PackCounts,
  kind: z.enum(["built", "merged"]),
});
export type PackRecord = z.infer<typeof PackRecord>;
