// One turn as the live view has it.
import { KernelError } from "@/server/contract/errors";
import type { TurnFrame } from "@/server/contract/frame";
import { type Reader, read } from "../cardbox/reader";
import { type TurnRow, turnFrame } from "../turns/turn-row";

/** not_found for an unknown turn and for one of another project alike. */
export async function readTurn(
  reader: Reader,
  input: { project_id: string; agent_turn_id: string },
): Promise<TurnFrame> {
  const { project_id, agent_turn_id } = input;
  const [row] = await read<TurnRow>(
    reader,
    "turn_read",
    "SELECT * FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2",
    [project_id, agent_turn_id],
  );
  if (!row) throw new KernelError("not_found", `turn ${agent_turn_id} is not in project ${project_id}`);
  return turnFrame(row);
}
