// What a launch would do, by the launch's own code and without a write: for each task its target, policy and packed box, or the
// refusal with the field it is about. A single delegation is also shown with its cards and its prompt.
import type { ForkPreview, LaunchPreview, PreviewTarget } from "@/server/contract/delegation";
import { KernelError } from "@/server/contract/errors";
import { namesModel } from "@/server/contract/profile";
import type { Offer } from "../context/pack-item";
import type { Caller } from "../delegation/caller";
import { type PlannedTask, planTasks } from "../delegation/plan-tasks";
import { takesTurnSql } from "../inbox/who-serves";
import type { Kernel } from "../kernel";
import type { TurnRow } from "../turns/turn-row";
import { type Unit, withUnit } from "../unit";
import { type Launch, type ParsedLaunch, parseLaunch } from "./launch";
import { countPeople } from "./lock-run";
import { refusalOf } from "./refusal-of";

const WORKERS = `
  SELECT c.n FROM unnest($2::text[], $3::boolean[]) WITH ORDINALITY AS t(target, is_own, ord)
  CROSS JOIN LATERAL (SELECT count(*)::int AS n FROM state.workers v WHERE ${takesTurnSql("t.is_own", "t.target", "$4::text", "$1::bigint")}) c
  ORDER BY t.ord`;

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
  const workers = await unit.query<{ n: number }>("preview_workers", WORKERS, [
    unit.kernel.tunables.workerSeenMsMax,
    planned.map(({ target }) => target.worker_target),
    areOwn,
    project_id,
  ]);
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
    worker_count: workers[i]?.n ?? 0,
  }));
}

/** The root turn that a launch would create: only what a delegation reads of it. */
function draftCaller(unit: Unit, input: Launch): Caller {
  const turn_id = unit.kernel.newId("turn_");
  const turn = {
    project_id: input.project_id,
    agent_turn_id: turn_id,
    root_turn_id: input.into ?? turn_id,
    agent_id: `human_${input.user}`,
    // A person's call is not explained to the receiver, so it must not weigh here either.
    is_human: true,
    depth: 0,
    channel: "public",
    trace_id: unit.kernel.newId(),
    profile_name: "sys.human",
    headcode: "0H01",
    worker_target: "human",
  } as TurnRow;
  return { turn, is_human: true, body: null };
}
