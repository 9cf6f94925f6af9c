// What the inputs of a plan are filled with, for the check, a hand-over and the launch. Pure.
import type { Plan } from "@/server/contract/plan/plan";

export type Filled = Readonly<Record<string, string>>;

/** "" = not filled in. `constructor` is a good name for an input. */
export const filledIn = (inputs: Filled, name: string): string =>
  Object.hasOwn(inputs, name) ? (inputs[name] ?? "") : "";

/** Those of the plan that are filled in with more than blanks. */
export const givenInputs = (plan: Pick<Plan, "inputs">, inputs: Filled): Record<string, string> =>
  Object.fromEntries(
    plan.inputs.flatMap(({ name }) => (filledIn(inputs, name).trim() === "" ? [] : [[name, filledIn(inputs, name)]])),
  );

/** The first that a launch needs and does not have; undefined = it has all. */
export const missingInput = (plan: Pick<Plan, "inputs">, inputs: Filled): string | undefined =>
  plan.inputs.find(
    ({ name, required, default: preset }) => required && preset === undefined && filledIn(inputs, name).trim() === "",
  )?.name;

/** For a check: an input that is not filled in yet is no problem of the plan. */
export const checkedInputs = (plan: Pick<Plan, "inputs">, inputs: Filled): { inputs?: Record<string, string> } =>
  missingInput(plan, inputs) === undefined ? { inputs: givenInputs(plan, inputs) } : {};
