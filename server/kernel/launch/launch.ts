// A person launches: a root turn of `human_<user>` and the work it starts, in one transaction. The same action_id is the same
// launch, however often the button was pressed; with another request it is refused.
import { ProvisionInput } from "@/server/contract/agent";
import type { ForkJoinInput } from "@/server/contract/batch";
import type { DelegateInput, LaunchInput, LaunchResult } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { LaunchPlanArgs } from "@/server/contract/plan/plan-record";
import { readFork } from "../batch/find-fork";
import { oneExpert } from "../batch/fork";
import { forkIn } from "../batch/fork-in";
import { parseFork } from "../batch/parse-fork";
import { type Ahead, askAhead } from "../delegation/ask-ahead";
import type { Caller } from "../delegation/caller";
import { parseDelegateArgs } from "../delegation/delegate";
import { delegateIn } from "../delegation/delegate-in";
import { parseArgs } from "../delegation/parse-args";
import { titleOf } from "../delegation/plan-tasks";
import { provisionIn } from "../delegation/provision-agent";
import type { TargetRef } from "../delegation/resolve-target";
import type { Kernel } from "../kernel";
import { answerOf, launchPlanIn, readLaunchedPlan } from "../plan/launch-plan";
import { type PlanToLaunch, planToLaunch } from "../plan/plan-to-launch";
import { type Unit, withUnit } from "../unit";
import { type Action, actionHash, refuseOther } from "./action-hash";
import { ensureHuman, type FoundHuman, findHuman } from "./ensure-human";
import { lockRun } from "./lock-run";
import { type LaunchRecord, personsHeadcode, recordLaunch } from "./record-launch";
import { takeRunNumber } from "./take-run-number";

export type Launch = LaunchInput & { project_id: string; source?: "launch" | "demo" };

const FOUND = `
  SELECT t.agent_turn_id, t.root_turn_id, c.content -> 'data' AS pointer, k.agent_id, k.turn_epoch, k.status, k.context_box_id, k.output_box_id,
    b.parent_tool_call_id, r.plan_run_id, t.action_sha256
  FROM state.agent_turns t
  LEFT JOIN cards c ON c.tenant_id = t.project_id AND c.card_id = t.deliverable_card_id
  LEFT JOIN state.agent_turns k ON k.project_id = t.project_id AND k.agent_turn_id = c.content -> 'data' ->> 'agent_turn_id'
  LEFT JOIN state.pmo_batches b ON b.project_id = t.project_id AND b.parent_agent_turn_id = t.agent_turn_id AND b.plan_run_id IS NULL
  LEFT JOIN state.plan_runs r ON r.project_id = t.project_id AND r.parent_turn_id = t.agent_turn_id
  WHERE t.project_id = $1 AND t.action_id = $2`;

/** conflict for an action_id that was another request. */
export async function launch(kernel: Kernel, input: Launch): Promise<LaunchResult> {
  const call = await readyLaunch(kernel, input);
  return "is_replay" in call ? call : carryLaunch(kernel, input, call);
}

/** With what is launched read and checked. */
export async function carryLaunch(kernel: Kernel, input: Launch, call: LaunchCall): Promise<LaunchResult> {
  if (input.into !== undefined) return launchInto(kernel, { ...input, into: input.into }, call);
  return withUnit(kernel, async (unit) => {
    // The project's row first: it numbers the run and serialises two clicks of one button.
    const [run_number, replay, found] = await Promise.all([
      takeRunNumber(unit, input.project_id),
      findReplay(unit, input),
      findHuman(unit, input),
    ]);
    if (replay) {
      await unit.query("run_number_back", "UPDATE projects SET run_count = run_count - 1 WHERE project_id = $1", [
        input.project_id,
      ]);
      return replay;
    }
    return launchIn(unit, { ...input, found }, call, { run_number });
  });
}

type LaunchCall = Exclude<ParsedLaunch, { tool: "launch_plan" }> | { tool: "launch_plan"; args: PlanToLaunch };

