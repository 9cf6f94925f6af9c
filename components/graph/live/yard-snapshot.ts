// What the yard asks the server for, and the frames of the answer.
import type { Frame } from "@/server/contract/frame";
import type { LeanFrames } from "@/server/contract/lean-frames";
import { unpackFrames } from "@/server/contract/unpack-frames";
import { ALL_RUNS } from "../plan/yard-turns";

/** Turns of all runs are many: with more than this one is asked before they are all fetched and drawn. */
const ALL_RUNS_LIMIT = 1_000;
/** More than this the server does not send. */
export const LIMIT_MAX = 10_000;

export function yardSnapshot(projectId: string, run: string | null, turn: string | null, limit: number | null) {
  return {
    project_id: projectId,
    root_turn_id: run ?? undefined,
    // A link that names only a turn is of the run of that turn, however many runs have begun since.
    agent_turn_id: run === null ? (turn ?? undefined) : undefined,
    limit: limit ?? (run === ALL_RUNS ? ALL_RUNS_LIMIT : undefined),
  };
}

/** Of one answer they are unpacked once, however often it is loaded. */
export function framesOf({ frames: lean }: { frames: LeanFrames }): readonly Frame[] {
  const known = unpacked.get(lean);
  if (known) return known;
  const frames = unpackFrames(lean);
  unpacked.set(lean, frames);
  return frames;
}

const unpacked = new WeakMap<LeanFrames, readonly Frame[]>();
