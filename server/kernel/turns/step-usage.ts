import type { Step } from "@/server/contract/turn";

/** As the provider reports it; `cost` in US dollars is kept in a column of its own, at the step and summed at the turn. */
export type StepUsage = NonNullable<Step["usage"]> & { cost?: number };
