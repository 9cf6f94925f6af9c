// Who saw these words: cards of one run that contain a text, and the turns that had them.
import * as z from "zod";

export const SAW_TEXT_MIN = 3;
export const SAW_TEXT_MAX = 2_000;

/**
 * What JavaScript calls white space, for an expression of its own and of Postgres: there `\s` depends on the database's locale,
 * and a text that was selected across a byte order mark was not found in the card that it came from.
 */
export const BLANKS = String.raw`[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+`;
const blanks = new RegExp(BLANKS, "g");

/** Runs of white space as one blank, as words are compared. Case is kept. */
export const foldBlanks = (text: string): string => text.replace(blanks, " ").trim();

export const SawText = z
  .string()
  .max(SAW_TEXT_MAX, `has at most ${SAW_TEXT_MAX} characters; select less`)
  .transform(foldBlanks)
  .refine((text) => text.length >= SAW_TEXT_MIN, `needs at least ${SAW_TEXT_MIN} characters; select more`);
