// The profile of every wagon of a plan, for the codes that are kept for their turns.
import type { Plan } from "@/server/contract/plan/plan";
import { ridersOf } from "@/server/contract/plan/plan-words";
import { resolveTargets } from "../delegation/resolve-target";
import type { Unit } from "../unit";

/** By place, of those that make a turn. `@node` has the profile of the wagon that it names. */
export async function profilesOf(
  unit: Unit,
  project_id: string,
  plan: Plan,
  places: readonly string[],
): Promise<Map<string, string>> {
  const wanted = new Set(places);
  const riders = ridersOf(plan).flatMap(({ place, rider }) =>
    rider.target && wanted.has(place) ? [{ place, target: rider.target }] : [],
  );
  const own = riders.filter(({ target }) => target.strategy === "new" || !target.ref.startsWith("@"));
  const found = await resolveTargets(unit, {
    project_id,
    refs: own.map(({ target }) => ({ target_strategy: target.strategy, target_ref: target.ref })),
    at: (i) => `${own[i]?.place}: `,
  });
  const names = new Map(own.map(({ place }, i) => [place, found[i]?.profile.name ?? ""]));
  // A reference may name another reference, and what it names ends before it starts.
  for (let round = 0; round < riders.length && names.size < riders.length; round++)
    for (const { place, target } of riders) {
      const known = names.get(target.ref.slice(1));
      if (!names.has(place) && known !== undefined) names.set(place, known);
    }
  return names;
}
