// The agents of a run: how full their windows were, and who called and made whom, as the API returns it.
import * as z from "zod";
import { identityActions } from "../state";

const fill = {
  tokens: z.number().describe("Estimated, of one request."),
  window_tokens: z.number().optional().describe("Of the model; absent = unknown."),
};

export const AgentFill = z
  .strictObject({
    agent_turn_id: z.string(),
    headcode: z.string(),
    step_id: z.string().optional(),
    ordinal: z.number().optional().describe("Of the step in its turn."),
    sent_at: z.string().optional(),
    ...fill,
  })
  .meta({ id: "AgentFill" });
export type AgentFill = z.infer<typeof AgentFill>;

export const AgentOfRun = z
  .strictObject({
    agent_id: z.string(),
    name: z.string(),
    profile_name: z.string(),
    is_human: z.boolean(),
    turns: z.number(),
    failed: z.number().describe("Turns that failed or timed out."),
    peak: AgentFill.optional().describe("Its fullest request; absent = none is recorded."),
    requests: z.number(),
    tight: z.number().describe("Requests of 80 % of the window and more."),
    compactions: z
      .number()
      .describe("Requests with fewer cards and fewer tokens than the one before them in the same turn."),
    history: z
      .array(AgentFill.extend({ is_compaction: z.boolean() }))
      .describe("Its newest 60 requests, first sent first."),
  })
  .meta({ id: "AgentOfRun" });
export type AgentOfRun = z.infer<typeof AgentOfRun>;

export const AgentDelegations = z
  .strictObject({
    from: z.string().describe("The agent that called."),
    to: z.string(),
    count: z.number(),
    tokens: z.number().describe("Of the contexts that were handed over."),
    failed: z.number(),
  })
  .meta({ id: "AgentDelegations" });
export type AgentDelegations = z.infer<typeof AgentDelegations>;

export const RunAgents = z
  .strictObject({
    root_turn_id: z.string(),
    agents: z.array(AgentOfRun).describe("In the order of their first turns, at most 5,000."),
    agents_total: z.number(),
    delegations: z.array(AgentDelegations),
    identity: z
      .array(z.strictObject({ from: z.string(), to: z.string(), action: z.enum(identityActions) }))
      .describe("Who made or derived whom, between agents of the run."),
    is_partial: z.boolean().describe("The run has more turns or requests than were looked at: these are the newest."),
  })
  .meta({ id: "RunAgents" });
export type RunAgents = z.infer<typeof RunAgents>;
