// Plans what a delegation will write, for one task or for all tasks of a fork: all checks first, then the hand-overs are
// packed, in a number of statements that does not grow with the tasks. The caller writes agents and turns.
import type { CallerFacts, DelegationFacts } from "@/server/contract/delegation-context";
import { KernelError } from "@/server/contract/errors";
import { windowOf } from "@/server/contract/models";
import { namesModel } from "@/server/contract/profile";
import type { Primitive } from "@/server/contract/turn";
import { type HandedPack, refOf } from "../context/pack-cards";
import { packContexts } from "../context/pack-context";
import type { Offer, Packed, PackSize } from "../context/pack-item";
import { handPacks } from "../packs/hand-packs";
import { factsOf, readCallerRecords } from "../provenance/read-facts";
import { renderer } from "../provenance/renderer";
import { refuseGone } from "../roster/hold-agents";
import type { NewAgentRow } from "../roster/insert-agents";
import { newAgentId } from "../roster/new-agent-id";
import { lockHeads } from "../turns/lock-heads";
import type { NewTurn } from "../turns/new-turn";
import type { Unit } from "../unit";
import type { Ahead } from "./ask-ahead";
import type { Caller } from "./caller";
import { checkPolicy } from "./check-policy";
import { chooseRecipes, type TaskArgs } from "./choose-recipes";
import { itemOf } from "./item-of";
import { findTargets, namedTargets, type Target } from "./resolve-target";
import type { NamedTurn } from "./take-headcodes";

export type PlanTasks = {
  project_id: string;
  caller: Caller;
  primitive: Exclude<Primitive, "ui_action" | "import">;
  tasks: { args: TaskArgs; batch?: DelegationFacts["batch"]; trace_id?: string }[];
  /** Read for these tasks together with the caller's lock. */
  ahead?: Ahead;
  /** Called after all checks, before the contexts are written: statements that it sends are answered meanwhile. */
  beforeBoxes?: (turns: NamedTurn[]) => void;
  /** Same checks, same receipts, nothing locked and nothing written. */
  dry_run?: boolean;
  /** With it a dry run renders the first request. */
  offer?: Offer;
  /** A dry run answers only what the first requests weigh. */
  is_brief?: boolean;
};

export type PlannedTask = {
  target: Target;
  agent_id: string;
  pack: Packed;
  /** Absent for an agent that is used again. */
  new_agent?: NewAgentRow;
  turn: Omit<NewTurn, "agent_turn_id" | "headcode" | "batch_task_id" | "batch_id" | "task_index" | "is_first">;
};

/** If several tasks are refused, the first one's refusal is reported, with its index. */
export async function planTasks(unit: Unit, input: PlanTasks): Promise<PlannedTask[]> {
  const { project_id, caller, tasks } = input;
  const at = (i: number) => (tasks.length === 1 && input.primitive !== "fork_join" ? "" : `tasks.${i}.`);
  refuseDeep(unit, caller);
  const refs = tasks.map((task) => task.args);
  const [found, records] = await Promise.all([
    input.ahead?.targets ?? findTargets(unit, { project_id, refs }),
    input.ahead?.records ?? readCallerRecords(unit, { ...caller.turn, project_id }),
  ]);
  const targets = namedTargets(found, { project_id, refs, at });
  const facts = factsOf(caller.turn, records);
  if (caller.body)
    for (const { profile, tags } of targets)
      checkPolicy({ name: caller.turn.profile_name, body: caller.body }, { name: profile.name, tags });
  const agentIds = targets.map((target) =>
    target.strategy === "reuse" && target.agent
      ? target.agent.agent_id
      : newAgentId(target.profile.name, unit.kernel.newId()),
  );
  const reused = agentIds.filter((_, i) => targets[i]?.strategy === "reuse");
  if (!input.dry_run && reused.length > 0) refuseGone(reused, await lockHeads(unit, { project_id, agent_ids: reused }));
  const packs = await packAll(unit, input, { targets, facts, agentIds }, at);
  const made = { spawned_by: caller.turn.agent_id };
  return targets.map((target, i) => plannedOf(input, i, { target, agent_id: agentIds[i] ?? "", made }, packs[i]));
}

function refuseDeep(unit: Unit, caller: Caller): void {
  const { recursionDepthMax } = unit.kernel.tunables;
  if (caller.turn.depth + 1 < recursionDepthMax) return;
  throw new KernelError(
    "recursion_depth_exceeded",
    `turn ${caller.turn.headcode} is at depth ${caller.turn.depth}; a child would pass the limit of ${recursionDepthMax}. Do the work here, or deliver and let the caller continue`,
  );
}

