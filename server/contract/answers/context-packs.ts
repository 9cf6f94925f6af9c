// Context packs as the API returns them.
import * as z from "zod";
import { ContextPack } from "../context-pack/pack";
import { PackRecord as Stored } from "../context-pack/record";
import { PackProfile, Sidecar as StoredSidecar } from "../context-pack/sidecar";

export const PackRecord = Stored.meta({ id: "ContextPackRecord" });

export const PackDetail = Stored.extend({ pack: ContextPack.meta({ id: "ContextPack" }) })
  .strict()
  .meta({ id: "ContextPackDetail" });

export const PackSidecar = StoredSidecar.meta({ id: "ContextPackSidecar" });

/** What a pack would be; nothing is stored. */
export const PackEstimate = z
  .strictObject({
    estimate: z.int().describe("Tokens after trimming."),
    found: z.int().describe("Tokens before trimming."),
    limit: z.int(),
    profile: PackProfile,
    counts: Stored.shape.counts,
    warnings: z.array(z.string()),
  })
  .meta({ id: "PackEstimate" });
export type PackEstimate = z.infer<typeof PackEstimate>;

export const PackChanges = z
  .strictObject({
    before: z.string().describe("The SHA-256 of the older pack."),
    after: z.string(),
    changes: z.array(
      z.strictObject({
        kind: z.enum(["added", "removed", "changed", "reordered"]),
        pointer: z.string(),
        key: z.string(),
        before: z.unknown().optional(),
        after: z.unknown().optional(),
      }),
    ),
  })
  .meta({ id: "PackChanges" });
