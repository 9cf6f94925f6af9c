// What a launch names: a published plan by name and version, or a body. Read and checked before anything is written.

import { KernelError } from "@/server/contract/errors";
import type { Plan } from "@/server/contract/plan/plan";
import type { LaunchPlanArgs } from "@/server/contract/plan/plan-record";
import type { Replays } from "@/server/contract/plan/plan-run";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { readProject } from "../roster/read-project";
import type { CheckedAs } from "./check-caller";
import { checkPlan } from "./check-plan";
import { readBody } from "./lock-plan";
import { parseBody } from "./parse-body";
import type { GivenInput } from "./plan-row";
import { readLaunchable } from "./read-plans";
import { refuseProblems } from "./refuse-problems";

export type PlanToLaunch = {
  plan: Plan;
  /** Null = a body that is not published. */
  plan_id: string | null;
  version: number | null;
  /** Profiles whose agents may launch it. Of a published plan those of its newest version: who is taken out there may not any more. */
  run_by: readonly string[];
  /** By name, of those that the plan declares: text, or the id of a box or card. */
  inputs: Record<string, string>;
  is_stepped: boolean;
  /** What the person put in: the plan's name, its version and its first text input. */
  said: string;
  /** Of a fork: the run it was made from, and what it takes as recorded. */
  forked?: Forked;
};

export type Forked = {
  plan_run_id: string;
  /** As the source was given them: its cards are loaded again. */
  inputs: Record<string, GivenInput>;
  /** By node that is replayed whole, or in some tasks. */
  replays: ReadonlyMap<string, { replays: Replays; reason: string }>;
};

/** not_found for the plan or its version; invalid_plan with everything that is wrong; bad_request for an unknown input. */
export async function planToLaunch(
  kernel: Kernel,
  { project_id, args, as }: { project_id: string; args: LaunchPlanArgs; as: CheckedAs },
): Promise<PlanToLaunch> {
  // A plan by name is looked for in the project; a body would only be told that the project has none of its profiles.
  if (args.plan === undefined) await readProject(kernel, project_id);
  const { plan, plan_id, version, run_by } = await planNamed(kernel, project_id, args);
  if ("agent_id" in as) await refuseAgent(kernel, { project_id, agent_id: as.agent_id, plan, run_by });
  refuseUndeclared(plan, args.inputs, "args.");
  const { problems } = await checkPlan(kernel, { project_id, plan, inputs: args.inputs, as, is_launch: true });
  refuseProblems(problems);
  return {
    plan,
    plan_id,
    version,
    run_by,
    inputs: args.inputs,
    is_stepped: args.is_stepped,
    said: saidOf(plan, version, args.inputs),
  };
}

/** bad_request names the input and those that there are. `at` stands before it in the message. */
export function refuseUndeclared(plan: Plan, inputs: Record<string, string>, at: string): void {
  const declared = new Set(plan.inputs.map(({ name }) => name));
  const unknown = Object.keys(inputs).find((name) => !declared.has(name));
  if (unknown === undefined) return;
  const says = `${at}inputs.${unknown}: the plan declares no input ${unknown}. Declared: ${[...declared].join(", ") || "none"}`;
  throw new KernelError("bad_request", says, { path: `inputs.${unknown}` });
}

const PROFILE = `
  SELECT profile_name FROM resource.project_agents WHERE project_id = $1 AND agent_id = $2`;

/** Before its problems are told: whoever may not run a plan learns nothing of it. Asked again under the caller's lock. */
async function refuseAgent(
  kernel: Kernel,
  {
    project_id,
    agent_id,
    plan,
    run_by,
  }: { project_id: string; agent_id: string } & Pick<PlanToLaunch, "plan" | "run_by">,
): Promise<void> {
  const [agent] = await read<{ profile_name: string }>(kernel, "plan_agent", PROFILE, [project_id, agent_id]);
  if (agent) refuseProfile(agent.profile_name, { plan, run_by });
}

/** auth_failed: asked when it is called, and not only when it is listed, since a model may name a plan it was never shown (K15). */
export function refuseProfile(profile: string, { plan, run_by }: Pick<PlanToLaunch, "plan" | "run_by">): void {
  if (run_by.includes(profile)) return;
  throw new KernelError(
    "auth_failed",
    `invalid args.plan: profile ${profile} may not run plan ${plan.name}: it is not in the plan's run_by`,
    { path: "plan" },
  );
}

type Named = Pick<PlanToLaunch, "plan" | "plan_id" | "version" | "run_by">;

/** A published plan by name and version, or a body. */
export async function planNamed(
  kernel: Kernel,
  project_id: string,
  args: Pick<LaunchPlanArgs, "plan" | "version" | "body">,
): Promise<Named> {
  if (args.plan === undefined) {
    const plan = parseBody(args.body);
    return { plan, plan_id: null, version: null, run_by: plan.run_by.profiles };
  }
  const { body, layout, plan_id, version, run_by } = await readLaunchable(kernel, {
    project_id,
    name: args.plan,
    version: args.version,
  });
  return { plan: readBody({ ...body, layout }), plan_id, version, run_by };
}

function saidOf(plan: Plan, version: number | null, given: Record<string, string>): string {
  const text = plan.inputs.find(({ kind }) => kind === "text");
  const value = text && (given[text.name] ?? text.default);
  const head = [plan.name || "Plan", ...(version === null ? [] : [`version ${version}`])].join(", ");
  return value ? `${head}: ${value}` : head;
}
