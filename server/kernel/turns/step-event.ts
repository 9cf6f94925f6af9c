// Steps are in no frame: the turn's own counts them. Listeners outside follow a turn by them all the same.
import type { Step } from "@/server/contract/turn";
import type { EventRing } from "../kernel";
import type { TurnRow } from "./turn-row";

type Stepping = Pick<TurnRow, "project_id" | "channel" | "agent_id" | "agent_turn_id" | "turn_epoch" | "trace_id">;

const REV = { started: 1, completed: 2, failed: 2 };

export const stepEvent = (row: Stepping, step: Pick<Step, "step_id" | "status">): EventRing => ({
  kind: "event",
  event: "step",
  project_id: row.project_id,
  channel: row.channel,
  agent_id: row.agent_id,
  agent_turn_id: row.agent_turn_id,
  turn_epoch: row.turn_epoch,
  step_id: step.step_id,
  status: step.status,
  rev: REV[step.status],
  trace_id: row.trace_id,
});
