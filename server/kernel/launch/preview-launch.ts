// What a launch would do, by the launch's own code and without a write: for each task its target, policy and packed box, or the
// refusal with the field it is about. A single delegation is also shown with its cards and its prompt.
import type { ForkPreview, LaunchPreview, PreviewTarget } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { namesModel } from "@/server/contract/profile";
import type { Offer } from "../context/pack-item";
import { draftCaller } from "../delegation/draft-caller";
import { type PlannedTask, planTasks } from "../delegation/plan-tasks";
import { countTakers } from "../inbox/count-takers";
import type { Kernel } from "../kernel";
import { type Unit, withUnit } from "../unit";
import { type Launch, type ParsedLaunch, parseLaunch } from "./launch";
import { countPeople } from "./lock-run";
import { refusalOf } from "./refusal-of";

export type Preview = Launch & { offer?: Offer };

/** A fork and an expert are answered task by task, everything else as one. */
export async function previewLaunch(
  kernel: Kernel,
  input: Preview & { tool: "delegate_async" | "launch_principal" },
): Promise<LaunchPreview>;
export async function previewLaunch(
  kernel: Kernel,
  input: Preview & { tool: "fork_join" | "ask_expert" },
): Promise<ForkPreview>;
export async function previewLaunch(kernel: Kernel, input: Preview): Promise<LaunchPreview | ForkPreview>;
export async function previewLaunch(kernel: Kernel, input: Preview): Promise<LaunchPreview | ForkPreview> {
  try {
    const call = parseLaunch(kernel, input);
    if (call.tool === "provision_agent")
      throw new KernelError("bad_request", `tool: ${call.tool} hands over no context, so there is nothing to preview`);
    if (call.tool === "launch_plan")
      throw new KernelError("bad_request", "tool: a plan is checked as a whole: POST its text to /plans:check");
    return await withUnit<LaunchPreview | ForkPreview>(kernel, async (unit) => {
      const { project_id, into } = input;
      if (into !== undefined) await countPeople(unit, { project_id, into });
      const isMany = call.tool === "fork_join" || call.tool === "ask_expert";
      return isMany ? previewTasks(unit, input, call) : previewOne(unit, input, call);
    });
  } catch (error) {
    return refusalOf(error);
  }
}

type Previewed<T extends ParsedLaunch["tool"]> = Extract<ParsedLaunch, { tool: T }>;

async function previewOne(
  unit: Unit,
  input: Preview,
  { tool, args }: Previewed<"delegate_async" | "launch_principal">,
): Promise<LaunchPreview> {
  const planned = await planTasks(unit, { ...dryRunOf(unit, input), primitive: tool, tasks: [{ args }] });
  const [target] = await targetsOf(unit, input, planned);
  const [task] = planned;
  if (!task || !target) throw new Error("one task was planned and none came back");
  return { ok: true, ...target, pack: { ...task.pack, card_ids: task.pack.card_ids ?? [] } };
}

async function previewTasks(
  unit: Unit,
  input: Preview,
  { tool, args }: Previewed<"fork_join" | "ask_expert">,
): Promise<ForkPreview> {
  const task_count = args.tasks.length;
  const planned = await planTasks(unit, {
    ...dryRunOf(unit, input),
    is_brief: true,
    primitive: tool,
    tasks: args.tasks.map((task, task_index) => ({
      args: task,
      // As in the fork itself: an agent is told that it is one of several.
      ...(tool === "fork_join" && { batch: { task_index, task_count } }),
    })),
  });
  const targets = await targetsOf(unit, input, planned);
  const tasks = planned.flatMap(({ pack }, task_index) => {
    const target = targets[task_index];
    if (!target) return [];
    const { request, target_profile_box_id, receipt, length, token_sum, consist, card_ids = [] } = pack;
    return {
      task_index,
      ...target,
      pack: { target_profile_box_id, card_ids, receipt, length, token_sum, consist },
      ...(request && { request }),
    };
  });
  return { ok: true, tasks };
}

const dryRunOf = (unit: Unit, input: Preview) => ({
  project_id: input.project_id,
  caller: draftCaller(unit, input),
  dry_run: true,
  offer: input.offer,
});

async function targetsOf(unit: Unit, { project_id }: Preview, planned: PlannedTask[]): Promise<PreviewTarget[]> {
  const areOwn = planned.map(({ target }) => !namesModel(target.body.llm_config));
  const takers = await countTakers(unit, {
    project_id,
    seen_ms: unit.kernel.tunables.workerSeenMsMax,
    targets: planned.map(({ target }, i) => ({
      worker_target: target.worker_target,
      needs_own_worker: areOwn[i] ?? false,
    })),
  });
  return planned.map(({ target, agent_id }, i) => ({
    target: {
      agent_id: target.strategy === "reuse" ? agent_id : undefined,
      profile_name: target.profile.name,
      profile_box_id: target.profile_box_id,
      worker_target: target.worker_target,
      needs_own_worker: areOwn[i] ?? false,
      is_new: target.strategy !== "reuse",
    },
    queue_ahead: target.strategy === "reuse" ? (target.agent?.queue ?? 0) : 0,
    worker_count: takers[i] ?? 0,
  }));
}
