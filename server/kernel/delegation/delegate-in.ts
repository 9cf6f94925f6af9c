// A delegation inside a unit: what agents' calls and people's launches share. Everything is checked before anything is
// written, and the number of statements does not grow with the boxes handed over.
import type { DelegateInput, DelegateResult } from "@/server/contract/delegation";
import { heardLater } from "../heard-later";
import { insertAgents } from "../roster/insert-agents";
import { enqueueTurns } from "../turns/enqueue-turns";
import type { Unit } from "../unit";
import type { Ahead } from "./ask-ahead";
import type { Caller } from "./caller";
import { planTasks } from "./plan-tasks";
import { type TakenCodes, takeHeadcodes } from "./take-headcodes";

export type Delegation = {
  project_id: string;
  caller: Caller;
  tool: "delegate_async" | "launch_principal";
  args: DelegateInput;
  ahead?: Ahead;
  /** The unit has nothing to send or to tell after it. */
  isLast?: true;
  /** Created by a launch, whose own deliverable points to it. */
  agent_turn_id?: string;
};

const REPLAY = `
  SELECT t.agent_id, t.agent_turn_id, t.turn_epoch, t.status, t.context_box_id, t.output_box_id
  FROM state.agent_turns t WHERE t.project_id = $1 AND t.client_call_key = $2`;

type Replay = Omit<DelegateResult, "status" | "turn_epoch"> & { turn_epoch: number; status: string };

export async function delegateIn(unit: Unit, input: Delegation): Promise<DelegateResult> {
  const { project_id, caller, tool, args } = input;
  if (caller.client_call_key) {
    const [done] = await unit.query<Replay>("delegate_replay", REPLAY, [project_id, caller.client_call_key]);
    if (done) return { ...done, status: "accepted", turn_epoch: done.status === "queued" ? null : done.turn_epoch };
  }
  const { root_turn_id } = caller.turn;
  let taking: Promise<TakenCodes> | undefined;
  const [task] = await planTasks(unit, {
    project_id,
    caller,
    primitive: tool,
    tasks: [{ args }],
    ahead: input.ahead,
    beforeBoxes: (turns) => {
      taking = heardLater(takeHeadcodes(unit, { project_id, root_turn_id, turns, adds: 1 }));
    },
  });
  const taken = await taking;
  const headcode = taken?.codes[0];
  if (!task || headcode === undefined) throw new Error("one task was planned and none came back with its code");
  const agent_turn_id = input.agent_turn_id ?? unit.kernel.newId("turn_");
  const agents = task.new_agent ? [{ ...task.new_agent, first_turn: agent_turn_id }] : [];
  const turns = [{ ...task.turn, agent_turn_id, headcode, is_first: task.new_agent !== undefined }];
  const writing = Promise.all([insertAgents(unit, { project_id, agents }), enqueueTurns(unit, { project_id, turns })]);
  // A call that is sent again because its answer was lost with the connection must be known by its key.
  const isKnownAgain = caller.client_call_key !== undefined;
  if (input.isLast && isKnownAgain && task.new_agent && !taken?.is_limited) unit.seal(project_id);
  const [, [turn]] = await writing;
  if (!turn) throw new Error("a turn was queued and did not come back");
  return {
    status: "accepted",
    agent_id: task.agent_id,
    agent_turn_id,
    turn_epoch: turn.status === "queued" ? null : turn.turn_epoch,
    context_box_id: turn.context_box_id,
    output_box_id: turn.output_box_id,
  };
}
