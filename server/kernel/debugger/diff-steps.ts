// Compares what was sent to a model at any two steps of a project.
import type { BoxDiff, BoxDiffQuery } from "@/server/contract/box-diff/box-diff";
import type { Reader } from "../reader";
import { compareBoxes } from "./compare-boxes";
import { readStepSides } from "./read-diff-sides";

export type DiffSteps = BoxDiffQuery & { project_id: string; a: string; b: string };

/** not_found names the step. */
export async function diffSteps(reader: Reader, { a, b, ...input }: DiffSteps): Promise<BoxDiff> {
  const sides = await readStepSides(reader, { project_id: input.project_id, a, b });
  return compareBoxes(reader, { ...input, sides });
}