async function packAll(
  unit: Unit,
  input: PlanTasks,
  { targets, facts, agentIds }: { targets: Target[]; facts: CallerFacts; agentIds: string[] },
  at: (i: number) => string,
): Promise<Packing[]> {
  const { project_id, caller, primitive, tasks } = input;
  const given = targets.map((target, i) => {
    const { args } = tasks[i] ?? {};
    if (!args) throw new Error("a target came back without its task");
    return { target, args };
  });
  const chosen = await chooseRecipes(unit, { project_id, tasks: given, at });
  const handed = await handPacks(unit, {
    project_id,
    by: caller,
    requests: tasks.map(({ args }) => args.context_pack),
    at: (i) => `${at(i)}context_pack`,
    dry_run: input.dry_run ?? false,
  });
  const items = given.map((task, i) =>
    itemOf({
      args: task.args,
      target: task.target,
      chosen: pick(chosen, i),
      at: at(i),
      facts,
      batch: tasks[i]?.batch,
      agent_id: agentIds[i] ?? "",
      context_pack: handed[i],
    }),
  );
  try {
    const packs = await packContexts(unit, {
      project_id,
      source_agent_id: caller.turn.agent_id,
      is_caller: !input.dry_run,
      tool_suffix: primitive,
      items,
      dry_run: input.dry_run ?? false,
      renderer,
      offer: input.offer,
      is_brief: input.is_brief,
      check: (sizes) => refuseHeavy(tasks, targets, at, sizes),
      beforeBoxes: () =>
        input.beforeBoxes?.(
          targets.map(({ profile }) => ({ profile_name: profile.name, depth: caller.turn.depth + 1 })),
        ),
    });
    return packs.map((pack, i) => ({ pack, handed: handed[i] }));
  } catch (error) {
    const item = error instanceof KernelError ? error.detail?.item : undefined;
    if (!(error instanceof KernelError) || typeof item !== "number") throw error;
    throw new KernelError(error.code, `${at(item)}${error.message}`, error.detail);
  }
}

type Packing = { pack: Packed; handed: HandedPack | undefined };

function pick<T>(items: T[], i: number): T {
  const item = items[i];
  if (item === undefined) throw new Error("a task was checked and did not come back");
  return item;
}

/** Before anything is written. The window of the model is no limit of its own. */
function refuseHeavy(tasks: PlanTasks["tasks"], targets: Target[], at: (i: number) => string, sizes: PackSize[]): void {
  for (const [i, { token_sum }] of sizes.entries()) {
    const max = tasks[i]?.args.context_tokens_max;
    if (max === undefined || token_sum <= max) continue;
    const who = at(i) === "" ? targets[i]?.profile.name : at(i).slice(0, -1);
    throw new KernelError(
      "bad_request",
      `${who} is given ${token_sum} tokens; its limit is ${max}. Raise the limit, or load less.`,
      {
        path: `${at(i)}context_tokens_max`,
      },
    );
  }
}

/** `made`: what the new agents of one caller say of it. */
type Receiver = { target: Target; agent_id: string; made: Record<string, string> };

function plannedOf(
  input: PlanTasks,
  i: number,
  { target, agent_id, made }: Receiver,
  packing: Packing | undefined,
): PlannedTask {
  const { caller, primitive } = input;
  const task = input.tasks[i];
  if (!task || !packing) throw new Error("a hand-over was packed without its task");
  const { pack, handed } = packing;
  const depth = caller.turn.depth + 1;
  const trace_id = task.trace_id ?? caller.turn.trace_id;
  return {
    target,
    agent_id,
    pack,
    ...(target.strategy === "reuse" ? {} : { new_agent: newAgentRow(caller, { target, agent_id, made }, trace_id) }),
    turn: {
      agent_id,
      parent_turn_id: caller.turn.agent_turn_id,
      root_turn_id: caller.turn.root_turn_id,
      parent_step_id: caller.step_id,
      parent_tool_call_id: caller.tool_call_id,
      primitive,
      target_strategy: target.strategy,
      depth,
      channel: caller.turn.channel,
      trace_id,
      profile_box_id: target.profile_box_id,
      profile_name: target.profile.name,
      worker_target: target.worker_target,
      needs_own_worker: !namesModel(target.body.llm_config),
      context_box_id: pack.context_box_id ?? "",
      instruction_card_id: pack.instruction_card_id,
      title: titleOf(task.args.instruction),
      context_cards: pack.length,
      context_tokens: pack.token_sum,
      context_consist: pack.consist,
      window_tokens: windowOf(target.body.llm_config),
      source_agent_id: caller.turn.agent_id,
      client_call_key: input.tasks.length === 1 && primitive !== "fork_join" ? caller.client_call_key : undefined,
      context_pack_ref: handed && refOf(handed),
    },
  };
}

function newAgentRow(caller: Caller, { target, agent_id, made }: Receiver, trace_id: string): NewAgentRow {
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
    metadata: made,
    action: source ? "derive" : "provision",
    source_agent_id: source?.agent_id ?? caller.turn.agent_id,
    trace_id,
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
