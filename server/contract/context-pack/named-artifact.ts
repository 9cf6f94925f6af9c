// A named artifact as lists and answers show it, without its bytes.
import * as z from "zod";
import { Sha256 } from "../artifact";

export const NamedArtifact = z.strictObject({
  /** artifact://area/name */
  ref: z.string(),
  area: z.string(),
  name: z.string(),
  sha256: Sha256,
  /** As the sender declared it. It is never used to serve the bytes. */
  mime: z.string(),
  size: z.int().min(0).max(1_073_741_824),
  created_at: z.string(),
  created_by: z.string(),
});
export type NamedArtifact = z.infer<typeof NamedArtifact>;
