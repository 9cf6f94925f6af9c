// Which cards of a run contain a text and which turns had them, as the API returns it.
import * as z from "zod";

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
