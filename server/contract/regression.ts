// What another hand-over would have done to hand-overs that were made: packed again, dry.
import * as z from "zod";
import { Handover } from "./pack";

export const RegressInput = z.strictObject({
  /** Absent = the recipe's newest version. */
  handover: Handover.optional(),
  /** How many of the newest. */
  last: z.number().int().min(1).max(200).default(20),
  /** Hand-overs to this profile, whatever they were packed with. Absent = those that were packed with the recipe. */
  profile: z.string().trim().min(1).max(200).optional(),
});
export type RegressInput = z.infer<typeof RegressInput>;

export type Weight = { cards: number; tokens: number };

/** One hand-over. `refused`: it cannot be packed so any more, and why; then nothing is counted. */
export type Regressed = {
  agent_turn_id: string;
  headcode: string;
  profile_name: string;
  left_out: Weight;
  added: Weight;
  same: Weight;
  refused?: string;
};

export type Regression = {
  /** Newest first. */
  items: Regressed[];
  total: { left_out: Weight; added: Weight; same: Weight; refused: number; changed: number };
};
