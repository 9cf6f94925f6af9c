// One turn as the live view has it.
import { KernelError } from "@/server/contract/errors";
import type { TurnFrame } from "@/server/contract/frame";
import type { Kernel } from "../kernel";
import { readTurn as readRow } from "../turns/read-turn";
import { turnFrame } from "../turns/turn-row";

/** not_found for an unknown turn and for one of another project alike. */
export async function readTurn(
  kernel: Kernel,
  input: { project_id: string; agent_turn_id: string },
): Promise<TurnFrame> {
  const row = await readRow(kernel, input);
  if (!row) throw new KernelError("not_found", `turn ${input.agent_turn_id} not found in project ${input.project_id}`);
  return turnFrame(row);
}
