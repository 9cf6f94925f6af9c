// Hand-over recipes as the API returns them.
import * as z from "zod";
import { Handover } from "../pack";

export const Recipe = z
  .strictObject({
    name: z.string(),
    handover: Handover,
    project_id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "Recipe" });
