// A run's moments made of its rows' own times, where the journal does not have them: an import, or a run whose frames have expired.
import type { HistoryFrame } from "@/server/contract/run-history";
import { toldByTimes } from "@/server/contract/told-by-times";
import type { DatedStep } from "@/server/contract/turn-moments";
import type { Kernel } from "../kernel";
import { readRunSteps } from "./read-run-steps";
import { readSnapshot } from "./read-snapshot";

/** Of the run's own entities, in the order of time. */
export async function readRunTimes(
  kernel: Kernel,
  key: { project_id: string; root_turn_id: string },
): Promise<HistoryFrame[]> {
  const [snapshot, steps] = await Promise.all([readSnapshot(kernel, key), readRunSteps(kernel, key)]);
  const own = snapshot.frames.filter(
    (frame) => frame.kind === "rejected_late" || ("root_turn_id" in frame && frame.root_turn_id === key.root_turn_id),
  );
  const byTurn = new Map<string, DatedStep[]>();
  for (const { agent_turn_id, ...step } of steps ?? []) {
    const list = byTurn.get(agent_turn_id);
    if (list) list.push(step);
    else byTurn.set(agent_turn_id, [step]);
  }
  return toldByTimes(own, byTurn);
}
