// What people and programs give to merge packs: which ones, in the order that decides where they disagree.
import * as z from "zod";
import { PackById, PackByRef, packGoal } from "./request";
import { ExpandedReason, PackProfile } from "./sidecar";

const MERGED_MAX = 1_000;

export const PacksToMerge = z
  .strictObject({
    packs: z
      .array(z.union([PackByRef, PackById]))
      .min(1)
      .max(MERGED_MAX),
    node_id: z.string().min(1).max(256).describe("The node that receives the merged pack."),
    goal: packGoal.optional().describe("Default: the goals of all packs, one per line."),
    output_schema_ref: z.string().min(1).max(1_024).optional(),
    profile: PackProfile.default("routine"),
    reason: ExpandedReason.optional(),
  })
  .refine(({ profile, reason }) => profile !== "expanded" || reason !== undefined, {
    path: ["reason"],
    error: `is missing. The profile expanded needs one of ${ExpandedReason.options.join(", ")}`,
  });
export type PacksToMerge = z.infer<typeof PacksToMerge>;
