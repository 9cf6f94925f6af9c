// What the launch dialog holds, as the plan that the composer begins with: everything typed is kept, also what is not ready yet. Pure.

import { argValue } from "@/components/domain/recipe-args";
import { YEAR_S } from "@/server/contract/bounds";
import { ArtifactName } from "@/server/contract/context-pack/artifact-name";
import { PackToBuild } from "@/server/contract/context-pack/request";
import { emptyTask, type LaunchForm, type TaskForm, tasksOf } from "./launch-form";
import { BUILD_PACK, buildRequest, type PackBuild } from "./pack-build";

export function formPlan(form: LaunchForm): Record<string, unknown> {
  const { kind, tasks, at, gate } = form;
  const one = tasks[at] ?? emptyTask("");
  const node =
    kind === "fork"
      ? {
          kind: "fork",
          id: "fork",
          tasks: tasks.map((task, i) => ({ id: `task-${i + 1}`, ...riderOf(task) })),
          gate: gateOf(gate),
        }
      : { kind: kind === "ask" ? "ask" : "wagon", id: "first", ...riderOf(one) };
  return { switchyard: "plan/1", nodes: [node] };
}

function riderOf({
  target,
  text,
  load,
  recipe,
  args,
  attempts,
  context_tokens_max,
  context_pack,
  build,
}: TaskForm): Record<string, unknown> {
  const given = Object.entries(args).filter(([, value]) => value.trim() !== "");
  const [tries, most] = [Number(attempts), Number(context_tokens_max)];
  return {
    ...(target && target.target_ref !== "" && { target: { strategy: target.target_strategy, ref: target.target_ref } }),
    instruction: text,
    load: load.slice(0, LOADS_MAX).map((item) => (item.kind === "box" ? { box: item.id } : { card: item.id })),
    ...(recipe !== "" && { recipe }),
    ...(given.length > 0 && { arguments: Object.fromEntries(given.map(([name, value]) => [name, argValue(value)])) }),
    ...(Number.isInteger(tries) && tries >= 1 && tries <= 5 && { attempts: tries }),
    ...(Number.isInteger(most) && most > 0 && most <= 1_000_000_000 && { context_tokens_max: most }),
    ...packOf(context_pack, build),
  };
}

function packOf(context_pack: string, build: PackBuild): { context_pack?: Record<string, unknown> } {
  if (context_pack !== BUILD_PACK)
    return ArtifactName.safeParse(context_pack).success ? { context_pack: { ref: context_pack } } : {};
  const request = buildRequest(build);
  return PackToBuild.safeParse(request).success ? { context_pack: request } : {};
}

// What a plan takes. One field past it would refuse the whole plan, and the composer would begin with nothing.
const LOADS_MAX = 64;

function gateOf({ fail_fast, max_parallel, deadline_seconds, policy }: LaunchForm["gate"]): Record<string, unknown> {
  const [parallel, deadline] = [Number(max_parallel), Number(deadline_seconds)];
  return {
    fail_fast,
    ...(policy && { policy }),
    ...(Number.isInteger(parallel) && parallel > 0 && parallel <= 10_000 && { max_parallel: parallel }),
    ...(deadline > 0 && deadline <= YEAR_S && { deadline_seconds: deadline }),
  };
}

/** What was typed and no plan can hold: said, because the composer does not show it. */
export function notCarried(form: LaunchForm): string[] {
  const { gate } = form;
  const isFork = form.kind === "fork";
  const tasks = tasksOf(form).flatMap(({ task, at }) => {
    const of = isFork ? ` of task ${at + 1}` : "";
    const { attempts, context_tokens_max, context_pack } = riderOf(task);
    return [
      ...(task.load.length > LOADS_MAX
        ? [`${task.load.length - LOADS_MAX} boxes and cards${of}, a plan loads ${LOADS_MAX}`]
        : []),
      ...left(`attempts${of}`, task.attempts, attempts),
      ...left(`context at most${of}`, task.context_tokens_max, context_tokens_max),
      ...left(`the context pack${of}`, task.context_pack === BUILD_PACK ? task.build.goal : "", context_pack),
    ];
  });
  if (!isFork) return tasks;
  const { max_parallel, deadline_seconds } = gateOf(gate);
  return [
    ...tasks,
    ...left("max parallel", gate.max_parallel, max_parallel),
    ...left("the deadline", gate.deadline_seconds, deadline_seconds),
  ];
}

const left = (what: string, typed: string, taken: unknown): string[] =>
  typed.trim() !== "" && taken === undefined ? [`${what} “${typed.trim().slice(0, 40)}”`] : [];
