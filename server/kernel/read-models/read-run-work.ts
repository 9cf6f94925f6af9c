// When a run was at work: what lies between is idle time, which the timeline cuts.
import { joinedWork, type RunWork } from "@/server/contract/run-history";
import type { Kernel } from "../kernel";
import { readRunSteps } from "./read-run-steps";

/** An unknown run never worked. */
export async function readRunWork(kernel: Kernel, key: { project_id: string; root_turn_id: string }): Promise<RunWork> {
  const read_at = new Date().toISOString();
  const steps = await readRunSteps(kernel, key);
  return {
    read_at,
    work: steps && joinedWork(steps.map((step) => [Date.parse(step.started_at), timeOf(step.ended_at)])),
  };
}

const timeOf = (at: string | undefined): number | null => (at === undefined ? null : Date.parse(at));
