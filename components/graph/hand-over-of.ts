// Which hand-over the key `h` opens: of a turn its own, of a wagon or a line that stands for several the first of them. Pure.
import type { TurnFrame } from "@/server/contract/frame";

/** The turn that was called; null where nobody called any of them. In the order of their headcodes. */
export function handOverOf(turns: readonly TurnFrame[], isThere: (agentTurnId: string) => boolean): TurnFrame | null {
  const called = turns.filter(({ parent_turn_id }) => parent_turn_id !== undefined && isThere(parent_turn_id));
  return called.reduce<TurnFrame | null>(
    (first, turn) => (first === null || turn.headcode.localeCompare(first.headcode) < 0 ? turn : first),
    null,
  );
}

/** Two branches of one fork to compare: this one and the next of its tasks, of the last the one before. */
export function siblingPair(
  turns: Iterable<TurnFrame>,
  batchId: string,
  own: string | undefined,
): readonly [TurnFrame, TurnFrame] | null {
  // A task that was tried again has several turns: the newest stands for it.
  const byTask = new Map<number, TurnFrame>();
  for (const turn of turns) {
    if (turn.batch_id !== batchId || turn.task_index === undefined) continue;
    const known = byTask.get(turn.task_index);
    const isBetter =
      known && known.agent_turn_id !== own && (turn.agent_turn_id === own || turn.created_at > known.created_at);
    if (known === undefined || isBetter) byTask.set(turn.task_index, turn);
  }
  const branches = [...byTask.values()].sort((a, b) => (a.task_index ?? 0) - (b.task_index ?? 0));
  const at = Math.max(
    0,
    branches.findIndex(({ agent_turn_id }) => agent_turn_id === own),
  );
  const [one, other] = [branches[at], branches[at + 1] ?? branches[at - 1]];
  return one && other ? [one, other] : null;
}
