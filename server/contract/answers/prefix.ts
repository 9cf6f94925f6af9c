// How far requests begin alike, as the API returns it.
import * as z from "zod";
import { providerNames } from "../models";
import { prefixWhys, uncachedWhys } from "../prefix";
import { PairChange } from "./box-diff";
import { CardLine, Weight } from "./handover";

const ModelName = z.strictObject({ provider: z.enum(providerNames), model: z.string() });

const PrefixRequest = z
  .strictObject({
    step_id: z.string(),
    ordinal: z.number(),
    agent_turn_id: z.string(),
    headcode: z.string(),
    task_index: z.number().optional(),
    request_box_id: z.string(),
    started_at: z.string(),
    model: ModelName.optional(),
    sent: Weight.describe("Items (system prompt, tools, and one for each card) and estimated tokens."),
    against: z.string().optional().describe("The step that it is compared with."),
    common: Weight.describe("Whole items that both begin with."),
    common_part: z.number().describe("Estimated tokens that are the same at the start of the first item that differs."),
    why: z
      .enum(prefixWhys)
      .describe(
        "first: nothing to compare it with. same: all of it. appended: only added at the end. Otherwise what differs first.",
      ),
    differs: z
      .strictObject({
        at: z.number(),
        a: CardLine.optional(),
        b: CardLine.optional(),
        change: PairChange.optional(),
      })
      .optional(),
    predicted_cached: z.number().nullable().describe("Estimated tokens. null = the provider publishes no rule."),
    not_cached: z.enum(uncachedWhys).optional(),
    input_tokens: z.number().optional().describe("As the provider reported it."),
    cached_tokens: z.number().optional().describe("As the provider reported it."),
  })
  .meta({ id: "PrefixRequest" });

export const PrefixSheet = z
  .strictObject({
    requests: z.array(PrefixRequest).describe("Oldest first."),
    total: z.number().describe("How many there are, of which `requests` are the newest."),
    shared: Weight.optional().describe("Of a fork: what all branches begin with."),
    totals: z.strictObject({
      input_tokens: z.number().describe("Reported, and estimated where nothing was reported."),
      predicted_cached: z.number(),
      reported_cached: z.number(),
      unreported: z.number().describe("Requests for which no usage was reported."),
      without_rule: z.number().describe("Requests to models for which no rule is published."),
    }),
    rules: z.array(
      ModelName.extend({
        min_tokens: z.number(),
        step_tokens: z.number(),
        kept_s: z.number().nullable(),
        how: z.enum(["automatic", "marked"]),
        order: z.enum(["system_first", "tools_first"]),
      }),
    ),
    rules_date: z.string(),
  })
  .meta({ id: "PrefixSheet" });
