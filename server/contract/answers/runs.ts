// The limits of a run and what holds it, as they are answered.
import * as z from "zod";
import { RunLimits } from "../run-limits";

export const RunHold = z
  .strictObject({
    limit: z.enum(["turns_max", "tokens_max", "cost_max"]),
    max: z.number(),
    used: z.number(),
    waiting: z.number().describe("Turns that wait for the limit."),
  })
  .meta({ id: "RunHold" });
export const RunLimitsState = z
  .strictObject({
    root_turn_id: z.string(),
    limits: RunLimits,
    held: RunHold.optional().describe("Absent while no turn waits for a limit."),
  })
  .meta({ id: "RunLimitsState" });
