// What a fork writes for each task that is run again: a fresh agent and its turn, with a context that is there already.
import type { BatchTool } from "@/server/contract/batch";
import type { Branch } from "../batch/fork-in";
import type { BoxSize } from "../cardbox/create-boxes";
import type { Caller } from "../delegation/caller";
import type { Unit } from "../unit";
import type { RecordedBranch } from "./read-branches";

export type GivenBranch = RecordedBranch & { agent_id: string; box: BoxSize };

export type StartBranches = { caller: Caller; tool: BatchTool; tool_call_id: string; given: GivenBranch[] };

export const startBranches = (unit: Unit, { given, ...fork }: StartBranches): Branch[] =>
  given.map((branch) => branchOf(unit, fork, branch));

function branchOf(unit: Unit, fork: Omit<StartBranches, "given">, branch: GivenBranch): Branch {
  const { caller, tool, tool_call_id } = fork;
  const { agent_id, box, tags, display_name, profile_box_id, profile_name, worker_target } = branch;
  const { agent_id: by, agent_turn_id, root_turn_id, channel } = caller.turn;
  const depth = caller.turn.depth + 1;
  // As in a first fork: a branch has its own trace, an expert answers within the asker's.
  const trace_id = tool === "fork_join" ? unit.kernel.newId() : caller.turn.trace_id;
  const profile = { profile_box_id, profile_name, worker_target };
  return {
    agent_id,
    new_agent: {
      ...profile,
      agent_id,
      tags,
      display_name: display_name ?? profile_name,
      owner_agent_id: by,
      metadata: { spawned_by: by },
      action: "provision",
      source_agent_id: by,
      trace_id,
    },
    turn: {
      ...profile,
      agent_id,
      parent_turn_id: agent_turn_id,
      root_turn_id,
      parent_tool_call_id: tool_call_id,
      primitive: tool === "plan_wagon" ? "delegate_async" : tool,
      target_strategy: "new",
      depth,
      channel,
      trace_id,
      needs_own_worker: branch.needs_own_worker,
      context_box_id: box.box_id,
      instruction_card_id: branch.instruction_card_id ?? undefined,
      title: branch.title,
      context_cards: box.length,
      context_tokens: box.token_sum,
      context_consist: box.consist,
      window_tokens: branch.window_tokens,
      source_agent_id: by,
    },
  };
}
