// Checks a plan: its graph by the same code as the browser, then, in one unit that writes nothing, what needs the project's rows.
// The number of statements does not grow with the plan.
import { checkGraph, inStartingOrder, isRefused } from "@/server/contract/plan/check-graph";
import { givenValue } from "@/server/contract/plan/given-value";
import { graphOf, placesInOrder } from "@/server/contract/plan/graph";
import {
  type KernelProblem,
  kernelProblem,
  type PlaceCheck,
  type PlanCheck,
} from "@/server/contract/plan/kernel-check";
import type { Plan } from "@/server/contract/plan/plan";
import { nodeIdOf, ridersOf } from "@/server/contract/plan/plan-words";
import type { Offer } from "../context/pack-item";
import { withoutKey } from "../kept-results";
import type { Kernel } from "../kernel";
import { type HeadcodeLetters, nextHeadcode } from "../turns/headcode";
import { type Unit, withUnit } from "../unit";
import { type CheckCaller, type CheckedAs, readCheckCaller } from "./check-caller";
import { checkLoads, type Lent } from "./check-loads";
import { checkPacks } from "./check-packs";
import { checkPrefixes } from "./check-prefix";
import { type Aimed, aimWagons } from "./check-targets";
import { readResults } from "./lock-plan";
import { noPlanRun } from "./no-plan-run";

export type CheckPlan = {
  project_id: string;
  plan: Plan;
  as: CheckedAs;
  /** By name, as a launch gives them. Absent = no launch is at hand, and an input that is not filled in is no problem. */
  inputs?: Record<string, string>;
  /** Only these are packed. Absent = all. */
  nodes?: readonly string[];
  /** An earlier run, whose recorded results stand in for those that are not there yet. */
  results_of?: string;
  /** With it a wagon is weighed as its first request. */
  offer?: Offer;
  /** A launch asks for what refuses it: not for warnings, and not who else may run the plan. */
  is_launch?: boolean;
  /** The plan of a run that is a fork of another: it may swap cards as they are handed over. */
  is_fork?: boolean;
  /** A node or fork.task whose prompt is rendered. */
  prompt_of?: string;
};

/** not_found for an agent or run that is not in the project. */
export async function checkPlan(kernel: Kernel, input: CheckPlan): Promise<PlanCheck> {
  const { plan } = input;
  const found = checkGraph(plan, { fork_tasks_max: kernel.tunables.forkTasksMax });
  // What is too large is neither compared nor packed.
  if (found.some(({ code, at }) => code === "too_many" && at === "")) return { ok: false, problems: found, nodes: [] };
  // Without the request's key: it used to keep what the check found, and a repeat was refused for a profile that had been added.
  const { problems, nodes } = await withUnit(withoutKey(kernel), async (unit) =>
    checkIn(unit, { ...input, caller: await readCheckCaller(unit, input.project_id, input.as) }),
  );
  const all = inStartingOrder(graphOf(plan), [...found, ...missingInputs(input), ...problems]);
  return { ok: !isRefused(all), problems: all, nodes };
}

function missingInputs({ plan, inputs }: Pick<CheckPlan, "plan" | "inputs">): KernelProblem[] {
  if (!inputs) return [];
  return plan.inputs.flatMap((input, i) => {
    const value = givenValue(input, inputs);
    const isMissing = value === undefined || (value === "" && input.default === undefined);
    return input.required && isMissing
      ? kernelProblem("input_missing", "", `inputs.${i}`, `Input ${input.name} is not filled in.`)
      : [];
  });
}

export type Checked = { problems: KernelProblem[]; nodes: PlaceCheck[] };

/** What needs the project's rows, in a unit of the caller's. */
export async function checkIn(unit: Unit, input: Omit<CheckPlan, "as"> & { caller: CheckCaller }): Promise<Checked> {
  const { project_id, plan, caller, inputs = {} } = input;
  const order = placesInOrder(graphOf(plan));
  const places = new Map(order.map((place, i) => [place, i]));
  const on = ridersOf(plan)
    .filter(({ node }) => !node.disabled)
    .map((rider) => ({ ...rider, path: pathOf(plan, rider.node.id, rider.fork ? rider.task_index : null) }))
    .toSorted((a, b) => (places.get(a.place) ?? 0) - (places.get(b.place) ?? 0));
  const { aimed, problems: ofTargets } = await aimWagons(unit, {
    project_id,
    caller,
    wagons: on,
    runners: input.is_launch ? [] : plan.run_by.profiles,
  });
  const asked = new Set(input.nodes ?? plan.nodes.map(({ id }) => id));
  const nodes = new Set(plan.nodes.flatMap(({ id, disabled }) => (!disabled && asked.has(id) ? id : [])));
  const lent = await readLent(unit, input);
  const loads = await checkLoads(unit, { project_id, plan, caller, aimed, nodes, inputs, lent });
  const wagons = aimed.filter(({ node }) => nodes.has(node.id));
  const { checks, problems: ofPacks } = await checkPacks(unit, {
    project_id,
    plan,
    caller,
    wagons: input.prompt_of === undefined ? wagons : wagons.filter(({ place }) => place === input.prompt_of),
    loads,
    texts: textsOf(plan, inputs),
    headcodes: ghostCodes(aimed, caller.letters, caller.turn.depth + 1),
    offer: input.offer,
    finds_secrets: input.is_launch !== true,
    is_fork: input.is_fork,
    prompt_of: input.prompt_of,
  });
  const known = ofTargets.filter(({ at }) => at === "" || nodes.has(nodeIdOf(at)));
  const tokensOf = (entry: Parameters<typeof loads.weigh>[0], nodeId: string): number => {
    const { items, tokens } = loads.weigh(entry, nodeId);
    return items.reduce((sum, item) => sum + loads.tokensOf(item), tokens);
  };
  const problems = [...known, ...loads.problems, ...ofPacks, ...checkPrefixes(plan, nodes, tokensOf)];
  return { problems, nodes: checks };
}

async function readLent(
  unit: Unit,
  { project_id, results_of }: Pick<CheckPlan, "project_id" | "results_of">,
): Promise<Lent | null> {
  if (results_of === undefined) return null;
  const lent = await readResults(unit, { project_id, plan_run_id: results_of });
  if (!lent) throw noPlanRun({ project_id, plan_run_id: results_of });
  return lent;
}

function pathOf({ nodes }: Plan, nodeId: string, task_index: number | null): string {
  const path = `nodes.${nodes.findIndex(({ id }) => id === nodeId)}`;
  return task_index === null ? path : `${path}.tasks.${task_index}`;
}

function textsOf({ inputs }: Plan, given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    inputs.flatMap((input) => {
      const value = givenValue(input, given);
      return input.kind === "text" && value !== undefined ? [[input.name, value]] : [];
    }),
  );
}

/** As the launch will keep them, in starting order. */
function ghostCodes(aimed: readonly Aimed[], given: HeadcodeLetters, depth: number): Map<string, string> {
  let letters = given;
  return new Map(
    aimed.map(({ place, target }) => {
      const next = nextHeadcode(letters, target?.profile.name ?? "", depth);
      letters = next.letters;
      return [place, next.headcode];
    }),
  );
}
