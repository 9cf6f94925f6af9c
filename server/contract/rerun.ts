// The same task once more, for a fresh agent, with what is to be different this time.
import * as z from "zod";
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
  user: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .default("local"),
});
export type RerunBody = z.infer<typeof RerunBody>;
