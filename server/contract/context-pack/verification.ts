// Whether a stored pack is what its stored input gives.
import * as z from "zod";

export const PackVerification = z
  .strictObject({
    verdict: z.enum(["same", "digest_mismatch", "replay_incompatible", "source_missing", "source_tampered"]),
    pointer: z
      .string()
      .optional()
      .describe('Where the stored and the built pack first differ, as a JSON pointer; "" = the whole.'),
    missing: z.array(z.string()).optional().describe("Digests of sources that are missing or have other bytes."),
  })
  .meta({ id: "PackVerification" });
export type PackVerification = z.infer<typeof PackVerification>;
