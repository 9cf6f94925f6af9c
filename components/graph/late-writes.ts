// Writes of a worker that had lost its turn: refused, and shown, because whoever sent them still believes it holds the turn.
import type { LateFrame } from "@/server/contract/frame";

export const LATE_WORDS = "a lost worker still writes";

/** The same list for as long as there are no new ones. */
export function lateWritesOf(frames: ReadonlyMap<string, LateFrame>, agentTurnId: string): readonly LateFrame[] {
  if (frames.size === 0) return none;
  let byTurn = known.get(frames);
  if (!byTurn) {
    byTurn = new Map();
    for (const frame of frames.values()) {
      const list = byTurn.get(frame.agent_turn_id);
      if (list) list.push(frame);
      else byTurn.set(frame.agent_turn_id, [frame]);
    }
    known.set(frames, byTurn);
  }
  return byTurn.get(agentTurnId) ?? none;
}

const none: readonly LateFrame[] = [];
const known = new WeakMap<object, Map<string, LateFrame[]>>();
