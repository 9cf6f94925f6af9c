// Starts a node: its batch is made by the same code as an agent's fork, with the parent turn as caller (K23), the codes kept
// for it, and a call id of (plan run, node, try), so that the same start again is the same batch (K9, K18).

import type { ForkJoinInput } from "@/server/contract/batch";
import { KernelError } from "@/server/contract/errors";
import type { PlanNode, Rider } from "@/server/contract/plan/plan";
import type { Replays } from "@/server/contract/plan/plan-run";
import { nameOf } from "@/server/contract/plan/plan-words";
import { forkIn, type RecordedTask } from "../batch/fork-in";
import { insertCards } from "../cardbox/insert-cards";
import type { Caller } from "../delegation/caller";
import type { TaskArgs } from "../delegation/choose-recipes";
import type { Unit } from "../unit";
import { fillPack } from "./fill-pack";
import type { PlanStanding } from "./lock-plan";
import type { PlanNodeRow, PlanRunKey } from "./plan-row";
import { readRecorded } from "./read-recorded";
import {
  agentOf,
  fillInputs,
  type LeftOut,
  type LoadItem,
  type ResolvedLoad,
  resolveLoad,
  summaryCardId,
  summaryContent,
} from "./resolve-load";
import { shownInputs } from "./shown-inputs";
import { moveNodes } from "./write-nodes";

const TOOLS = { wagon: "plan_wagon", ask: "ask_expert", fork: "fork_join" } as const;

/** The call that a try of a node is. */
const callIdOf = (plan_run_id: string, node_id: string, attempt: number): string =>
  `${plan_run_id}-${node_id}-${attempt}`;

/** Throws KernelError when it is refused; then nothing is written. */
export async function startNode(
  unit: Unit,
  given: PlanStanding,
  node: PlanNode,
  caller: Caller,
): Promise<PlanNodeRow[]> {
  const { nodes } = given;
  const run = { ...given.run, inputs: await shownInputs(unit, given.run) };
  const standing = { ...given, run };
  const row = nodes.get(node.id);
  if (!row) throw new Error(`node ${node.id} of plan run ${run.plan_run_id} has no row`);
  const riders: Rider[] = node.kind === "fork" ? node.tasks : [node];
  const loads = await madeLoads(unit, standing, node, riders);
  const replays = await recordedOf(unit, run, node, row.replays);
  const gate = node.kind === "fork" ? node.gate : { fail_fast: false, max_parallel: undefined, policy: undefined };
  let moved: PlanNodeRow[] = [];
  await forkIn(unit, {
    project_id: run.project_id,
    caller,
    tool: TOOLS[node.kind],
    input: {
      tasks: riders.map((rider, i) => ({
        ...taskOf(standing, rider, loads[i] ?? []),
        ...leftOut(standing, node, rider),
      })),
      fail_fast: gate.fail_fast,
      max_parallel: gate.max_parallel,
      policy: gate.policy,
    },
    tool_call_id: callIdOf(run.plan_run_id, node.id, row.try),
    plan: {
      plan_run_id: run.plan_run_id,
      node_id: node.id,
      try: row.try,
      // A retry takes the next free ones.
      headcodes: row.try === 1 ? placed(row.headcodes, replays) : [],
      deadlineMs: deadlineMs(unit, standing, node),
      ...(replays && { replays }),
      withBatch: async (batch_id) => {
        moved = await moveNodes(unit, run, [{ node_id: node.id, status: "running", batch_id }], { wakes: false });
      },
    },
  });
  return moved;
}

/** By task: a task that is replayed has no code. */
function placed(
  codes: readonly string[],
  replays: readonly (RecordedTask | null)[] | undefined,
): (string | undefined)[] {
  const left = [...codes];
  return replays ? replays.map((recorded) => (recorded ? undefined : left.shift())) : left;
}

