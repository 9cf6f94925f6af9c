// The same task once more, for a fresh agent, with what is to be different this time.
import * as z from "zod";
import { User } from "./ids";
import { InstructionInput } from "./target";

export const RerunBody = z.strictObject({
  overrides: z
    .strictObject({
      /** Another profile; without it the very one of the turn, also when its name has a newer version. */
      profile_name: z.string().trim().min(1).optional(),
      /** Takes the place of the old instruction. */
      instruction: InstructionInput.optional(),
    })
    .prefault({}),
  user: User,
});
export type RerunBody = z.infer<typeof RerunBody>;
