// An agent launches a published plan that names its profile, and waits for the run's end. Its policy, boxes and depth bind every
// wagon (K23); the author's rights are not lent. The same call is the same run, however often it is made (K9).
import * as z from "zod";
import { LaunchPlanArgs, type LaunchPlanResult } from "@/server/contract/plan/plan-record";
import { type Caller, type CallerRef, lockCaller } from "../delegation/caller";
import { parseArgs } from "../delegation/parse-args";
import { insertWait } from "../inbox/waits";
import type { Kernel } from "../kernel";
import { read } from "../reader";
import { type Fenced, isFenced } from "../turns/fenced";
import { type Unit, withUnit } from "../unit";
import { LAUNCH_PLAN } from "./hold-node";
import { answerOf, launchPlanIn, readLaunchedPlan } from "./launch-plan";
import { type PlanToLaunch, planToLaunch, refuseProfile } from "./plan-to-launch";

export type PlanCall = {
  project_id: string;
  caller: CallerRef & { tool_call_id: string };
  args: unknown;
};

// As the tool describes itself: a refusal that named `body` and `is_stepped` sent a model to what only a person may give.
const { version, inputs } = LaunchPlanArgs.shape;
const PlanName = z.string("Name a plan. list_capabilities lists those that you may launch").trim().min(1).max(120);
const AgentArgs = z.strictObject({ plan: PlanName, version, inputs });

const REPLAY = `
  SELECT plan_run_id FROM state.plan_runs WHERE project_id = $1 AND parent_turn_id = $2 AND parent_tool_call_id = $3`;

/** auth_failed where the plan does not name the caller's profile; otherwise refused as a person's launch is. */
export async function callPlan(kernel: Kernel, call: PlanCall): Promise<LaunchPlanResult | Fenced> {
  const { project_id } = call;
  const args = { ...parseArgs(AgentArgs, call.args), is_stepped: false };
  const { agent_id, agent_turn_id, tool_call_id } = call.caller;
  const at = [project_id, agent_turn_id, tool_call_id];
  // The same call is the same run, whatever has changed since; whether the turn may still call is asked below.
  const [before] = await read<{ plan_run_id: string }>(kernel, "plan_replay", REPLAY, at);
  const plan = before ? null : await planToLaunch(kernel, { project_id, args, as: { agent_id } });
  return withUnit(kernel, async (unit) => {
    const caller = await lockCaller(unit, project_id, call.caller, LAUNCH_PLAN);
    if (isFenced(caller)) return caller;
    const [made] = await unit.query<{ plan_run_id: string }>("plan_replay", REPLAY, at);
    if (made) return readLaunchedPlan(unit, { project_id, ...made });
    if (!plan) throw new Error("a plan run was read and is gone");
    refuseProfile(caller.body?.name ?? caller.turn.profile_name, plan);
    const launched = await launchPlanIn(unit, {
      project_id,
      caller,
      parent_tool_call_id: call.caller.tool_call_id,
      ...plan,
    });
    await wait(unit, call, caller, plan);
    return answerOf(launched);
  });
}

// The run keeps the time itself; the wait's own deadline is only for a run that everything else has missed (K14).
async function wait(unit: Unit, { project_id, caller: ref }: PlanCall, caller: Caller, { plan }: PlanToLaunch) {
  const { agent_id, agent_turn_id, turn_epoch } = caller.turn;
  const { deadline_seconds } = plan.limits;
  await insertWait(unit, {
    project_id,
    agent_id,
    agent_turn_id,
    turn_epoch,
    tool_call_id: ref.tool_call_id,
    tool_name: LAUNCH_PLAN,
    step_id: caller.step_id,
    ...(deadline_seconds !== undefined && {
      timeout_ms: Math.round(deadline_seconds * 1000) + 10 * unit.kernel.tunables.watchdogMs,
    }),
  });
}
