// A run's moments made of its rows' own times, where the journal does not have them: an import, or a run whose frames have expired.
import type { HistoryFrame, TimesWhy } from "@/server/contract/run-history";
import { toldByTimes } from "@/server/contract/told-by-times";
import type { Kernel } from "../kernel";
import { readRunSteps } from "./read-run-steps";
import { readRunWritings } from "./read-run-writings";
import { readSnapshot } from "./read-snapshot";

/** Of the run's own entities, in the order of time. The cards of an import were all written at once, which tells nothing of its turns. */
export async function readRunTimes(
  kernel: Kernel,
  key: { project_id: string; root_turn_id: string },
  why: TimesWhy,
): Promise<HistoryFrame[]> {
  const [snapshot, steps, cards] = await Promise.all([
    readSnapshot(kernel, key),
    readRunSteps(kernel, key),
    why === "imported" ? null : readRunWritings(kernel, key),
  ]);
  const own = snapshot.frames.filter(
    (frame) => frame.kind === "rejected_late" || ("root_turn_id" in frame && frame.root_turn_id === key.root_turn_id),
  );
  return toldByTimes(own, byTurn(steps ?? []), byTurn(cards ?? []));
}

function byTurn<T extends { agent_turn_id: string }>(rows: readonly T[]): Map<string, T[]> {
  const lists = new Map<string, T[]>();
  for (const row of rows) {
    const list = lists.get(row.agent_turn_id);
    if (list) list.push(row);
    else lists.set(row.agent_turn_id, [row]);
  }
  return lists;
}
