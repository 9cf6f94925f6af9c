// Compares any two boxes of a project.
import type { BoxDiff, BoxDiffQuery } from "@/server/contract/box-diff/box-diff";
import type { Reader } from "../reader";
import { compareBoxes } from "./compare-boxes";
import { readBoxSides } from "./read-diff-sides";

export type DiffBoxes = BoxDiffQuery & { project_id: string; a: string; b: string };

/** not_found names the box. */
export async function diffBoxes(reader: Reader, { a, b, ...input }: DiffBoxes): Promise<BoxDiff> {
  const sides = await readBoxSides(reader, { project_id: input.project_id, a, b });
  return compareBoxes(reader, { ...input, sides });
}
