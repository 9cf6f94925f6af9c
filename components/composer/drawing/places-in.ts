// Where everything of a plan stands, laid out once for each plan: a change asks for it, and so does the drawing of what it made. Pure.
import { layOutPlan } from "@/server/contract/plan/lay-out-plan";
import type { Berth, Plan } from "@/server/contract/plan/plan";

export function placesIn(plan: Plan): ReadonlyMap<string, Berth> {
  const places = known.get(plan) ?? layOutPlan(plan, plan.layout.places);
  known.set(plan, places);
  return places;
}

/** What was found of another plan is so of this one too: it has the same places written down, or nothing in it moves anything. */
export function placesAreKnown(plan: Plan, places: ReadonlyMap<string, Berth>): void {
  known.set(plan, places);
}

const known = new WeakMap<Plan, ReadonlyMap<string, Berth>>();
