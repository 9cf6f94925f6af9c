// Agents that turns are written down for, held until the unit ends: whoever deletes a run takes along agents without a turn, and would
// not see a turn that is not committed yet.
import { KernelError } from "@/server/contract/errors";
import type { Unit } from "../unit";

const HOLD = `
  SELECT agent_id FROM resource.project_agents WHERE project_id = $1 AND agent_id = ANY ($2::text[])
  ORDER BY agent_id FOR KEY SHARE`;

/** conflict names one that is not there. */
export async function holdAgents(unit: Unit, input: { project_id: string; agent_ids: string[] }): Promise<void> {
  const asked = [...new Set(input.agent_ids)];
  if (asked.length === 0) return;
  const rows = await unit.query<{ agent_id: string }>("agent_hold", HOLD, [input.project_id, asked]);
  refuseGone(asked, rows);
}

/** Of agents that were read before they were locked. */
export function refuseGone(asked: readonly string[], there: readonly { agent_id: string }[]): void {
  const known = new Set(there.map((row) => row.agent_id));
  const gone = asked.find((agent_id) => !known.has(agent_id));
  if (gone !== undefined)
    throw new KernelError("conflict", `agent ${gone} was deleted meanwhile; read the agents again and choose another`, {
      agent_id: gone,
    });
}
