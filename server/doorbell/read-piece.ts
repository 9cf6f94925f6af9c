// Words of a model that came in over a line on which others may speak too.
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

/** null = it is none. */
export function readPiece(text: string): ThinkingPiece | null {
  try {
    return Piece.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
