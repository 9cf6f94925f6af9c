// Context packs as the API returns them.
import * as z from "zod";
import { boxKinds } from "../box";
import { ContextPack } from "../context-pack/pack";
import { PackRecord as Stored } from "../context-pack/record";
import { PackProfile, Sidecar as StoredSidecar } from "../context-pack/sidecar";
import { pageAnswer } from "./page";
import { TurnRef } from "./turns";

export const PackRecord = Stored.meta({ id: "ContextPackRecord" });

export const PacksFound = pageAnswer(PackRecord)
  .omit({ total: true })
  .extend({
    is_partial: z
      .literal(true)
      .optional()
      .describe("With `q`: older packs were not looked at. `next_cursor` goes on with them."),
    looked_at: z.number().optional().describe("So many were."),
  })
  .meta({ id: "ContextPacksFound" });

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

const PackHolder = z
  .strictObject({
    box_id: z.string(),
    kind: z.enum(boxKinds),
    length: z.int().describe("Cards in the box."),
    token_sum: z.int(),
    consist: z.string().describe("Its cards as runs of role and tokens: S120 U400."),
    position: z.int().describe("Of the pack's card, from 0."),
    tokens: z.int().describe("Of the pack's card."),
    created_at: z.string(),
    turn: TurnRef.optional().describe("The newest turn that reads the box, or the one that writes it."),
  })
  .meta({ id: "PackHolder" });

export const PackHolders = z
  .strictObject({
    boxes: z.array(PackHolder).describe("The newest boxes that hold the pack. Requests of steps are not counted."),
    box_count: z.int(),
    is_all: z.boolean().describe("False: only the newest hand-overs of the pack were counted."),
  })
  .meta({ id: "PackHolders" });
export type PackHolders = z.infer<typeof PackHolders>;
export type PackHolder = z.infer<typeof PackHolder>;
