// What a launch would do, by the launch's own code and without a write: target, policy, packed box, prompt, or the refusal
// with the field it is about.
import type { LaunchPreview } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { namesModel } from "@/server/contract/profile";
import type { Offer } from "../context/pack-item";
import type { Caller } from "../delegation/caller";
import { planTasks } from "../delegation/plan-tasks";
import { takesTurnSql } from "../inbox/who-serves";
import type { Kernel } from "../kernel";
import { isPassing } from "../storage-error";
import type { TurnRow } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import { type Launch, parseLaunch } from "./launch";
import { countPeople } from "./lock-run";

const WORKERS = `SELECT count(*)::int AS n FROM state.workers v WHERE ${takesTurnSql("$4::boolean", "$2::text", "$3::text", "$1::bigint")}`;

export async function previewLaunch(kernel: Kernel, input: Launch & { offer?: Offer }): Promise<LaunchPreview> {
  try {
    const call = parseLaunch(kernel, input);
    if (call.tool !== "delegate_async" && call.tool !== "launch_principal")
      throw new KernelError(
        "bad_request",
        `tool: ${call.tool} hands over no single context to preview; preview its tasks one by one`,
      );
    return await withUnit(kernel, (unit) => preview(unit, input, { ...call, tool: call.tool }));
  } catch (error) {
    // An unknown project and a database that is away are not things the form can put right.
    if (!(error instanceof KernelError) || isPassing(error)) throw error;
    return { ok: false, error_code: error.code, error: error.message, field: fieldOf(error) };
  }
}

type Previewed = Extract<ReturnType<typeof parseLaunch>, { tool: "delegate_async" | "launch_principal" }>;

async function preview(unit: Unit, input: Launch & { offer?: Offer }, call: Previewed): Promise<LaunchPreview> {
  const { project_id, into } = input;
  if (into !== undefined) await countPeople(unit, { project_id, into });
  const [task] = await planTasks(unit, {
    project_id,
    caller: draftCaller(unit, input),
    primitive: call.tool,
    tasks: [{ args: call.args }],
    dry_run: true,
    offer: input.offer,
  });
  if (!task) throw new Error("one task was planned and none came back");
  const { target, pack, agent_id } = task;
  const needs_own_worker = !namesModel(target.body.llm_config);
  const [workers] = await unit.query<{ n: number }>("preview_workers", WORKERS, [
    unit.kernel.tunables.workerSeenMsMax,
    target.worker_target,
    project_id,
    needs_own_worker,
  ]);
  return {
    ok: true,
    target: {
      agent_id: target.strategy === "reuse" ? agent_id : undefined,
      profile_name: target.profile.name,
      profile_box_id: target.profile_box_id,
      worker_target: target.worker_target,
      needs_own_worker,
      is_new: target.strategy !== "reuse",
    },
    pack: { ...pack, card_ids: pack.card_ids ?? [] },
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
    root_turn_id: input.into ?? turn_id,
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
