// A turn that continues from a step of another one, with cards of that request replaced or left out.
import * as z from "zod";
import { INT_MAX } from "./bounds";
import { CardContent } from "./card";
import { Id, User } from "./ids";

/** A card that Switchyard writes for each request or hand-over: no fork changes it. */
export const isWrittenCard = (type: string): boolean => type.startsWith("meta.") || type === "sys.rendered_prompt";
/** Half of a call: it goes with the other half. */
export const isHalfOfCall = (type: string): boolean => type === "tool.call" || type === "tool.result";

export const DROP_MAX = 1_000;

export const ForkBody = z.strictObject({
  /** The step's number or its id; without it the last step that was sent to a model. */
  at_step: z.union([z.int().min(1).max(INT_MAX), Id]).optional(),
  /** `with`: a text or a complete content. The card's type and role stay. */
  replace: z
    .array(z.strictObject({ card_id: Id, with: z.union([z.string(), CardContent]) }))
    .max(100)
    .default([]),
  drop: z.array(Id).max(DROP_MAX).default([]),
  user: User,
});
export type ForkBody = z.infer<typeof ForkBody>;

export type ForkedFrom = {
  agent_turn_id: string;
  root_turn_id: string;
  headcode: string;
  step_id: string;
  ordinal: number;
  /** What the person changed. */
  replaced: { card_id: string; with: string }[];
  dropped: string[];
  /** What changed along with it: the other half of a tool call. Without `with` it was left out. */
  followed: { card_id: string; with?: string }[];
};
