// Who saw these words: cards of one run that contain a text, and the turns that had them.
import * as z from "zod";

export const SAW_TEXT_MIN = 3;
export const SAW_TEXT_MAX = 2_000;

/** Runs of white space as one blank, as words are compared. Case is kept. */
export const foldBlanks = (text: string): string => text.replace(/\s+/g, " ").trim();

export const SawText = z
  .string()
  .max(SAW_TEXT_MAX, `has at most ${SAW_TEXT_MAX} characters; select less`)
  .transform(foldBlanks)
  .refine((text) => text.length >= SAW_TEXT_MIN, `needs at least ${SAW_TEXT_MIN} characters; select more`);