/** In task order; null for a task that runs. Undefined = all of them run. */
async function recordedOf(
  unit: Unit,
  { project_id, plan_run_id }: PlanRunKey,
  node: PlanNode,
  replays: Replays | null,
): Promise<(RecordedTask | null)[] | undefined> {
  if (node.kind !== "fork" || !replays?.tasks) return undefined;
  const { tasks } = replays;
  const found = await readRecorded(unit, {
    ...{ project_id, plan_run_id, node_id: node.id },
    batch_task_ids: Object.values(tasks),
  });
  return node.tasks.map(({ id }) => found.get(tasks[id] ?? "") ?? null);
}

function taskOf(
  standing: PlanStanding,
  rider: Rider,
  load: LoadItem[],
): ForkJoinInput["tasks"][number] & Pick<TaskArgs, "edits"> {
  const { target, recipe, handover } = rider;
  if (!target) throw new KernelError("bad_request", `${nameOf(rider)} has no target. Choose a profile or an agent.`);
  const target_ref = target.strategy === "new" ? target.ref : agentOf(standing, target.ref);
  if (target_ref === null)
    throw new KernelError(
      "not_found",
      `${nameOf(rider)}: ${target.ref} has run on no agent, so there is nothing to ${target.strategy}`,
    );
  return {
    target_strategy: target.strategy,
    target_ref,
    ...(target.profile_box_id !== undefined && { profile_box_id: target.profile_box_id }),
    instruction: fillInputs(rider.instruction, standing.run.inputs),
    ...(load.length > 0 && { load }),
    ...(recipe !== undefined && { recipe }),
    ...(handover !== undefined && { handover }),
    ...(Object.keys(rider.arguments).length > 0 && { arguments: rider.arguments }),
    ...(rider.edits.length > 0 && { edits: rider.edits }),
    ...(rider.attempts > 1 && { attempts: rider.attempts }),
    ...(rider.context_tokens_max !== undefined && { context_tokens_max: rider.context_tokens_max }),
    ...(rider.context_pack && { context_pack: fillPack(rider.context_pack, standing.run.inputs) }),
  };
}

/** Told in the receipt: what was waited for, and was not delivered. */
function leftOut({ run, plan, nodes }: PlanStanding, node: PlanNode, rider: Rider): { left_out?: LeftOut[] } {
  const { left_out } = resolveLoad({ plan, nodes, inputs: run.inputs }, node, rider);
  return left_out.length > 0 ? { left_out } : {};
}

/** Cards with the joins of nodes are made once, however many tasks load them. */
async function madeLoads(unit: Unit, standing: PlanStanding, node: PlanNode, riders: Rider[]): Promise<LoadItem[][]> {
  const { run, plan, nodes } = standing;
  const loads = riders.map((rider) => resolveLoad({ plan, nodes, inputs: run.inputs }, node, rider).items);
  const wanted = [...new Set(loads.flat().flatMap((item) => ("summary_of" in item ? item.summary_of : [])))];
  const joined = wanted.flatMap((id) => nodes.get(id) ?? []);
  const cards = await insertCards(unit, {
    project_id: run.project_id,
    cards: joined.map((one) => ({
      card_id: summaryCardId(one),
      type: "task.context",
      author_id: "switchyard",
      content: summaryContent(one),
    })),
  });
  const byNode = new Map(joined.map(({ node_id }, i) => [node_id, cards[i]?.card_id]));
  const made = (item: ResolvedLoad): LoadItem[] => {
    if (!("summary_of" in item)) return [item];
    const card_id = byNode.get(item.summary_of);
    return card_id === undefined ? [] : [{ card_id }];
  };
  return loads.map((items) => items.flatMap(made));
}

/** The earlier of the node's and the run's; null = none. */
function deadlineMs(unit: Unit, { run }: PlanStanding, node: PlanNode): number | null {
  const seconds = node.kind === "fork" ? node.gate.deadline_seconds : node.deadline_seconds;
  const own = seconds === undefined ? unit.kernel.tunables.batchDeadlineMs || null : Math.round(seconds * 1000);
  if (run.deadline_at === null) return own;
  const left = Math.max(0, Date.parse(run.deadline_at) - Date.parse(run.now));
  return own === null ? left : Math.min(own, left);
}
