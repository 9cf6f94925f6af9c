// Frames that stand at a turn and are not turns: grouped once for as long as there are no new ones.

/** Answers the same list for the same frames, so that nothing is drawn again for it. */
export function byTurn<Frame extends { agent_turn_id: string }>(): (
  frames: ReadonlyMap<string, Frame>,
  agentTurnId: string,
) => readonly Frame[] {
  const none: readonly Frame[] = [];
  const known = new WeakMap<object, Map<string, Frame[]>>();
  return (frames, agentTurnId) => {
    if (frames.size === 0) return none;
    let grouped = known.get(frames);
    if (!grouped) {
      grouped = new Map();
      for (const frame of frames.values()) {
        const list = grouped.get(frame.agent_turn_id);
        if (list) list.push(frame);
        else grouped.set(frame.agent_turn_id, [frame]);
      }
      known.set(frames, grouped);
    }
    return grouped.get(agentTurnId) ?? none;
  };
}
