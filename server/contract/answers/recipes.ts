// Hand-over recipes as the API returns them.
import * as z from "zod";
import { Handover } from "../pack";

export const Recipe = z
  .strictObject({
    name: z.string(),
    version: z.number().describe("1, 2 ... A version never changes."),
    handover: Handover,
    project_id: z.string(),
    created_by: z.string().optional().describe("Absent for versions saved before this was recorded."),
    created_at: z.string().describe("When this version was saved."),
  })
  .meta({ id: "Recipe" });

const Weight = z.strictObject({ cards: z.number(), tokens: z.number() }).meta({ id: "Weight" });
export const Regression = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          agent_turn_id: z.string(),
          headcode: z.string(),
          profile_name: z.string(),
          left_out: Weight,
          added: Weight,
          same: Weight,
          refused: z.string().optional().describe("It cannot be packed so any more, and why. Then nothing is counted."),
        }),
      )
      .describe("Newest first."),
    total: z.strictObject({
      left_out: Weight,
      added: Weight,
      same: Weight,
      refused: z.number(),
      changed: z.number().describe("Hand-overs that would lose or gain a card."),
    }),
  })
  .meta({ id: "Regression" });
