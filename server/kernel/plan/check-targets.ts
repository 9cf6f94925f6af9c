// The part of a plan's check that is about targets: do they exist, may the caller delegate to them, and does anybody take
// their turns. Every wagon is answered for itself.
import type { KernelProblem } from "@/server/contract/plan/kernel-check";
import { kernelProblem } from "@/server/contract/plan/kernel-check";
import { nameOf, type RiderAt } from "@/server/contract/plan/plan-words";
import { namesModel } from "@/server/contract/profile";
import { policyRefusal } from "../delegation/check-policy";
import { findTargets, type MissingTarget, type Target } from "../delegation/resolve-target";
import { countTakers } from "../inbox/count-takers";
import type { Unit } from "../unit";
import type { CheckCaller } from "./check-caller";

/** `path`: of the wagon in the body. */
export type CheckedWagon = RiderAt & { path: string };
/** `target` is null where it is missing. `worker_count`: who would take its turns now. */
export type Aimed = CheckedWagon & { target: Target | null; worker_count: number };

type Aim = {
  project_id: string;
  caller: CheckCaller;
  wagons: readonly CheckedWagon[];
  /** Profiles that may run the plan, too: their policies are asked as the caller's is. */
  runners: readonly string[];
};

export async function aimWagons(unit: Unit, aim: Aim): Promise<{ aimed: Aimed[]; problems: KernelProblem[] }> {
  const { project_id, wagons, runners } = aim;
  const own = wagons.filter(({ rider }) => rider.target && !isReference(rider.target));
  const found = await findTargets(unit, {
    project_id,
    refs: [
      ...own.map(({ rider }) => ({
        target_strategy: rider.target?.strategy ?? "new",
        target_ref: rider.target?.ref ?? "",
        ...(rider.target?.profile_box_id !== undefined && { profile_box_id: rider.target.profile_box_id }),
      })),
      ...runners.map((name) => ({ target_strategy: "new" as const, target_ref: name })),
    ],
  });
  const byPlace = new Map(own.map(({ place }, i) => [place, found[i] ?? null]));
  const targets = wagons.map((wagon) => targetAt(wagon, byPlace, wagons));
  const there = targets.flatMap((target) => (isThere(target) ? [target] : []));
  const counts = await countTakers(unit, {
    project_id,
    seen_ms: unit.kernel.tunables.workerSeenMsMax,
    targets: there.map(({ body, worker_target }) => ({
      worker_target,
      needs_own_worker: !namesModel(body.llm_config),
    })),
  });
  const countOf = new Map(there.map((target, i) => [target, counts[i] ?? 0]));
  const aimed = wagons.map((wagon, i) => {
    const target = targets[i] ?? null;
    return isThere(target)
      ? { ...wagon, target, worker_count: countOf.get(target) ?? 0 }
      : { ...wagon, target: null, worker_count: 0 };
  });
  const runnersFound = found.slice(own.length);
  const problems = [
    ...runners.flatMap((name, i) =>
      isThere(runnersFound[i] ?? null) ? [] : profileMissing(name, "", `run_by.profiles.${i}`),
    ),
    ...wagons.flatMap((wagon, i) => missing(wagon, targets[i] ?? null)),
    ...aimed.flatMap((one) => refusedOf(unit, aim, runnersFound, one)),
  ];
  return { aimed, problems };
}

type Found = Target | MissingTarget | null;
const isThere = (target: Found): target is Target => target !== null && !("missing" in target);
const isReference = ({ ref, strategy }: { ref: string; strategy: string }): boolean =>
  strategy !== "new" && ref.startsWith("@");

/** `@wagon`: an agent of that wagon's profile, which does not exist yet. */
function targetAt(wagon: CheckedWagon, byPlace: ReadonlyMap<string, Found>, wagons: readonly CheckedWagon[]): Found {
  const seen = new Set<string>();
  let at: CheckedWagon | undefined = wagon;
  while (at?.rider.target && isReference(at.rider.target)) {
    if (seen.has(at.place)) return null;
    seen.add(at.place);
    const named: string = at.rider.target.ref.slice(1);
    at = wagons.find(({ place }) => place === named);
  }
  const target = at ? (byPlace.get(at.place) ?? null) : null;
  if (!isThere(target) || at === wagon) return target;
  return { ...target, strategy: "new", agent: undefined, kernel_box_ids: [] };
}

