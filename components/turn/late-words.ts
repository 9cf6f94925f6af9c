// What is said of a write that came too late.
import type { LateFrame } from "@/server/contract/frame";

/** Why it changed nothing. */
export function lateWords(late: Pick<LateFrame, "turn_epoch" | "current_epoch" | "what">): string {
  if (late.what.startsWith("result of ")) return "after its call was over";
  return late.turn_epoch === late.current_epoch
    ? `epoch ${late.turn_epoch}, while the turn was asleep, not started or ended`
    : `epoch ${late.turn_epoch} against ${late.current_epoch}`;
}
