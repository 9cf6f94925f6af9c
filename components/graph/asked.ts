// What turns have asked people, for the mark at their wagons.
import type { HumanRequestFrame } from "@/server/contract/frame";

/** The same list for as long as there are no new ones. */
export function requestsOf(
  frames: ReadonlyMap<string, HumanRequestFrame>,
  agentTurnId: string,
): readonly HumanRequestFrame[] {
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

/** "waits for you: which one?", while something is open. */
export function askedWords(requests: readonly HumanRequestFrame[]): string | null {
  const open = requests.filter((request) => request.status === "open");
  const [first] = open;
  if (first === undefined) return null;
  if (open.length > 1) return `waits for you, ${open.length} times`;
  return first.request_kind === "approval"
    ? `waits for you: may it call ${first.title}?`
    : `waits for you: ${first.title}`;
}

const none: readonly HumanRequestFrame[] = [];
const known = new WeakMap<object, Map<string, HumanRequestFrame[]>>();
