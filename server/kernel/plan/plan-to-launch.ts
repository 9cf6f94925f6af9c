// What a launch names: a published plan by name and version, or a body. Read and checked before anything is written.
import { KernelError } from "@/server/contract/errors";
import { checkGraph } from "@/server/contract/plan/check-graph";
import type { Plan } from "@/server/contract/plan/plan";
import type { LaunchPlanArgs } from "@/server/contract/plan/plan-record";
import type { PlanProblem } from "@/server/contract/plan/problem";
import type { Kernel } from "../kernel";
import { readBody } from "./lock-plan";
import { parseBody } from "./parse-body";
import { readPlanVersion } from "./read-plans";
import { refuseProblems } from "./refuse-problems";

export type PlanToLaunch = {
  plan: Plan;
  /** Null = a body that is not published. */
  plan_id: string | null;
  version: number | null;
  /** By name, of those that the plan declares: text, or the id of a box or card. */
  inputs: Record<string, string>;
  is_stepped: boolean;
  /** What the person put in: the plan's name, its version and its first text input. */
  said: string;
};

/** not_found for the plan or its version; invalid_plan with everything that is wrong; bad_request for an unknown input. */
export async function planToLaunch(
  kernel: Kernel,
  { project_id, args }: { project_id: string; args: LaunchPlanArgs },
): Promise<PlanToLaunch> {
  const { plan, plan_id, version } = await named(kernel, project_id, args);
  const declared = new Set(plan.inputs.map(({ name }) => name));
  const unknown = Object.keys(args.inputs).find((name) => !declared.has(name));
  if (unknown !== undefined)
    throw new KernelError(
      "bad_request",
      `args.inputs.${unknown}: the plan declares no input ${unknown}. Declared: ${[...declared].join(", ") || "none"}`,
      {
        path: `inputs.${unknown}`,
      },
    );
  const fork_tasks_max = kernel.tunables.forkTasksMax;
  refuseProblems([...checkGraph(plan, { fork_tasks_max }), ...missingInputs(plan, args.inputs)]);
  return {
    plan,
    plan_id,
    version,
    inputs: args.inputs,
    is_stepped: args.is_stepped,
    said: saidOf(plan, version, args.inputs),
  };
}

type Named = Pick<PlanToLaunch, "plan" | "plan_id" | "version">;

async function named(kernel: Kernel, project_id: string, args: LaunchPlanArgs): Promise<Named> {
  if (args.plan === undefined) return { plan: parseBody(args.body), plan_id: null, version: null };
  const { body, layout, plan_id, version } = await readPlanVersion(kernel, {
    project_id,
    name: args.plan,
    version: args.version,
  });
  return { plan: readBody({ ...body, layout }), plan_id, version };
}

const missingInputs = ({ inputs }: Plan, given: Record<string, string>): PlanProblem[] =>
  inputs.flatMap((input, i): PlanProblem[] =>
    !input.required || input.default !== undefined || (Object.hasOwn(given, input.name) && given[input.name] !== "")
      ? []
      : [
          {
            code: "input_missing",
            severity: "error",
            at: "",
            path: `inputs.${i}`,
            message: `Input ${input.name} is not filled in.`,
          },
        ],
  );

function saidOf(plan: Plan, version: number | null, given: Record<string, string>): string {
  const text = plan.inputs.find(({ kind }) => kind === "text");
  const value = text && (given[text.name] ?? text.default);
  const head = [plan.name || "Plan", ...(version === null ? [] : [`version ${version}`])].join(", ");
  return value ? `${head}: ${value}` : head;
}
