// What the branches of a batch were handed over together, as the API returns it.
import * as z from "zod";

export const BatchRepeats = z
  .strictObject({
    batch_id: z.string(),
    tracks: z.number().describe("Contexts that were looked at: one for each task that has a turn, the first 256."),
    tracks_total: z.number(),
    cards: z.number().describe("Places in these contexts."),
    tokens: z.number().describe("Of all contexts together: first copies, repeats and what only one of them holds."),
    same_first: z
      .strictObject({ cards: z.number(), tokens: z.number() })
      .describe("What each of the contexts begins with: a provider's cache can serve it."),
    first_copies: z.number().describe("Tokens of cards that are held more than once, counted once."),
    repeats: z.number().describe("Tokens of their further copies."),
    unique: z.number().describe("Tokens of cards that are held once."),
  })
  .meta({ id: "BatchRepeats" });
export type BatchRepeats = z.infer<typeof BatchRepeats>;
