// The same task again, for a fresh agent, with what should differ this time.
import * as z from "zod";
import { User } from "./ids";
import { InstructionInput } from "./target";

export const RerunBody = z.strictObject({
  overrides: z
    .strictObject({
      /** Another profile. Without it the turn's own version, even if there is a newer one. */
      profile_name: z.string().trim().min(1).optional(),
      /** Replaces the old instruction. */
      instruction: InstructionInput.optional(),
    })
    .prefault({}),
  user: User,
});
export type RerunBody = z.infer<typeof RerunBody>;

/** A whole run again: what its person launched, a delegation, a fork or a plan. */
export const RerunRunBody = z.strictObject({ user: User });
export type RerunRunBody = z.infer<typeof RerunRunBody>;
