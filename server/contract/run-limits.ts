// What a run may use before its new turns are held: turns, tokens and cost of everything that agents do in it.
import * as z from "zod";
import type { RunHold } from "./run-hold";

const TURNS_MAX = 100_000;
const TOKENS_MAX = 1_000_000_000_000;
const COST_MAX = 1_000_000;

const turns_max = z.int().min(1).max(TURNS_MAX);
/** Prompt and answer, as providers report them. */
const tokens_max = z.int().min(1).max(TOKENS_MAX);
/** In US dollars. */
const cost_max = z.number().positive().max(COST_MAX);

export const RunLimits = z.strictObject({
  turns_max: turns_max.optional(),
  tokens_max: tokens_max.optional(),
  cost_max: cost_max.optional(),
});
export type RunLimits = z.infer<typeof RunLimits>;

/** A new limit, or null to lift it. What is left out stays. */
export const RunLimitsPatch = z.strictObject({
  turns_max: turns_max.nullable().optional(),
  tokens_max: tokens_max.nullable().optional(),
  cost_max: cost_max.nullable().optional(),
});
export type RunLimitsPatch = z.infer<typeof RunLimitsPatch>;

export type RunLimitsState = { root_turn_id: string; limits: RunLimits; held?: RunHold };
