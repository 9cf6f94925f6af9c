// A person launches: a root turn of `human_<user>` and what it sets going, in one transaction. The same action_id is the
// same launch, however often the button was pressed.
import { ProvisionInput } from "@/server/contract/agent";
import type { DelegateInput, LaunchInput, LaunchResult } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { parseDelegateArgs } from "../delegation/delegate";
import { delegateIn, titleOf } from "../delegation/delegate-in";
import { ensureHuman } from "./ensure-human";
import { parseArgs } from "../delegation/parse-args";
import { provisionIn } from "../delegation/provision-agent";
import { recordLaunch } from "./record-launch";

export type Launch = LaunchInput & { project_id: string; source?: "launch" | "demo" };

const NUMBER =
  "UPDATE projects SET run_count = run_count + 1, updated_at = now() WHERE project_id = $1 RETURNING run_count";
const FOUND = `
  SELECT t.agent_turn_id, c.content -> 'data' AS pointer, k.agent_id, k.turn_epoch, k.status, k.context_box_id, k.output_box_id
  FROM state.agent_turns t
  JOIN cards c ON c.tenant_id = t.project_id AND c.card_id = t.deliverable_card_id
  LEFT JOIN state.agent_turns k ON k.project_id = t.project_id AND k.agent_turn_id = c.content -> 'data' ->> 'agent_turn_id'
  WHERE t.project_id = $1 AND t.action_id = $2`;

export async function launch(kernel: Kernel, input: Launch): Promise<LaunchResult> {
  const call = parseLaunch(input);
  return withUnit(kernel, async (unit) => {
    // The project's row first: it numbers the run and puts two clicks of one button in a row.
    const [project] = await unit.query<{ run_count: number }>("run_number", NUMBER, [input.project_id]);
    if (!project) throw new KernelError("not_found", `project ${input.project_id} is not there`);
    const replay = await findReplay(unit, input);
    if (replay) {
      await unit.query("run_number_back", "UPDATE projects SET run_count = run_count - 1 WHERE project_id = $1", [
        input.project_id,
      ]);
      return replay;
    }
    return launchIn(unit, input, call, project.run_count);
  });
}

export type LaunchCall =
  | { tool: "delegate_async" | "launch_principal"; args: DelegateInput }
  | { tool: "provision_agent"; args: ProvisionInput };

export function parseLaunch(input: LaunchInput): LaunchCall {
  if (input.tool === "provision_agent") return { tool: input.tool, args: parseArgs(ProvisionInput, input.args) };
  return { tool: input.tool, args: parseDelegateArgs(input.tool, input.args) };
}

type Found = {
  agent_turn_id: string;
  pointer: { agent_turn_id?: string; agent_id?: string };
  agent_id: string | null;
  turn_epoch: number | null;
  status: string | null;
  context_box_id: string | null;
  output_box_id: string | null;
};

async function findReplay(unit: Unit, input: Launch): Promise<LaunchResult | null> {
  if (input.action_id === undefined) return null;
  const [found] = await unit.query<Found>("launch_replay", FOUND, [input.project_id, input.action_id]);
  if (!found) return null;
  const { pointer } = found;
  const result: LaunchResult["result"] =
    pointer.agent_turn_id !== undefined && found.agent_id !== null && found.context_box_id !== null
      ? {
          status: "accepted",
          agent_id: found.agent_id,
          agent_turn_id: pointer.agent_turn_id,
          turn_epoch: found.status === "queued" ? null : found.turn_epoch,
          context_box_id: found.context_box_id,
          output_box_id: found.output_box_id,
        }
      : { status: "accepted", agent_id: pointer.agent_id ?? "", roster_updated: false };
  return { agent_turn_id: found.agent_turn_id, root_turn_id: found.agent_turn_id, result, is_replay: true };
}

async function launchIn(unit: Unit, input: Launch, call: LaunchCall, run_number: number): Promise<LaunchResult> {
  const { project_id } = input;
  const human = await ensureHuman(unit, { project_id, user: input.user });
  const turn_id = unit.kernel.newId("turn_");
  // The person's deliverable points to the child, so the child's id is minted first.
  const child_id = unit.kernel.newId("turn_");
  const put_in = call.tool === "provision_agent" ? `Provision agent ${call.args.agent_id}` : call.args.instruction;
  const points_to: Record<string, string> =
    call.tool === "provision_agent" ? { agent_id: call.args.agent_id } : { agent_turn_id: child_id };
  const turn = await recordLaunch(unit, {
    project_id,
    run_number,
    source: input.source ?? "launch",
    human,
    turn_id,
    trace_id: unit.kernel.newId(),
    action_id: input.action_id,
    put_in,
    title: titleOf(put_in),
    pointer: { kind: "json", data: { kind: "launch", tool: call.tool, ...points_to } },
  });
  const caller = { turn, is_human: true, body: null };
  const result =
    call.tool === "provision_agent"
      ? await provisionIn(unit, { project_id, caller, args: call.args })
      : await delegateIn(unit, { project_id, caller, tool: call.tool, args: call.args, agent_turn_id: child_id });
  return { agent_turn_id: turn_id, root_turn_id: turn_id, result, is_replay: false };
}
