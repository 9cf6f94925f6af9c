// Words about plans. Pure.
import { formatCount } from "@/components/ui/format";
import type { PlanInput } from "@/server/contract/plan/plan";
import type { PlanLine, PlanRunLine } from "@/server/contract/plan/plan-sheet";

/** "question, runbook (optional)" */
export const inputWords = (inputs: readonly PlanInput[]): string =>
  inputs.map((input) => (isRequired(input) ? input.name : `${input.name} (optional)`)).join(", ");

export const isRequired = (input: PlanInput): boolean => input.required && input.default === undefined;

/** "3 of 5 steps delivered" */
export function runWords(run: PlanRunLine): string {
  const done = `${run.delivered_count} of ${formatCount(run.node_count, "step")} delivered`;
  return run.held_count === 0
    ? done
    : `${done}, ${run.held_count} ${run.held_count === 1 ? "waits" : "wait"} for a person`;
}

/** All words occur in the name, the description or the inputs. */
export function filterPlans(plans: readonly PlanLine[], words: string): PlanLine[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return plans.filter(({ name, description, inputs }) => {
    const text = [name, description, ...inputs.map((input) => input.name)].join(" ").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
