// Signing in: what is sent, and where the browser goes afterwards.
import * as z from "zod";

export type SignInInput = z.infer<typeof SignInInput>;
export const SignInInput = z.strictObject({
  token: z.string().trim().min(1).max(512),
  /** Where to go next. Only a form sent without script needs the server's redirect. */
  next: z.string().max(4000).optional(),
});

/** Why a form that was sent without script is shown again. */
export type SignInFault = "token" | "wait" | "input" | "away";
