// A delegation inside a unit: what agents' calls, people's launches and, later, forks share. Everything is checked before
// anything is written, and the number of statements does not grow with the boxes handed over.
import type { DelegateInput, DelegateResult } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { packContext } from "../context/pack-context";
import { instructionRecipe } from "../context/recipe";
import { delegationFacts } from "../provenance/read-facts";
import { renderer } from "../provenance/renderer";
import { insertAgents } from "../roster/insert-agents";
import { enqueueTurns } from "../turns/enqueue-turns";
import { lockHeads } from "../turns/lock-heads";
import type { Unit } from "../unit";
import type { Caller } from "./caller";
import { checkPolicy } from "./check-policy";
import { newAgentId, resolveTarget, type Target } from "./resolve-target";
import { takeHeadcodes } from "./take-headcodes";

export type Delegation = {
  project_id: string;
  caller: Caller;
  tool: "delegate_async" | "launch_principal";
  args: DelegateInput;
  /** Minted by a launch, whose own deliverable points to it. */
  agent_turn_id?: string;
};

const REPLAY = `
  SELECT t.agent_id, t.agent_turn_id, t.turn_epoch, t.status, t.context_box_id, t.output_box_id
  FROM state.execution_edges e
  JOIN state.agent_turns t ON t.project_id = e.project_id AND t.agent_turn_id = e.target_turn_id
  WHERE e.project_id = $1 AND e.client_call_key = $2`;

type Replay = Omit<DelegateResult, "status" | "turn_epoch"> & { turn_epoch: number; status: string };

export async function delegateIn(unit: Unit, input: Delegation): Promise<DelegateResult> {
  const { project_id, caller } = input;
  if (caller.client_call_key) {
    const [done] = await unit.query<Replay>("delegate_replay", REPLAY, [project_id, caller.client_call_key]);
    if (done) return { ...done, status: "accepted", turn_epoch: done.status === "queued" ? null : done.turn_epoch };
  }
  const target = await checkDelegation(unit, input);
  const isReuse = target.strategy === "reuse" && target.agent !== undefined;
  if (isReuse && target.agent) await lockHeads(unit, { project_id, agent_ids: [target.agent.agent_id] });
  const agent_id =
    isReuse && target.agent ? target.agent.agent_id : newAgentId(target.profile.name, unit.kernel.newId());
  const pack = await packFor(unit, input, target, { dry_run: false, agent_id });
  if (pack.context_box_id === undefined) throw new Error("a hand-over was packed without a box");
  const depth = caller.turn.depth + 1;
  const [headcode] = await takeHeadcodes(unit, {
    project_id,
    root_turn_id: caller.turn.root_turn_id,
    turns: [{ profile_name: target.profile.name, depth }],
  });
  if (!isReuse) await insertAgents(unit, { project_id, agents: [newAgentRow(input, target, agent_id)] });
  const agent_turn_id = input.agent_turn_id ?? unit.kernel.newId("turn_");
  const [turn] = await enqueueTurns(unit, {
    project_id,
    turns: [
      {
        agent_turn_id,
        agent_id,
        parent_turn_id: caller.turn.agent_turn_id,
        root_turn_id: caller.turn.root_turn_id,
        parent_step_id: caller.step_id,
        parent_tool_call_id: caller.tool_call_id,
        primitive: input.tool,
        target_strategy: target.strategy,
        depth,
        channel: caller.turn.channel,
        trace_id: caller.turn.trace_id,
        profile_box_id: target.profile_box_id,
        profile_name: target.profile.name,
        worker_target: target.worker_target,
        context_box_id: pack.context_box_id,
        instruction_card_id: pack.instruction_card_id,
        headcode: headcode ?? "",
        title: titleOf(input.args.instruction),
        context_cards: pack.length,
        context_tokens: pack.token_sum,
        context_consist: pack.consist,
        window_tokens: target.body.llm_config.context_window ?? unit.kernel.tunables.windowTokensDefault,
        source_agent_id: caller.turn.agent_id,
        client_call_key: caller.client_call_key,
        context_headers: {
          "CG-Agent-Id": agent_id,
          "CG-Recursion-Depth": depth,
          traceparent: `00-${caller.turn.trace_id}-${unit.kernel.newId().slice(-16)}-01`,
        },
      },
    ],
  });
  if (!turn) throw new Error("a turn was queued and did not come back");
  return {
    status: "accepted",
    agent_id,
    agent_turn_id,
    turn_epoch: turn.status === "queued" ? null : turn.turn_epoch,
    context_box_id: turn.context_box_id,
    output_box_id: turn.output_box_id,
  };
}

