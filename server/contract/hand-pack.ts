// Packing a box by hand: what a person chooses, and what a dry run answers.
import * as z from "zod";
import type { Refused } from "./delegation";
import { handed, LoadEntry } from "./handed";
import type { PackResult } from "./pack";

export const HandPack = z.strictObject({
  /** Who is to read it: the dry run weighs it for a new agent of this profile. */
  profile_name: z.string().trim().min(1),
  /** The task as a card, if there is one. */
  instruction: z.string().optional(),
  load: z.array(LoadEntry).max(500, "at most 500 boxes and cards"),
  recipe: handed.recipe,
  arguments: handed.arguments,
});
export type HandPack = z.infer<typeof HandPack>;

export type HandPackPreview = { ok: true; pack: PackResult } | Refused;

/** As a list shows it: no texts of messages, at most 2 x PREVIEW_CARDS_END cards. */
export type HandPackLines = { ok: true; pack: PackResult; card_total: number; consist: string } | Refused;
