// What an input stands for, for the check and the launch alike: an empty field of a form names no box and no card, and once passed
// the check and failed its node.
import { Id } from "../ids";
import type { PlanInput } from "./plan";

/** As given, or its default; undefined = not given. A text may be empty. */
export function givenValue(input: PlanInput, given: Readonly<Record<string, string>>): string | undefined {
  const own = Object.hasOwn(given, input.name) ? given[input.name] : undefined;
  const value = own === undefined || isEmpty(input, own) ? input.default : own;
  return value === undefined || isEmpty(input, value) ? undefined : value;
}

const isEmpty = ({ kind }: PlanInput, value: string): boolean => kind !== "text" && value === "";

/** Whether it may name a box or a card at all. What may not is never looked for, nor repeated to who gave it. */
export const isId = (value: string): boolean => Id.safeParse(value).success;
