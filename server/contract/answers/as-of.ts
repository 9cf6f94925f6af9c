// A run as it was at a moment, as it is answered.
import * as z from "zod";
import { Frame } from "./frames";

export const AsOfAnswer = z
  .strictObject({
    root_turn_id: z.string(),
    at: z.string(),
    source: z
      .enum(["journal", "times"])
      .describe(
        "`journal`: from the frames that were written then. `times`: from the times that turns, steps and batches carry; what an unfinished turn had written by then is not known.",
      ),
    why: z
      .enum(["imported", "expired", "too_many"])
      .optional()
      .describe(
        "With `times`: the run was imported in one moment, the journal no longer has its beginning, or there are too many frames to read.",
      ),
    frames: z.array(Frame).describe("The last of each entity until then."),
    shown_turns: z.number(),
  })
  .meta({ id: "RunAsOf" });
