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

export const SawTextAnswer = z
  .strictObject({
    text: z.string().describe("As it was compared: white space folded."),
    cards: z.array(z.strictObject({ card_id: z.string(), type: z.string() })).describe("The newest 200."),
    cards_total: z.number(),
    turns: z.array(
      z.strictObject({
        agent_turn_id: z.string(),
        headcode: z.string(),
        as: z.array(z.enum(["context", "memory", "output", "request"])),
        cards: z.number().describe("How many of the cards it had."),
      }),
    ),
    looked_at: z.number().describe("Cards of the run whose text was compared."),
    is_partial: z.boolean().describe("The run has more turns or cards than were looked at."),
  })
  .meta({ id: "SawText" });
export type SawTextAnswer = z.infer<typeof SawTextAnswer>;