/** A plan is read and checked before anything is locked. What was launched before is answered, whatever has changed since. */
async function readyLaunch(kernel: Kernel, input: Launch): Promise<LaunchCall | LaunchResult> {
  const parsed = parseLaunch(kernel, input);
  if (parsed.tool !== "launch_plan") return parsed;
  const { project_id, user } = input;
  const replay = await findLaunched(kernel, input);
  if (replay) return replay;
  return { tool: "launch_plan", args: await planToLaunch(kernel, { project_id, args: parsed.args, as: { user } }) };
}

/** What the same action has launched before; null = nothing. */
export const findLaunched = async (
  kernel: Kernel,
  input: Action & { project_id: string },
): Promise<LaunchResult | null> =>
  input.action_id === undefined ? null : withUnit(kernel, (unit) => findReplay(unit, input));

export type ParsedLaunch =
  | { tool: "delegate_async" | "launch_principal"; args: DelegateInput }
  | { tool: "provision_agent"; args: ProvisionInput }
  | { tool: "fork_join"; args: ForkJoinInput }
  | { tool: "ask_expert"; args: ForkJoinInput }
  | { tool: "launch_plan"; args: LaunchPlanArgs };

export function parseLaunch(kernel: Pick<Kernel, "tunables">, { tool, args }: LaunchInput): ParsedLaunch {
  if (tool === "provision_agent") return { tool, args: parseArgs(ProvisionInput, args) };
  if (tool === "launch_plan") return { tool, args: parseArgs(LaunchPlanArgs, args) };
  if (tool === "fork_join") return { tool, args: parseFork(kernel.tunables, args) };
  if (tool === "ask_expert") return { tool, args: oneExpert(NOBODY, args) };
  return { tool, args: parseDelegateArgs(tool, args) };
}

// A person who asks has written nothing before, so there is no history to send along.
const NOBODY = { output_box_id: null, output_cards: 0, output_start: 0 };

type Found = {
  agent_turn_id: string;
  root_turn_id: string;
  pointer: { agent_turn_id?: string; agent_id?: string } | null;
  parent_tool_call_id: string | null;
  plan_run_id: string | null;
  action_sha256: string | null;
  agent_id: string | null;
  turn_epoch: number | null;
  status: string | null;
  context_box_id: string | null;
  output_box_id: string | null;
};

async function findReplay(unit: Unit, input: Action & { project_id: string }): Promise<LaunchResult | null> {
  if (input.action_id === undefined) return null;
  const [found] = await unit.query<Found>("launch_replay", FOUND, [input.project_id, input.action_id]);
  if (!found) return null;
  refuseOther(input, found.action_sha256);
  const { agent_turn_id, root_turn_id, pointer, parent_tool_call_id, plan_run_id } = found;
  const ids = { agent_turn_id, root_turn_id, is_replay: true };
  if (plan_run_id !== null)
    return { ...ids, result: await readLaunchedPlan(unit, { project_id: input.project_id, plan_run_id }) };
  if (parent_tool_call_id !== null)
    return {
      ...ids,
      result: await readFork(unit, { project_id: input.project_id, tool_call_id: parent_tool_call_id }),
    };
  const result: LaunchResult["result"] =
    pointer?.agent_turn_id !== undefined && found.agent_id !== null && found.context_box_id !== null
      ? {
          status: "accepted",
          agent_id: found.agent_id,
          agent_turn_id: pointer.agent_turn_id,
          turn_epoch: found.status === "queued" ? null : found.turn_epoch,
          context_box_id: found.context_box_id,
          output_box_id: found.output_box_id,
        }
      : { status: "accepted", agent_id: pointer?.agent_id ?? "", roster_updated: false };
  return { ...ids, result };
}

/** No run of its own, and no number: the person's turn stands below the run's root. */
async function launchInto(kernel: Kernel, input: Launch & { into: string }, call: LaunchCall): Promise<LaunchResult> {
  if (input.origin !== undefined)
    throw new KernelError("bad_request", "origin: a launch into a run cannot set it; leave it out", { path: "origin" });
  if (input.limits !== undefined)
    throw new KernelError(
      "bad_request",
      "limits: the run has its own; change them with PATCH /runs/{root_turn_id}/limits",
      {
        path: "limits",
      },
    );
  return withUnit(kernel, async (unit) => {
    const people = await lockRun(unit, input);
    const replay = await findReplay(unit, input);
    if (replay) return replay;
    return launchIn(unit, { ...input, found: await findHuman(unit, input) }, call, {
      into: { root_turn_id: input.into, headcode: personsHeadcode(people + 1) },
    });
  });
}

