// What a run's file is called, so that two of them can be told apart in a folder: its project and its number there. Its title may
// hold a secret, and is left out.
import type { RunKey } from "@/server/kernel/bundle/piece";
import { readRunNumber } from "@/server/kernel/bundle/read-run-number";
import type { Kernel } from "@/server/kernel/kernel";

/** Without its ending. Of a run that is gone meanwhile, its id. */
export async function nameFile(kernel: Kernel, run: RunKey, isRedacted: boolean): Promise<string> {
  const number = await readRunNumber(kernel, run);
  const name = number === null ? run.root_turn_id : `${run.project_id}-run-${number}`;
  return `${name}${isRedacted ? "-redacted" : ""}`;
}
