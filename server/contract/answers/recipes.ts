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
