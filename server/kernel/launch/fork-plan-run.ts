// Forks a plan run: a new run of its plan with other operations, in which every node that is the same takes its recorded result
// and makes no turn. What runs and what is replayed is decided once, for the list before the launch and for the launch itself.

import type { LaunchResult } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { applyOps } from "@/server/contract/plan/apply-op";
import { checkGraph, inStartingOrder, isRefused } from "@/server/contract/plan/check-graph";
import { decideFork, type ForkedPlace, type ForkPlanCheck, replayedTasks } from "@/server/contract/plan/fork-run";
import { graphOf } from "@/server/contract/plan/graph";
import type { PlanOpInput } from "@/server/contract/plan/op";
import type { Plan } from "@/server/contract/plan/plan";
import type { ForkRunInput } from "@/server/contract/plan/plan-record";
import { idsOf, isTaskPlace, nodeIdOf } from "@/server/contract/plan/plan-words";
import { type PlanProblem, placeOfProblem } from "@/server/contract/plan/problem";
import type { RunLimits } from "@/server/contract/run-limits";
import { sameJson } from "@/server/contract/same-json";
import { refuseBadText } from "@/server/contract/text";
import { draftCaller } from "../delegation/draft-caller";
import { withoutKey } from "../kept-results";
import type { Kernel } from "../kernel";
import { checkIn } from "../plan/check-plan";
import { comparePacks } from "../plan/compare-packs";
import type { PlanRunKey } from "../plan/plan-row";
import type { Forked, PlanToLaunch } from "../plan/plan-to-launch";
import { readSource, type Source } from "../plan/read-source";
import { refuseProblems } from "../plan/refuse-problems";
import { type Unit, withUnit } from "../unit";
import { carryLaunch, findLaunched } from "./launch";

export type ForkPlanRun = PlanRunKey &
  Omit<ForkRunInput, "dry_run" | "ops"> & { ops: readonly PlanOpInput[]; limits?: RunLimits };

/** not_found; bad_request for an operation or a name that does not fit. */
export async function previewForkPlanRun(kernel: Kernel, input: ForkPlanRun): Promise<ForkPlanCheck> {
  const { problems, places } = await decide(kernel, input);
  return { ok: !isRefused(problems), problems, places };
}

/** As its preview; conflict for an action_id that was another request; invalid_plan with all problems; bad_request if nothing would run. */
export async function forkPlanRun(kernel: Kernel, input: ForkPlanRun): Promise<LaunchResult> {
  const { project_id, plan_run_id, ops, force, user, action_id, limits } = input;
  refuseBadText(ops, "ops");
  const asked = {
    project_id,
    tool: "launch_plan",
    args: { fork_of: plan_run_id, ops, force },
    user,
    action_id,
    limits,
  } as const;
  const replay = await findLaunched(kernel, asked);
  if (replay) return replay;
  const { problems, places, plan, source } = await decide(kernel, input);
  refuseProblems(problems);
  if (!places.some(({ verdict }) => verdict === "runs"))
    throw new KernelError("bad_request", "ops: nothing would run. Change something, or name nodes in force", {
      path: "ops",
    });
  // Each edit counts its revision: the body of a later one is no published version.
  const isAsPublished = input.ops.length === 0 && source.run.body_rev === 1;
  const args: PlanToLaunch = {
    plan,
    plan_id: isAsPublished ? source.run.plan_id : null,
    version: isAsPublished ? source.run.version : null,
    run_by: plan.run_by.profiles,
    inputs: {},
    is_stepped: false,
    said: `${plan.name || "Plan"}, fork of run ${source.run.number}`,
    forked: forkedOf(input, source, places),
  };
  return carryLaunch(kernel, asked, { tool: "launch_plan", args });
}

type Decided = { problems: PlanProblem[]; places: ForkedPlace[]; plan: Plan; source: Source };

