// A worker that loses a turn would learn it only at its next heartbeat, and its model would go on talking until then, at a
// price. A ring makes it check now.
import type { Unit } from "../unit";
import type { TurnRow } from "./turn-row";

export function ringLease(unit: Unit, row: TurnRow): void {
  if (row.status !== "running" || row.lease_holder === null) return;
  const { project_id, channel, agent_turn_id } = row;
  unit.ring({ kind: "lease", project_id, channel, agent_turn_id });
}
