// The limits of a run and what holds it, as they are answered.
import * as z from "zod";
import { RunLimits } from "../run-limits";
import { runStatuses } from "../run-order";
import { pageAnswer } from "./page";

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

export const RunAgain = z
  .strictObject({ root_turn_id: z.string().describe("Of the new run.") })
  .meta({ id: "RunAgain" });

const RunLine = z
  .strictObject({
    root_turn_id: z.string(),
    number: z.number(),
    title: z.string(),
    source: z.enum(["launch", "import", "demo"]),
    agent_id: z.string().describe("Of its root turn: the person, or the agent of an import."),
    who: z.string().describe("How that agent is called."),
    status: z
      .enum(runStatuses)
      .describe(
        "`running` while a turn works, `waiting` while what has not ended waits, then the worst of what people launched in it.",
      ),
    created_at: z.string(),
    ended_at: z.string().optional().describe("When its last turn ended. Absent while one has not."),
    is_untimed: z.literal(true).optional().describe("An imported log without times: how long it took is not known."),
    launched_turn_id: z
      .string()
      .optional()
      .describe("The turn that a person handed over to first. Absent where people forked or launched a plan."),
    turns: z.number().describe("Of agents."),
    is_cut: z.literal(true).optional().describe("It has more than 10,000 turns; the figures are of the newest 10,000."),
    live: z.number().describe("Turns that have not ended."),
    failed: z.number().describe("Turns that failed or ran out of time."),
    tokens: z.number().describe("In and out, as the providers reported them."),
    cost: z.number().optional().describe("US dollars. Absent = no turn has a price."),
    unpriced: z.number().describe("Turns that used tokens and have no price. The cost leaves them out."),
    alarms: z.number().describe("Not muted."),
  })
  .meta({ id: "RunLine" });
export const RunPage = pageAnswer(RunLine)
  .omit({ total: true })
  .extend({
    is_partial: z.boolean().describe("Only the newest `looked_at` runs were looked at."),
    looked_at: z.number().optional(),
  });