async function decide(kernel: Kernel, input: ForkPlanRun): Promise<Decided> {
  refuseBadText(input.ops, "ops");
  return withUnit(withoutKey(kernel), async (unit) => {
    const source = await readSource(unit, input);
    const plan = edited(source, input);
    const fork_tasks_max = unit.kernel.tunables.forkTasksMax;
    const graph = checkGraph(plan, { fork_tasks_max });
    // What waits for itself has no order in which it could run.
    if (isRefused(graph)) return { problems: graph, places: [], plan, source };
    const against = await comparePacks(unit, {
      project_id: input.project_id,
      user: input.user,
      source,
      after: plan,
    });
    const places = decideFork({
      before: source.plan,
      after: plan,
      force: new Set(input.force),
      against: (place) => against.get(place) ?? null,
      source: `run ${source.run.number}`,
    });
    const found = await checkRunning(unit, input, source, plan, places);
    return { problems: inStartingOrder(graphOf(plan), [...graph, ...found]), places, plan, source };
  });
}

function edited({ plan }: Source, { ops, force }: ForkPlanRun): Plan {
  const applied = applyOps(plan, ops);
  if ("refusal" in applied) {
    const { refusal, index } = applied;
    const path = [`ops.${index}`, refusal.path].filter((part) => part !== "").join(".");
    throw new KernelError("bad_request", `${path}: ${refusal.message}`, { path });
  }
  const { plan: next } = applied;
  if (!sameJson(plan.inputs, next.inputs))
    throw new KernelError("bad_request", "ops: a fork keeps the inputs of its run. Launch the plan for other inputs", {
      path: "ops",
    });
  const known = new Set(idsOf(next));
  const unknown = force.find((place) => !known.has(place));
  if (unknown === undefined) return next;
  throw new KernelError("bad_request", `force: the plan has no node or task ${unknown}`, { path: "force" });
}

/** What is replayed needs nothing of the project any more. */
async function checkRunning(
  unit: Unit,
  { project_id, user }: ForkPlanRun,
  source: Source,
  plan: Plan,
  places: readonly ForkedPlace[],
): Promise<PlanProblem[]> {
  const running = new Set(places.flatMap(({ place, verdict }) => (verdict === "runs" ? place : [])));
  const inputs = Object.fromEntries(
    Object.entries(source.run.inputs).map(([name, given]) => [name, given.box_id ?? given.text ?? given.card_id]),
  );
  const { problems } = await checkIn(unit, {
    project_id,
    plan,
    caller: { ...draftCaller(unit, { project_id, user }), letters: {} },
    inputs,
    nodes: [...running].filter((place) => !isTaskPlace(place)),
    is_launch: true,
    is_fork: true,
    // Cards of the source stand in for what runs again: an edit may name them.
    results_of: source.run.plan_run_id,
  });
  return problems.filter(({ at }) => at === "" || running.has(placeOfProblem(at)));
}

function forkedOf(
  { plan_run_id }: ForkPlanRun,
  { nodes, run, plan: before }: Source,
  places: readonly ForkedPlace[],
): Forked {
  const replays: [string, Forked["replays"] extends ReadonlyMap<string, infer R> ? R : never][] = [];
  for (const { place, verdict, reason } of places) {
    if (isTaskPlace(place)) continue;
    const standing = nodes.get(nodeIdOf(place));
    if (verdict === "replayed") {
      const batch_id = standing?.replays?.batch_id ?? standing?.batch_id;
      if (batch_id === undefined || batch_id === null) throw new Error(`${place} is replayed and has no batch`);
      replays.push([place, { replays: { plan_run_id, batch_id }, reason }]);
      continue;
    }
    const fork = before.nodes.find(({ id }) => id === place);
    const tasks = replayedTasks(places, place).flatMap((task): [string, string][] => {
      const index = fork?.kind === "fork" ? fork.tasks.findIndex(({ id }) => id === task) : -1;
      const recorded = standing?.tasks?.find(({ task_index }) => task_index === index);
      return recorded ? [[task, recorded.batch_task_id]] : [];
    });
    if (tasks.length > 0) replays.push([place, { replays: { tasks: Object.fromEntries(tasks) }, reason }]);
  }
  return { plan_run_id, inputs: run.inputs, replays: new Map(replays) };
}