const profileMissing = (name: string, at: string, path: string): KernelProblem =>
  kernelProblem("profile_missing", at, path, `Profile ${name} is not registered in this project.`);

function missing({ rider, place, path }: CheckedWagon, target: Found): KernelProblem[] {
  const { ref = "" } = rider.target ?? {};
  if (target === null || isThere(target)) return [];
  const at = `${path}.target.ref`;
  if (target.missing === "profile") return [profileMissing(target.profile_name, place, at)];
  if (target.missing === "version") {
    const says = `Box ${rider.target?.profile_box_id} is not a version of profile ${target.profile_name}.`;
    const fix = { op: "set", node: place, path: "/target/profile_box_id" } as const;
    return [kernelProblem("profile_missing", place, `${path}.target.profile_box_id`, says, [fix])];
  }
  if (target.missing === "agent")
    return [kernelProblem("agent_missing", place, at, `Agent ${ref} is not in this project.`)];
  const says = `Agent ${ref} has no output box yet, so there is nothing to clone. Use "new" with ${target.profile_name}.`;
  return [
    kernelProblem("nothing_to_clone", place, at, says, [
      { op: "set", node: place, path: "/target", value: { strategy: "new", ref: target.profile_name } },
    ]),
  ];
}

function refusedOf(unit: Unit, { caller }: Aim, runners: readonly Found[], one: Aimed): KernelProblem[] {
  const { rider, place, path, target, worker_count } = one;
  const found: KernelProblem[] = [];
  const { recursionDepthMax } = unit.kernel.tunables;
  const depth = caller.turn.depth + 1;
  if (depth >= recursionDepthMax) {
    const says = `${nameOf(rider)} would run at depth ${depth}, the limit is ${recursionDepthMax}.`;
    found.push(kernelProblem("depth", place, path, says));
  }
  if (!target) return found;
  if (target.strategy === "reuse" && target.agent?.agent_id === caller.turn.agent_id) {
    const says = `${nameOf(rider)} reuses ${caller.turn.agent_id}, which waits for this very plan. Clone it instead.`;
    const fix = { op: "set", node: place, path: "/target/strategy", value: "clone" } as const;
    found.push(kernelProblem("self", place, `${path}.target`, says, [fix]));
  }
  if (runners.some((runner) => isThere(runner) && runner.profile.name === target.profile.name)) {
    const says = `${nameOf(rider)} runs ${target.profile.name}, which may run this plan: it may start the plan again, down to depth ${recursionDepthMax}. Take ${target.profile.name} out of run_by, or give the step to another profile.`;
    found.push(kernelProblem("may_repeat", place, `${path}.target`, says));
  }
  const delegators = [
    ...(caller.body ? [{ name: caller.body.name ?? caller.turn.profile_name, body: caller.body }] : []),
    ...runners.flatMap((runner) => (isThere(runner) ? [{ name: runner.profile.name, body: runner.body }] : [])),
  ];
  for (const { name, body } of new Map(delegators.map((one) => [one.name, one])).values()) {
    const refusal = policyRefusal(body, { name: target.profile.name, tags: target.tags });
    if (!refusal) continue;
    const allows = refusal.by === "tags" ? `tags ${refusal.allows}` : refusal.allows;
    const says = `${name} may not delegate to ${target.profile.name}: its policy allows ${allows}.`;
    found.push(kernelProblem("policy", place, `${path}.target`, says));
  }
  if (worker_count === 0) {
    const says = `No worker takes turns for ${target.worker_target}.`;
    found.push(kernelProblem("no_worker", place, `${path}.target`, says));
  }
  return found;
}
