// Environment data of a run as the API returns it.
import * as z from "zod";

export const EnvLine = z
  .strictObject({
    root_turn_id: z.string(),
    key: z.string(),
    short_description: z.string(),
    value_bytes: z.number().describe("Of the value as JSON."),
    stored_by: z.string(),
    stored_by_turn_id: z.string().optional().describe("Absent if a person stored it."),
    rev: z.number(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "EnvLine" });
export const EnvEntry = EnvLine.extend({
  value: z.unknown().optional(),
}).meta({ id: "EnvEntry" });