/** Depth, target and policy: everything that can be refused before packing. */
export async function checkDelegation(unit: Unit, input: Delegation): Promise<Target> {
  const { caller, args, project_id } = input;
  if (caller.turn.depth + 1 >= unit.kernel.tunables.recursionDepthMax)
    throw new KernelError(
      "recursion_depth_exceeded",
      `turn ${caller.turn.headcode} is at depth ${caller.turn.depth}; a child would pass the limit of ${unit.kernel.tunables.recursionDepthMax}. Do the work here, or deliver and let the caller go on`,
    );
  const target = await resolveTarget(unit, { project_id, args });
  if (caller.body)
    checkPolicy(
      { name: caller.turn.profile_name, body: caller.body },
      { name: target.profile.name, tags: target.tags },
    );
  return target;
}

export async function packFor(
  unit: Unit,
  input: Delegation,
  target: Target,
  options: { dry_run: boolean; agent_id: string },
) {
  const { project_id, caller, args, tool } = input;
  const given = args.context_box_id === undefined ? [] : [args.context_box_id].flat();
  const boxes = [...new Set([...given, ...target.kernel_box_ids])];
  const cards = args.context_card_ids ?? [];
  // A clone and an agent used again keep their own name.
  const name = target.agent?.display_name ?? target.profile.name;
  return packContext(unit, {
    project_id,
    source_agent_id: caller.turn.agent_id,
    tool_suffix: tool,
    arguments: {
      profile_name: target.profile.name,
      instruction: args.instruction,
      ...(boxes.length > 0 ? { input_box_ids: boxes } : {}),
      ...(cards.length > 0 ? { input_card_ids: cards } : {}),
    },
    handover: instructionRecipe({ hasBoxes: boxes.length > 0, hasCards: cards.length > 0 }),
    kernel_box_ids: target.kernel_box_ids,
    delegation_context: await delegationFacts(unit, {
      project_id,
      caller: caller.turn,
      self: {
        agent_id: options.agent_id,
        name,
        derived_from: target.strategy === "clone" ? target.agent?.agent_id : undefined,
      },
    }),
    target: {
      agent_id: options.agent_id,
      display_name: name,
      profile_box_id: target.profile_box_id,
      body: target.body,
      memory_box_id: target.strategy === "reuse" ? target.agent?.output_box_id : undefined,
    },
    owner_agent_id: options.agent_id,
    dry_run: options.dry_run,
    renderer,
  });
}

function newAgentRow(input: Delegation, target: Target, agent_id: string) {
  const { caller } = input;
  const source = target.strategy === "clone" ? target.agent : undefined;
  return {
    agent_id,
    profile_box_id: target.profile_box_id,
    profile_name: target.profile.name,
    worker_target: target.worker_target,
    tags: target.tags,
    display_name: source?.display_name ?? target.profile.name,
    owner_agent_id: source?.agent_id ?? caller.turn.agent_id,
    derived_from: source?.agent_id,
    metadata: { spawned_by: caller.turn.agent_id },
    action: source ? ("derive" as const) : ("provision" as const),
    source_agent_id: source?.agent_id ?? caller.turn.agent_id,
    trace_id: caller.turn.trace_id,
    parent_step_id: caller.step_id,
  };
}

const TITLE_MAX = 120;

/** First line with words in it, cut at 120 code points. */
export function titleOf(instruction: string): string {
  const line = instruction.split("\n").find((l) => l.trim() !== "") ?? "";
  const points = [...line.trim().replace(/\s+/g, " ")];
  return points.length > TITLE_MAX ? `${points.slice(0, TITLE_MAX - 1).join("")}…` : points.join("");
}
