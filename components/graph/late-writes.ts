// Writes of a worker that had lost its turn: refused, and shown, because whoever sent them still believes it holds the turn.
import type { LateFrame } from "@/server/contract/frame";
import { byTurn } from "./by-turn";

export const LATE_WORDS = "a lost worker still writes";

export const lateWritesOf = byTurn<LateFrame>();

/** Whose the write was and why it changed nothing. */
export function lateWords({ turn_epoch, current_epoch }: Pick<LateFrame, "turn_epoch" | "current_epoch">): string {
  return turn_epoch === current_epoch
    ? `epoch ${turn_epoch}, when the turn slept, had not begun or had ended`
    : `epoch ${turn_epoch} against ${current_epoch}`;
}
