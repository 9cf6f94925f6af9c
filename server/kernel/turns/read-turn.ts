// A turn's row as it is now.

import { columnsOf } from "../columns";
import type { Kernel } from "../kernel";
import { TURN_COLUMNS, type TurnRow } from "./turn-row";

const READ = `SELECT ${columnsOf(TURN_COLUMNS, "agent_turns")} FROM state.agent_turns WHERE project_id = $1 AND agent_turn_id = $2`;

/** Null for an unknown turn and for one of another project alike. */
export async function readTurn(
  kernel: Kernel,
  input: { project_id: string; agent_turn_id: string },
): Promise<TurnRow | null> {
  const { rows } = await kernel.db.pool.query<TurnRow>({
    name: "turn_read",
    text: READ,
    values: [input.project_id, input.agent_turn_id],
  });
  return rows[0] ?? null;
}
