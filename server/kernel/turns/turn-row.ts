// A row of state.agent_turns and the frame the live view sees of it. Everything a wagon shows is in the row, so that a
// thousand turns are drawn without a join.
import type { TurnFrame } from "@/server/contract/frame";

type Columns = Exclude<keyof TurnFrame, "kind" | "id" | "is_human">;
type Given = {
  [K in Columns]-?: undefined extends TurnFrame[K] ? Exclude<TurnFrame[K], undefined> | null : TurnFrame[K];
};

/** Columns as they are; nulls as nulls; times as ISO text. */
export type TurnRow = Given & {
  project_id: string;
  channel: string;
  parent_step_id: string | null;
  parent_tool_call_id: string | null;
  action_id: string | null;
};

const NOT_SHOWN = new Set(["project_id", "channel", "parent_step_id", "parent_tool_call_id", "action_id"]);
const TIMES = new Set(["created_at", "leased_at", "started_at", "ended_at", "heartbeat_at"]);

/** The built-in profile of people. */
export const HUMAN_PROFILE = "sys.human";
/** Turns of people are taken by nobody. */
export const HUMAN_TARGET = "human";

export function turnFrame(row: TurnRow): TurnFrame {
  const frame: Record<string, unknown> = {
    kind: "turn",
    id: row.agent_turn_id,
    is_human: row.worker_target === HUMAN_TARGET,
  };
  for (const [key, value] of Object.entries(row)) {
    if (value === null || NOT_SHOWN.has(key)) continue;
    frame[key] = TIMES.has(key) ? new Date(value as string).toISOString() : value;
  }
  return frame as unknown as TurnFrame;
}
