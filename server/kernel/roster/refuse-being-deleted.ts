// A run that is brought back while its deletion still goes on: the cards and boxes that are left of it passed for those of the new one,
// and then lost their content with the deletion.
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";
import { type RunRef, readRunDeletion } from "./no-run";

/** conflict, until the deletion has ended. */
export async function refuseBeingDeleted(unit: Unit, run: RunRef): Promise<void> {
  const deletion = await readRunDeletion(unit, run);
  if (!deletion || deletion.ended_at !== undefined) return;
  const { deletion_id, number } = deletion;
  throw new KernelError(
    "conflict",
    `run ${number ?? run.root_turn_id} is still being deleted; import it again when deletion ${deletion_id} has ended`,
    { deletion_id },
  );
}