async function launchIn(
  unit: Unit,
  input: Launch & { found: FoundHuman | undefined },
  call: LaunchCall,
  place: Pick<LaunchRecord, "run_number" | "into">,
): Promise<LaunchResult> {
  const { project_id } = input;
  const human = await ensureHuman(unit, { project_id, user: input.user, found: input.found });
  const turn_id = unit.kernel.newId("turn_");
  // The person's deliverable points to the child, so the child's id is created first.
  const child_id = unit.kernel.newId("turn_");
  const { put_in, points_to } = saidOf(call, child_id);
  const record: LaunchRecord = {
    project_id,
    ...place,
    source: input.source ?? "launch",
    human,
    turn_id,
    trace_id: unit.kernel.newId(),
    action_id: input.action_id,
    action_sha256: actionHash(input),
    limits: input.limits,
    origin: input.origin,
    put_in,
    title: titleOf(put_in),
    pointer: points_to && { kind: "json", data: { kind: "launch", tool: call.tool, ...points_to } },
  };
  let ahead: Ahead | undefined;
  const turn = await recordLaunch(unit, record, () => {
    ahead = askAhead(unit, { project_id, agent_turn_id: turn_id, refs: refsOf(call) });
  });
  const caller: Caller = { turn, is_human: true, body: null };
  const result = await carryOut(unit, { project_id, caller, call, child_id, ahead });
  return { agent_turn_id: turn_id, root_turn_id: turn.root_turn_id, result, is_replay: false };
}

const refsOf = (call: LaunchCall): TargetRef[] => {
  if (call.tool === "fork_join" || call.tool === "ask_expert") return call.args.tasks;
  return call.tool === "delegate_async" || call.tool === "launch_principal" ? [call.args] : [];
};

type CarryOut = {
  project_id: string;
  caller: Caller;
  call: LaunchCall;
  child_id: string;
  ahead: Ahead | undefined;
};

async function carryOut(unit: Unit, input: CarryOut): Promise<LaunchResult["result"]> {
  const { project_id, caller, call, ahead } = input;
  if (call.tool === "provision_agent") return provisionIn(unit, { project_id, caller, args: call.args });
  if (call.tool === "launch_plan")
    return answerOf(await launchPlanIn(unit, { project_id, caller, parent_tool_call_id: null, ...call.args }));
  if (call.tool === "fork_join" || call.tool === "ask_expert") {
    const tool_call_id = unit.kernel.newId("tc_");
    return forkIn(unit, { project_id, caller, tool: call.tool, input: call.args, tool_call_id, ahead });
  }
  const { tool, args } = call;
  return delegateIn(unit, { project_id, caller, tool, args, ahead, agent_turn_id: input.child_id });
}

/** What the person put in, and what the deliverable points to; null while it waits for a join. */
function saidOf(call: LaunchCall, child_id: string): { put_in: string; points_to: Record<string, string> | null } {
  if (call.tool === "provision_agent")
    return { put_in: `Provision agent ${call.args.agent_id}`, points_to: { agent_id: call.args.agent_id } };
  if (call.tool === "launch_plan") return { put_in: call.args.said, points_to: null };
  if (call.tool !== "fork_join" && call.tool !== "ask_expert")
    return { put_in: call.args.instruction, points_to: { agent_turn_id: child_id } };
  const { tasks } = call.args;
  const [only] = tasks;
  if (tasks.length === 1 && only) return { put_in: only.instruction, points_to: null };
  const lines = tasks.map((task, i) => `${i + 1}. ${task.target_ref}: ${task.instruction}`);
  return { put_in: `Fork of ${tasks.length}\n\n${lines.join("\n\n")}`, points_to: null };
}
