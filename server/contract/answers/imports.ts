// What an import returns.
import * as z from "zod";

export const ImportResult = z
  .strictObject({
    root_turn_id: z.string(),
    turns: z.number(),
    cards: z.number(),
    boxes: z.number(),
    edges: z.number(),
    agents: z.number(),
    skipped: z
      .number()
      .describe("How many already existed. A repeated import returns the same ids and writes nothing."),
    is_replay: z.boolean(),
  })
  .meta({ id: "ImportResult" });
