// What a launch would do, by the launch's own code and without a write: target, policy, packed box, prompt, or the refusal
// with the field it is about.
import type { LaunchPreview } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import type { Kernel } from "../kernel";
import type { TurnRow } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import type { Caller } from "../delegation/caller";
import { checkDelegation, packFor } from "../delegation/delegate-in";
import { type Launch, parseLaunch } from "./launch";
import { newAgentId } from "../delegation/resolve-target";

const WORKERS = `
  SELECT count(*)::int AS n FROM state.workers
  WHERE seen_at > now() - $1 * interval '1 ms' AND ($2 = ANY (targets) OR '*' = ANY (targets))`;

export async function previewLaunch(kernel: Kernel, input: Launch): Promise<LaunchPreview> {
  try {
    const call = parseLaunch(input);
    if (call.tool === "provision_agent")
      throw new KernelError("bad_request", "tool: provision_agent has no context to preview");
    return await withUnit(kernel, (unit) => preview(unit, input, { ...call, tool: call.tool }));
  } catch (error) {
    // An unknown project and a database that is away are not things the form can put right.
    if (!(error instanceof KernelError) || error.code === "storage_error") throw error;
    return { ok: false, error_code: error.code, error: error.message, field: fieldOf(error) };
  }
}

async function preview(
  unit: Unit,
  input: Launch,
  call: Exclude<ReturnType<typeof parseLaunch>, { tool: "provision_agent" }>,
): Promise<LaunchPreview> {
  const { project_id } = input;
  const delegation = { project_id, caller: draftCaller(unit, input), tool: call.tool, args: call.args };
  const target = await checkDelegation(unit, delegation);
  const agent_id =
    target.strategy === "reuse" && target.agent
      ? target.agent.agent_id
      : newAgentId(target.profile.name, unit.kernel.newId());
  const pack = await packFor(unit, delegation, target, { dry_run: true, agent_id });
  const [workers] = await unit.query<{ n: number }>("preview_workers", WORKERS, [
    unit.kernel.tunables.workerSeenMsMax,
    target.worker_target,
  ]);
  return {
    ok: true,
    target: {
      agent_id: target.strategy === "reuse" ? agent_id : undefined,
      profile_name: target.profile.name,
      profile_box_id: target.profile_box_id,
      worker_target: target.worker_target,
      is_new: target.strategy !== "reuse",
    },
    pack,
    queue_ahead: target.strategy === "reuse" ? (target.agent?.queue ?? 0) : 0,
    worker_count: workers?.n ?? 0,
  };
}

/** The root turn a launch would make: of it only what a delegation reads. */
function draftCaller(unit: Unit, input: Launch): Caller {
  const turn_id = unit.kernel.newId("turn_");
  const turn = {
    project_id: input.project_id,
    agent_turn_id: turn_id,
    root_turn_id: turn_id,
    agent_id: `human_${input.user}`,
    depth: 0,
    channel: "public",
    trace_id: unit.kernel.newId(),
    profile_name: "sys.human",
    headcode: "0H01",
    worker_target: "human",
  } as TurnRow;
  return { turn, is_human: true, body: null };
}

function fieldOf(error: KernelError): string | undefined {
  if (typeof error.detail?.path === "string") return error.detail.path;
  return /^(?:invalid args\.)?([a-z_]+(?:\.\d+)?):/.exec(error.message)?.[1];
}
