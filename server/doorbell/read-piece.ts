// Reads a piece of model output from a channel on which others may send too.
import * as z from "zod";
import type { ThinkingPiece } from "@/server/contract/thinking";

const Piece = z.object({
  agent_turn_id: z.string(),
  turn_epoch: z.int(),
  step_id: z.string(),
  seq: z.int(),
  round: z.int(),
  part: z.enum(["text", "reasoning"]),
  offset: z.int().nonnegative(),
  text: z.string(),
  is_over: z.boolean(),
});

/** null = not a piece. */
export function readPiece(text: string): ThinkingPiece | null {
  try {
    return Piece.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
