// The root turn that a person's launch would create, for a dry run: only what a delegation reads of it.
import type { TurnRow } from "../turns/turn-row";
import type { Unit } from "../unit";
import type { Caller } from "./caller";

/** `into`: the root turn of the run it would be launched into. */
export function draftCaller(unit: Unit, input: { project_id: string; user: string; into?: string }): Caller {
  const turn_id = unit.kernel.newId("turn_");
  const turn = {
    project_id: input.project_id,
    agent_turn_id: turn_id,
    root_turn_id: input.into ?? turn_id,
    agent_id: `human_${input.user}`,
    // A person's call is not explained to the receiver, so it must not weigh here either.
    is_human: true,
    depth: 0,
    channel: "public",
    trace_id: unit.kernel.newId(),
    profile_name: "sys.human",
    headcode: "0H01",
    worker_target: "human",
  } as TurnRow;
  return { turn, is_human: true, body: null };
}
