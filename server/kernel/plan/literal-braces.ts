// An instruction that was given may hold `{input.x}` as words: someone wrote about plans. In a plan that would name an input, which the
// check refuses or the launch fills. So its brace becomes an input of the plan, which stands for the brace itself.
import type { PlanInput } from "@/server/contract/plan/plan";
import { titleOf } from "@/server/contract/plan/plan-words";
import type { LiftedRider } from "./lift-rider";

const LITERAL = /\{(?=input\.[a-z][a-z0-9_]{0,39}\})/g;

/** Filled in once and not read again: what it begins stays as it was. */
export const BRACE: PlanInput = {
  name: "open_brace",
  kind: "text",
  required: false,
  default: "{",
  description: "Stands for the character {, so that {input.…} in an instruction stays as it was written.",
};

export const BRACE_NOTE = `Its instruction has {input.…} as words. Here {input.${BRACE.name}} stands for their brace.`;

/** Null = there is nothing to write otherwise. */
export function withLiteralBraces(rider: LiftedRider): (LiftedRider & { title: string }) | null {
  const instruction = rider.instruction.replace(LITERAL, `{input.${BRACE.name}}`);
  return instruction === rider.instruction ? null : { ...rider, title: titleOf(rider), instruction };
}
