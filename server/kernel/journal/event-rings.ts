// Events for listeners outside, made of the frames that a unit has just committed: pointers only, and of several frames
// of one turn the last.
import type { Frame, TaskFrame, ToldFrame } from "@/server/contract/frame";
import type { EventRing } from "../kernel";

type ToldTurn = Extract<ToldFrame, { kind: "turn" }>;
export type Told = { project_id: string; frame: Frame | ToldFrame };

export function eventRings(entries: readonly Told[]): EventRing[] {
  const turns = new Map<string, ToldTurn>();
  const events = new Map<string, EventRing>();
  for (const { project_id, frame } of entries) {
    if (frame.kind !== "turn") continue;
    const key = `${project_id} ${frame.id}`;
    if ((turns.get(key)?.rev ?? -1) > frame.rev) continue;
    turns.set(key, frame);
    events.set(`state ${key}`, stateOf(project_id, frame));
  }
  for (const { project_id, frame } of entries)
    if (frame.kind === "task") {
      const key = `${project_id} ${frame.id}`;
      events.set(`task ${key}`, taskOf(project_id, frame, turns.get(key)));
    }
  return [...events.values()];
}

const stateOf = (project_id: string, frame: ToldTurn): EventRing => ({
  kind: "event",
  event: "state",
  project_id,
  agent_id: frame.agent_id,
  agent_turn_id: frame.agent_turn_id,
  turn_epoch: frame.turn_epoch,
  status: frame.status,
  rev: frame.rev,
  output_box_id: frame.output_box_id,
  trace_id: frame.trace_id,
});

const taskOf = (project_id: string, frame: TaskFrame, turn: ToldTurn | undefined): EventRing => ({
  kind: "event",
  event: "task",
  project_id,
  agent_id: frame.agent_id,
  agent_turn_id: frame.id,
  turn_epoch: turn?.turn_epoch,
  status: frame.status,
  rev: frame.rev,
  output_box_id: frame.output_box_id,
  deliverable_card_id: frame.deliverable_card_id,
  error_code: frame.error_code,
  trace_id: turn?.trace_id,
});
